import type { CommandModule } from '../command.ts';
import { type Ailment, diagnose } from '../install/doctor.ts';
import { mendAll } from '../install/mend-all.ts';
import { readWorld } from '../install/world.ts';
import { listPlaces } from '../state/paths.ts';
import { escapeText } from '../terminal/escape.ts';

export const command: CommandModule<{ problems: Ailment[] }> = {
  define: {
    name: 'doctor',
    summary: 'Find what keeps installed tools from working',
    examples: ['pi-tools doctor', 'pi-tools doctor --json'],
  },
  run: async (context) => {
    const { environment } = context;
    await mendAll(context, listPlaces(environment, environment.cwd));
    const problems = await diagnose(readWorld(environment));
    return { data: { problems }, exitCode: problems.some(({ level }) => level !== 'info') ? 6 : 0 };
  },
  human: ({ problems }, { terminal: { style } }) => {
    if (problems.length === 0) return 'no problem found';
    return problems
      .map(({ level, message, fix }) => {
        const head = level === 'error' ? style.red(level) : level === 'warn' ? style.yellow(level) : level;
        return `${head}: ${escapeText(message)}${fix === null ? '' : `\n  ${escapeText(fix)}`}`;
      })
      .join('\n');
  },
};
