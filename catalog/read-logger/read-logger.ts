import {
  createReadToolDefinition,
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  type ExtensionAPI,
} from '@earendil-works/pi-coding-agent';
import { Type } from 'typebox';
import { ENTRY_TYPE, formatRecords, recordsOf } from './journal.ts';

export default function readLogger(pi: ExtensionAPI) {
  const log = (params: { path: string; offset?: number; limit?: number }, error: string | null) => {
    const { path, offset = null, limit = null } = params;
    pi.appendEntry(ENTRY_TYPE, { at: new Date().toISOString(), path, offset, limit, error });
  };

  pi.registerTool({
    name: 'read',
    label: 'Read (logged)',
    description: `Read the contents of a text file or an image (jpg, png, gif, webp, bmp; images are attached). Every read is logged for the user. Text is cut at ${DEFAULT_MAX_LINES} lines or ${DEFAULT_MAX_BYTES / 1024}KB, whichever comes first; continue a longer file with offset.`,
    // Not inherited from the built-in: without these two, read would be missing from the system prompt.
    promptSnippet: 'Read file contents (each read is logged)',
    promptGuidelines: ['Use read to look into files instead of printing them with a shell command.'],
    parameters: Type.Object({
      path: Type.String({ description: 'Path of the file to read (relative or absolute)' }),
      offset: Type.Optional(Type.Number({ description: 'Number of the first line to read (the first line is 1)' })),
      limit: Type.Optional(Type.Number({ description: 'Highest number of lines to read' })),
    }),
    async execute(toolCallId, params, signal, onUpdate, ctx) {
      // pi's own implementation does the reading, so that text, images, paging and details are exactly its own.
      const builtIn = createReadToolDefinition(ctx.cwd);
      try {
        const result = await builtIn.execute(toolCallId, params, signal, onUpdate, ctx);
        log(params, null);
        return result;
      } catch (error) {
        log(params, error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
  });

  pi.registerCommand('reads', {
    description: 'Show which files the model has read in this session',
    handler: async (_args, ctx) => {
      ctx.ui.notify(formatRecords(recordsOf(ctx.sessionManager.getBranch()), 30), 'info');
    },
  });
}
