/** One run of the real pi against the fake model. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Seen, startFakeModel, type ToolCall, whatTheModelSaw } from './fake-model.ts';
import type { Pi } from './install.ts';
import { bareEnvironment, type Ended, runProgram } from './run-program.ts';

export type PiRun = Ended & Seen & { toolErrors: boolean[] };
export type PiOptions = {
  home: string;
  cwd: string;
  calls?: readonly ToolCall[];
  args?: readonly string[];
  env?: Record<string, string>;
  /** Whether the model takes images. */
  images?: 'yes' | 'no';
};

/** Runs pi in JSON mode with one prompt. Its `models.json` in `home` is replaced: give a home made for the test. */
export async function runPi(pi: Pi, options: PiOptions): Promise<PiRun> {
  const model = await startFakeModel(options.calls ?? []);
  try {
    const agentDir = options.env?.PI_CODING_AGENT_DIR ?? join(options.home, '.pi', 'agent');
    writeModels(agentDir, model.url, options.images ?? 'no');
    const words = ['--mode', 'json', '--provider', 'fake', '--model', 'fake-1', ...(options.args ?? ['--no-session'])];
    const ended = await runProgram(pi.node, [pi.entry, ...words, 'please use the tools'], {
      cwd: options.cwd,
      env: {
        ...bareEnvironment(options.home),
        PI_OFFLINE: '1',
        PI_SKIP_VERSION_CHECK: '1',
        PI_TELEMETRY: '0',
        ...options.env,
      },
      timeoutMs: 60_000,
    });
    return { ...ended, ...whatTheModelSaw(model.requests), toolErrors: toolErrors(ended.stdout) };
  } finally {
    await model.close();
  }
}

function writeModels(agentDir: string, baseUrl: string, images: 'yes' | 'no'): void {
  mkdirSync(agentDir, { recursive: true });
  const model = { id: 'fake-1', name: 'Fake', input: images === 'yes' ? ['text', 'image'] : ['text'] };
  const fake = { baseUrl, api: 'openai-completions', apiKey: 'none', models: [model] };
  writeFileSync(join(agentDir, 'models.json'), JSON.stringify({ providers: { fake } }));
}

/** Whether each call failed, from pi's own events. */
function toolErrors(stdout: string): boolean[] {
  const events = stdout.split('\n').filter((line) => line.startsWith('{"type":"tool_execution_end"'));
  return events.map((line) => (JSON.parse(line) as { isError: boolean }).isError);
}
