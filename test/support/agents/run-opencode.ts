/** One run of the real opencode against the fake model, without any network. */
import { join } from 'node:path';
import { type Seen, startFakeModel, type ToolCall, whatTheModelSaw } from './fake-model.ts';
import type { Opencode } from './install.ts';
import { bareEnvironment, type Ended, runProgram } from './run-program.ts';

export type OpencodeRun = Ended & Seen;
export type OpencodeOptions = {
  home: string;
  cwd: string;
  calls?: readonly ToolCall[];
  env?: Record<string, string>;
};

/** Runs `opencode run` in `cwd` with one prompt. */
export async function runOpencode(opencode: Opencode, options: OpencodeOptions): Promise<OpencodeRun> {
  const model = await startFakeModel(options.calls ?? []);
  try {
    const words = ['run', '--format', 'json', '--title', 'test', 'hello'];
    const env = { ...environment(options.home), OPENCODE_CONFIG_CONTENT: configuration(model.url), ...options.env };
    const ended = await runProgram(opencode.binary, words, { cwd: options.cwd, env, timeoutMs: 90_000 });
    return { ...ended, ...whatTheModelSaw(model.requests) };
  } finally {
    await model.close();
  }
}

function environment(home: string): Record<string, string> {
  const off = ['MODELS_FETCH', 'AUTOUPDATE', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD', 'SHARE', 'CLAUDE_CODE'];
  return {
    ...bareEnvironment(home),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    ...Object.fromEntries(off.map((name) => [`OPENCODE_DISABLE_${name}`, '1'])),
    // Else it waits for the npm registry at every start, to install a plugin package that our entries do not need.
    npm_config_offline: 'true',
  };
}

function configuration(baseURL: string): string {
  const fake = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Fake',
    options: { baseURL, apiKey: 'none' },
    models: { 'fake-1': { name: 'Fake', tool_call: true, limit: { context: 200_000, output: 8192 } } },
  };
  return JSON.stringify({
    model: 'fake/fake-1',
    small_model: 'fake/fake-1',
    share: 'disabled',
    autoupdate: false,
    enabled_providers: ['fake'],
    provider: { fake },
  });
}
