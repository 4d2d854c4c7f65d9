/** The sandbox's own code: evaluated first in the engine, then the bundle of an entry calls `start`. */

import { listAsked } from './asked.ts';
import { provideFile, useEmptyMachine } from './files.ts';
import { installGlobals, useFullEnvironment, usePlatform } from './globals.ts';
import { providedModule, provideModule, requiredModule, sandboxModule } from './hosts.ts';
import { own } from './imports.ts';
import { lockBuiltIns } from './lock.ts';
import { provideOwnFiles } from './own-files.ts';
import { type Outcome, runExtension, useEveryFlag } from './pi-run.ts';
import { errorText, listText, type Registered, toolText } from './report.ts';
import { readExports } from './slopcode-run.ts';
import { runNextTimer, runSoonTimer } from './timers.ts';

/** `started`: all that an agent waits for is done, and handlers of its first events are at work. */
type State = Outcome | 'loading' | 'started' | 'failed';

const registered: Registered[] = [];
let others: string[] = [];
let state: State = 'loading';
let failure = 'null';

/** A flood of registrations is no tool package. */
const MAX_TOOLS = 1000;

function register(definition: unknown): void {
  if (registered.length >= MAX_TOOLS) throw new Error('More than 1,000 tools');
  registered.push({ definition, stack: new Error('here').stack ?? '', export: null, parameters: null });
}

async function run(agent: string, load: () => Promise<object>): Promise<void> {
  const module = await load();
  if (agent === 'pi') {
    const onLoaded = () => {
      state = 'started';
    };
    state = await runExtension(module, register, onLoaded);
    return;
  }
  const found = readExports(module, providedModule('zod'));
  registered.push(...found.tools);
  others = found.others;
  state = 'done';
}

function start(agent: string, load: () => Promise<object>): void {
  run(agent, load).catch((error: unknown) => {
    state = 'failed';
    failure = errorText(error);
  });
}

function report(): string {
  const tools = registered.map(toolText).join(',');
  return `{"state":${stateText()},"failure":${failure},"tools":[${tools}],"others":${listText(others)},"asked":${listText(listAsked())}}`;
}

const stateText = (): string =>
  typeof state === 'string' ? JSON.stringify(state) : `{"inert":${JSON.stringify(state.inert)}}`;

const isLoading = (): boolean => state === 'loading';
/** Goes on with what the entry waits for; once it waits for nothing, with what comes soon after. */
const runNext = (): boolean =>
  state === 'loading' || state === 'started' ? runNextTimer() : state === 'done' && runSoonTimer();

installGlobals(requiredModule);
lockBuiltIns();
Object.defineProperty(globalThis, Symbol.for('pi-tools.sandbox'), {
  value: Object.freeze({
    start,
    report,
    isLoading,
    provideModule,
    provideFile,
    useEmptyMachine,
    useFullEnvironment: () => {
      useFullEnvironment();
      useEveryFlag();
    },
    usePlatform,
    provideOwnFiles,
    own,
    module: sandboxModule,
    require: requiredModule,
    runNext,
  }),
});
