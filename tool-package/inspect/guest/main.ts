/** The sandbox's own code: evaluated first in the engine, then the bundle of an entry calls `start`. */

import { provideFile, useEmptyMachine } from './files.ts';
import { installGlobals, useFullEnvironment } from './globals.ts';
import { providedModule, provideModule, requiredModule, sandboxModule } from './hosts.ts';
import { lockBuiltIns } from './lock.ts';
import { type Outcome, runExtension } from './pi-run.ts';
import { errorText, listText, type Registered, toolText } from './report.ts';
import { readExports } from './slopcode-run.ts';
import { runNextTimer } from './timers.ts';

type State = Outcome | 'loading' | 'failed';

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
    state = await runExtension(module, register);
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
  return `{"state":${stateText()},"failure":${failure},"tools":[${tools}],"others":${listText(others)}}`;
}

const stateText = (): string =>
  typeof state === 'string' ? JSON.stringify(state) : `{"inert":${JSON.stringify(state.inert)}}`;

const isPending = (): boolean => state === 'loading';

installGlobals(requiredModule);
lockBuiltIns();
Object.defineProperty(globalThis, Symbol.for('pi-tools.sandbox'), {
  value: Object.freeze({
    start,
    report,
    isPending,
    provideModule,
    provideFile,
    useEmptyMachine,
    useFullEnvironment,
    module: sandboxModule,
    require: requiredModule,
    runNextTimer,
  }),
});
