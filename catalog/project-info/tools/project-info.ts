import { relative } from 'node:path';

interface Context {
  agent: string;
  sessionID: string;
  directory: string;
  worktree: string;
}

// A plain object: nothing has to be imported for a tool without arguments.
export default {
  description: 'Tell which agent and session this is, the working folder, and the root of the git worktree it is in.',
  args: {},
  async execute(_args: unknown, context: Context): Promise<string> {
    // Outside git the agents give / as the worktree.
    const inGit = context.worktree !== '' && context.worktree !== '/';
    return [
      `Agent: ${context.agent}`,
      `Session: ${context.sessionID}`,
      `Working folder: ${context.directory}`,
      `Worktree: ${inGit ? context.worktree : 'none (not in a git repository)'}`,
      ...(inGit ? [`Folder in the worktree: ${relative(context.worktree, context.directory) || '.'}`] : []),
    ].join('\n');
  },
};
