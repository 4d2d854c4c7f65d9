import type { CommandModule } from '../command.ts';
import { chooseInstalled, wishOf } from '../install/goal-update.ts';
import { mendAll } from '../install/mend-all.ts';
import { openSession, type Session } from '../install/session.ts';
import { type Installed, readWorld, type World } from '../install/world.ts';
import { listCandidates } from '../resolve/choose.ts';
import { parseWanted } from '../resolve/request.ts';
import { listPlaces } from '../state/paths.ts';

type Row = { package: string; current: string; wanted: string; latest: string; target: string; pinned: boolean };

export const command: CommandModule<{ outdated: Row[] }> = {
  define: {
    name: 'outdated',
    summary: 'List packages with a newer version',
    examples: ['pi-tools outdated', 'pi-tools outdated --scope project --json'],
  },
  run: async (context) => {
    const session = openSession(context);
    try {
      await mendAll(context, listPlaces(context.environment, context.environment.cwd));
      const world = readWorld(context.environment);
      const rows: Row[] = [];
      for (const installed of chooseInstalled(world, context.options, [])) {
        const row = await findOutdated(world, session, installed);
        if (row !== undefined) rows.push(row);
      }
      return { data: { outdated: rows }, exitCode: rows.length > 0 ? 6 : 0 };
    } finally {
      await session.close();
    }
  },
  human: ({ outdated }) => outdated.map(rowText).join('\n') || 'everything is up to date',
};

const rowText = ({ package: name, current, wanted, latest, target, pinned }: Row): string =>
  `${name} ${current} (${target}): wanted ${wanted}, latest ${latest}${pinned ? ', pinned' : ''}`;

const findOutdated = async (world: World, session: Session, installed: Installed): Promise<Row | undefined> => {
  const { name, locked, place } = installed;
  if (locked.registry.startsWith('file:')) return undefined;
  const wish = wishOf(world, place.root, name);
  const wanted = parseWanted(wish ?? '*');
  const document = await session.document(name, wanted);
  const [best] = listCandidates(document, wanted, { locked: locked.version });
  const fitting = listCandidates(document, wanted)[0] ?? best;
  const latest = listCandidates(document, { kind: 'default' })[0]?.version ?? locked.version;
  if (latest === locked.version && (fitting?.version ?? locked.version) === locked.version) return undefined;
  return {
    package: name,
    current: locked.version,
    wanted: fitting?.version ?? locked.version,
    latest,
    target: place.target,
    pinned: wanted.kind === 'exact',
  };
};
