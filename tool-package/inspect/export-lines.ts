/** The line of each export, by its text: good enough to point at. */

const DECLARATION = /^\s*export\s+(?:async\s+)?(?:const|let|var|function\*?|class)\s+([\w$]+)/;
const DEFAULT = /^\s*export\s+default\b|^\s*module\.exports\s*=/;

export function exportLines(source: string): Map<string, number> {
  const lines = new Map<string, number>();
  source.split('\n').forEach((text, index) => {
    const name = DECLARATION.exec(text)?.[1] ?? (DEFAULT.test(text) ? 'default' : undefined);
    if (name !== undefined && !lines.has(name)) lines.set(name, index + 1);
  });
  return lines;
}
