import { z } from 'zod';
import { ask, locate } from '../query.ts';
import { openReadOnly } from '../sqlite.ts';

interface Arguments {
  file: string;
  query: string;
  params?: (string | number | boolean | null)[];
  limit?: number;
}

export default {
  description:
    'Query a SQLite database file of the project with one SQL statement. Read-only. The answer is JSON: columns, rows, and more = true when rows were left out.',
  args: {
    file: z.string().min(1).describe('Path of the database file, relative to the working folder and inside it'),
    query: z.string().min(1).describe('One reading SQL statement; write ? for each value that comes from params'),
    params: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .optional()
      .describe('Values for the ? of the query, in order'),
    limit: z.number().int().min(1).max(1000).default(100).describe('Highest number of rows (default: 100)'),
  },
  async execute(args: Arguments, context: { directory: string }): Promise<string> {
    const connection = await openReadOnly(await locate(context.directory, args.file));
    try {
      return ask(connection, { query: args.query, params: args.params ?? [], limit: args.limit ?? 100 });
    } finally {
      connection.close();
    }
  },
};
