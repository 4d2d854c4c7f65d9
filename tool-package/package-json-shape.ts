/** schemas/package-json.ts by hand: what passes here needs no typebox. Never laxer than the schema. */
import { PACKAGE_NAME_PATTERN } from '../schemas/agents.ts';
import { anything, fields, flag, list, record, text } from './shape.ts';

const paths = list(text({ min: 1, max: 200 }), 100);
const names = list(text({ min: 1, max: 256 }), 100);
const stringMap = record(text({ max: 1024 }));
const toolName = text({ min: 1, max: 64 });

const example = fields(
  { tool: toolName, args: record(anything) },
  { files: record(text({ max: 20_000 })), continues: flag },
  'refused',
);

const piToolsKey = fields(
  {},
  {
    permissions: fields({}, { network: names, read: names, write: names, run: names, env: names }, 'refused'),
    overrides: list(fields({ tool: toolName, reason: text({ min: 1, max: 1000 }) }, {}, 'refused'), 100),
    dependencies: record(text({ max: 256 })),
    examples: list(example, 100),
  },
  'refused',
);

/** Null when the value fits. */
export const packageJsonShape = fields(
  { name: text({ pattern: PACKAGE_NAME_PATTERN, max: 129 }), version: text({ min: 5, max: 64 }) },
  {
    description: text({ max: 10_000 }),
    license: text({ max: 256 }),
    keywords: list(text({ max: 64 }), 50),
    homepage: text({ max: 2048 }),
    private: flag,
    pi: fields({}, { extensions: paths }),
    slopcode: fields({ tools: paths }),
    opencode: fields({ tools: paths }),
    piTools: piToolsKey,
    engines: stringMap,
    scripts: stringMap,
    dependencies: stringMap,
    peerDependencies: stringMap,
    optionalDependencies: stringMap,
  },
);
