/** Runs a plan: mend, plan, show, ask, lock, check that nothing changed meanwhile, apply root by root. */
import { existsSync } from 'node:fs';
import type { ProblemDetails } from '../../schemas/problem.ts';
import { Problem } from '../../schemas/problem.ts';
import { lockfileText } from '../state/lock-file.ts';
import { listPlaces } from '../state/paths.ts';
import { applyChange } from './apply.ts';
import type { ChangeRow, SettingsRow } from './change.ts';
import { obtainConsent } from './consent.ts';
import { readDiffs, type VersionDiff } from './diffs.ts';
import { mendAll } from './mend-all.ts';
import type { Plan } from './plan.ts';
import { previewSettings } from './plan-settings.ts';
import { type RootSession, withRoots } from './roots.ts';
import type { Session } from './session.ts';
import { lockOf, readWorld, settingsFilesOf, type World } from './world.ts';

export type RunAnswer = {
  changes: ChangeRow[];
  settings: SettingsRow[];
  /** What the updates change, as `diff` says it. */
  diffs: VersionDiff[];
  warnings: string[];
  notes: string[];
  /** The package that makes pi heed allowedTools; null: nothing does. */
  enforcedBy: string | null;
};

export type RunOptions = {
  readonly allowedOverrides: readonly string[];
  /** `frozen`: the lock must stay as it is. */
  readonly lock: 'free' | 'frozen';
  /** Told about the plan before anything is asked or written. */
  show(plan: Plan, diffs: readonly VersionDiff[]): void;
};

const rootSession = (session: Session, world: Pick<World, 'places'>): RootSession => ({
  clock: session.environment,
  settingsFiles: settingsFilesOf(world),
  say: session.say,
});

/** What the plan was made from; when it is another under the locks, the plan is made again. */
const fingerprint = (world: World): string =>
  JSON.stringify([[...world.locks].map(([folder, lock]) => [folder, lockfileText(lock)]), world.project?.text]);

function refuseFrozen(plan: Plan): void {
  const changed = plan.changes.find(({ root, lock }) => lockfileText(lock) !== lockfileText(lockOf(plan.world, root)));
  if (changed === undefined) return;
  throw new Problem('lock_would_change', `\`${changed.root.lockFile}\` would change, and --frozen was given`, {
    hint: 'run the command without --frozen and commit the lock file',
    details: { file: changed.root.lockFile },
  });
}

/** What needs a yes of its own is added to the plan, or said as a warning. */
async function askQuestions(plan: Plan, session: Session): Promise<void> {
  for (const { ask, otherwise, agree } of plan.questions) {
    if (session.options.yes || (session.interactive && (await session.confirm(ask)))) agree();
    else plan.warnings.push(otherwise);
  }
}

const dryAnswer = (plan: Plan, diffs: VersionDiff[]): RunAnswer => ({
  diffs,
  changes: plan.changes.flatMap(({ rows }) => rows),
  settings: plan.changes.flatMap(({ settings }) => settings.map(previewSettings)),
  warnings: [...plan.warnings, ...plan.questions.map(({ otherwise }) => otherwise)],
  notes: [...plan.notes],
  enforcedBy: findEnforcer(plan),
});

/** One root failed after others were done: the message has to say what is done. */
function afterOthers(error: unknown, done: readonly ChangeRow[]): unknown {
  if (!(error instanceof Problem) || done.length === 0) return error;
  const names = done.map((row) => `${row.action} ${row.package} (${row.target})`).join(', ');
  const details: ProblemDetails = { ...error.details, done };
  return new Problem(error.code, `${error.message} (done before: ${names})`, {
    ...(error.hint === null ? {} : { hint: error.hint }),
    details,
    cause: error,
  });
}

const overtaken = (folder: string): Problem =>
  new Problem('state_conflict', `another command changed \`${folder}\` meanwhile`, { hint: 'run the command again' });

