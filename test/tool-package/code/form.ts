/** One tool, as small as it can be: the body of `execute`, and what stands above it. */
import type { Permissions } from '../../../schemas/package-json.ts';

export type Form = { label: string; permissions: Permissions; body: string; top?: string };

const IMPORTS = [
  "import { execFile, exec, spawn } from 'node:child_process';",
  "import fs from 'node:fs';",
  "import { readFile, writeFile } from 'node:fs/promises';",
  "import os from 'node:os';",
  "import path from 'node:path';",
  "import dns from 'node:dns/promises';",
  "import http2 from 'node:http2';",
];

/** The source of the tool. */
export const sourceOf = ({ body, top }: Form): string =>
  [
    ...IMPORTS,
    top ?? '',
    'export default function (pi) {',
    "  pi.registerTool({ name: 't', parameters: {}, async execute(_id, params, signal, _update, ctx) {",
    body,
    '  } });',
    '}',
  ].join('\n');
