/** Which import specifiers are the agent's own. Facts measured on pi 1.6.0, SlopCode 0.2.22 and opencode 1.18.33. */

const PI_PACKAGE = /^@(?:earendil-works|mariozechner)\/(pi-(?:coding-agent|ai|agent-core|tui))(?:\/.+)?$/;
const TYPEBOX = /^(?:typebox|@sinclair\/typebox)((?:\/[a-z-]+)*)$/;
const ZOD = /^zod(?:\/(?:v4|v4-mini|mini|v4\/core|v4\/mini))?$/;
const PLUGIN = /^(?:@slopcode-ai|@opencode-ai)\/plugin(?:\/tool)?$|^slopcode$/;

export type HostPackage = { kind: 'pi' | 'typebox' | 'zod' | 'plugin'; name: string };

/** The host package that `specifier` means, if any; TypeBox's old name gives the new one, sub-paths kept. */
export function findHostPackage(specifier: string): HostPackage | undefined {
  const pi = PI_PACKAGE.exec(specifier);
  if (pi?.[1]) return { kind: 'pi', name: pi[1] };
  const typebox = TYPEBOX.exec(specifier);
  if (typebox) return { kind: 'typebox', name: `typebox${typebox[1] ?? ''}` };
  if (ZOD.test(specifier)) return { kind: 'zod', name: specifier };
  return PLUGIN.test(specifier) ? { kind: 'plugin', name: 'plugin' } : undefined;
}