async function applyPlan(
  plan: Plan,
  diffs: VersionDiff[],
  session: Session,
  access: Parameters<Parameters<typeof withRoots>[2]>[0],
): Promise<RunAnswer> {
  const answer: RunAnswer = {
    changes: [],
    settings: [],
    diffs,
    warnings: plan.warnings,
    notes: plan.notes,
    enforcedBy: findEnforcer(plan),
  };
  for (const change of plan.changes) {
    const given = access.get(change.root.folder);
    if (given === undefined) throw overtaken(change.root.folder);
    const known = answer.warnings.length;
    try {
      answer.settings.push(
        ...(await applyChange(change, {
          clock: session.environment,
          access: given,
          warn: (text) => void answer.warnings.push(text),
        })),
      );
      answer.changes.push(...change.rows);
    } catch (error) {
      for (const warning of answer.warnings.slice(known)) session.warn(warning);
      throw afterOthers(error, answer.changes);
    }
  }
  return answer;
}

async function withProgress<Result>(session: Session, label: string, work: () => Promise<Result>): Promise<Result> {
  const progress = session.progress(label);
  try {
    return await work();
  } finally {
    progress.done();
  }
}

/** Whether something here makes pi heed allowedTools: pi itself does not. */
const findEnforcer = (plan: Plan): string | null => {
  const locks = [...plan.world.locks.values(), ...plan.changes.map(({ lock }) => lock)];
  return locks.some(({ packages }) => Object.hasOwn(packages, ENFORCER)) ? ENFORCER : null;
};

/** The catalog's extension that does. */
const ENFORCER = 'allowed-tools';

type Planned = { readonly world: World; readonly plan: Plan };

/**
 * A plan is made without the locks. What is in its way may be another pi-tools at work, whose files come before its lock
 * file: a conflict is told only when it is still one under the locks of the roots that are in use.
 */
async function planWhenQuiet(session: Session, makePlan: (world: World) => Promise<Plan>): Promise<Planned> {
  const world = readWorld(session.environment, session.options.dryRun ? 'read' : 'write');
  try {
    return { world, plan: await makePlan(world) };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409 || session.options.dryRun) throw error;
    const roots = world.places.map(({ root }) => root).filter(({ workFolder }) => existsSync(workFolder));
    return withRoots(roots, rootSession(session, world), async () => {
      const now = readWorld(session.environment);
      if (fingerprint(now) === fingerprint(world)) throw error;
      return { world: now, plan: await makePlan(now) };
    });
  }
}

/** Plans with `makePlan`, shows, asks, applies. `makePlan` is called again under the locks when another command was faster. */
export async function runPlan(
  session: Session,
  options: RunOptions,
  makePlan: (world: World) => Promise<Plan>,
): Promise<RunAnswer> {
  await mendAll(
    { environment: session.environment, options: session.options, terminal: session },
    listPlaces(session.environment, session.environment.cwd),
  );
  const { world, plan } = await withProgress(session, 'reading packages and what is installed', () =>
    planWhenQuiet(session, makePlan),
  );
  const diffs = await readDiffs(session, plan);
  options.show(plan, diffs);
  if (options.lock === 'frozen') refuseFrozen(plan);
  if (session.options.dryRun || plan.changes.length === 0) return dryAnswer(plan, diffs);
  await obtainConsent(plan.consents, session, options.allowedOverrides);
  await askQuestions(plan, session);
  const roots = plan.changes.map(({ root }) => root);
  return withRoots(roots, rootSession(session, world), async (access) => {
    const now = readWorld(session.environment);
    if (fingerprint(now) === fingerprint(world)) return session.finishFirst(applyPlan(plan, diffs, session, access));
    const again = await makePlan(now);
    await obtainConsent(again.consents, session, options.allowedOverrides);
    await askQuestions(again, session);
    again.warnings.push(...plan.warnings.filter((warning) => !again.warnings.includes(warning)));
    return session.finishFirst(applyPlan(again, await readDiffs(session, again), session, access));
  });
}
