import type { CommandModule, Context } from '../command.ts';
import type { Difference } from '../install/drift.ts';
import { chooseInstalled } from '../install/goal-update.ts';
import { mendAll } from '../install/mend-all.ts';
import { openSession } from '../install/session.ts';
import { verifyInstalled } from '../install/verify.ts';
import { readWorld } from '../install/world.ts';
import { escapeText } from '../terminal/escape.ts';

type VerifyData = { differences: Difference[]; checked: number; warnings: string[] };

export const command: CommandModule<VerifyData> = {
  define: {
    name: 'verify',
    summary: 'Check every installed byte',
    arguments: '[name...]',
    options: [{ flags: '--inspect', description: 'derive the tools anew from the installed files and compare' }],
    examples: ['pi-tools verify', 'pi-tools verify weather --inspect'],
  },
  run: async (context, names, flags) => {
    const session = openSession(context);
    try {
      const data = await verify(context, session, names, flags.inspect === true ? 'inspect' : 'bytes');
      for (const warning of data.warnings) context.terminal.warn(escapeText(warning));
      return { data, exitCode: data.differences.length > 0 ? 6 : 0 };
    } finally {
      await session.close();
    }
  },
  human: ({ differences, checked }) => {
    if (differences.length === 0)
      return checked === 0 ? 'nothing is installed here' : `${checked} checked, no difference`;
    return differences.map(differenceText).join('\n');
  },
};

const verify = async (
  context: Context,
  session: ReturnType<typeof openSession>,
  names: readonly string[],
  depth: 'bytes' | 'inspect',
): Promise<VerifyData> => {
  const first = readWorld(context.environment);
  await mendAll(context, first.places);
  const world = readWorld(context.environment);
  const chosen = chooseInstalled(world, context.options, names);
  const results = [];
  for (const installed of chosen) results.push(await verifyInstalled(session, installed, depth));
  return {
    differences: results.flatMap(({ differences }) => differences),
    checked: chosen.length,
    warnings: results.flatMap(({ warnings }) => warnings),
  };
};

const differenceText = ({ package: name, target, file, expected, actual }: Difference): string => {
  if (expected === null) return `${name} (${target}): ${file} does not belong there`;
  if (actual === null) return `${name} (${target}): ${file} is missing`;
  return `${name} (${target}): ${file} was changed`;
};
