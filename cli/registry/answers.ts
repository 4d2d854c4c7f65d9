/** What a registry's answers must look like. A registry may be hostile: nothing in an answer is used before it was checked here. */
import { AGENTS, INTEGRITY_PATTERN, PACKAGE_NAME_PATTERN, SHA256_PATTERN } from '../../schemas/agents.ts';
import type { Me, NewToken, TokenRow, UserRow } from '../../schemas/api/accounts.ts';
import type { PackageDocument } from '../../schemas/api/packages.ts';
import type { ReviewsAnswer, WaiveAnswer } from '../../schemas/api/reviews.ts';
import type { SearchAnswer } from '../../schemas/api/search.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import {
  anything,
  fields,
  flag,
  list,
  nullable,
  oneOf,
  record,
  type Shape,
  text,
  whole,
} from '../../tool-package/shape.ts';

const name = text({ pattern: PACKAGE_NAME_PATTERN, max: 129 });
/** Semver without build metadata, and no number that semver would choke on: a document with another one is refused here, not by a crash later. */
const NUMBER = '(?:0|[1-9][0-9]{0,9})';
const IDENTIFIER = '(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)';
const VERSION_PATTERN = `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)?$`;
const version = text({ pattern: VERSION_PATTERN, max: 64 });
const integrity = text({ pattern: INTEGRITY_PATTERN });
const sha256 = text({ pattern: SHA256_PATTERN });
const agent = oneOf(...AGENTS);
const words = text();
const words256 = text({ min: 1, max: 256 });

const finding = fields(
  {
    rule: words,
    level: oneOf('error', 'review', 'warn', 'info'),
    agent: nullable(agent),
    tool: nullable(words),
    field: nullable(words),
    file: nullable(words),
    line: nullable(whole(1)),
    message: words,
    hint: nullable(words),
  },
  { evidence: sha256 },
);
const waivers = list(
  fields(
    { rule: words, evidence: words, by: words, reason: words },
    { at: words, version: words, message: words, file: nullable(words) },
  ),
);

const state = oneOf('pending', 'listed', 'rejected', 'quarantined');

const packageDocument = fields({
  name,
  description: words,
  owners: list(words),
  tags: record(version),
  versions: list(
    fields({
      version,
      integrity,
      recordDigest: sha256,
      archiveSize: whole(1),
      agents: list(agent),
      tools: list(words),
      dependencies: record(words, name),
      npmDependencies: flag,
      engines: record(words),
      state,
      yanked: nullable(words),
      deprecated: nullable(words),
      publishedAt: nullable(words),
    }),
  ),
});

const tool = fields({
  name: words,
  label: nullable(words),
  description: words,
  promptSnippet: nullable(words),
  promptGuidelines: list(words),
  parameters: record(anything),
  entry: words,
  export: nullable(words),
  flags: fields({ prepareArguments: flag, renderCall: flag, renderResult: flag, defaultActive: flag }),
  definitionHash: sha256,
  tokens: whole(0),
  origin: record(oneOf('evaluated', 'parsed', 'declared')),
});

const agentRecord = fields({ entries: list(words), tools: list(tool) });

const names = list(words256, 100);
const permissions = fields({}, { network: names, read: names, write: names, run: names, env: names }, 'refused');

const manifestRecord = fields({
  formatVersion: oneOf(1),
  name,
  version,
  description: words,
  license: nullable(words),
  keywords: list(words),
  homepage: nullable(words),
  agents: fields({}, { pi: agentRecord, slopcode: agentRecord, opencode: agentRecord }),
  permissions: fields({ declared: permissions, observed: nullable(permissions) }),
  overrides: list(fields({ tool: text({ min: 1, max: 64 }), reason: text({ min: 1, max: 1000 }) }, {}, 'refused')),
  dependencies: fields({ tools: record(words), npm: record(words) }),
  engines: record(words),
  files: list(fields({ path: words, size: whole(0), sha256, executable: flag })),
  archiveSize: whole(1),
  integrity,
  publisher: nullable(words),
  publishedAt: nullable(words),
});

const manifest = fields({
  record: manifestRecord,
  recordDigest: sha256,
  status: fields(
    {
      state,
      stateReason: nullable(words),
      ruleSet: words,
      findings: list(finding),
      waivers,
      tokens: whole(0),
      yanked: nullable(words),
      deprecated: nullable(words),
      advisories: list(words),
    },
    { lapsedWaivers: waivers },
  ),
});

const searchAnswer = fields({
  results: list(fields({ name, version, description: words, tools: list(words), agents: list(agent) })),
  total: whole(0),
  cursor: nullable(words),
});

const role = oneOf('publisher', 'curator', 'administrator');
const scopes = list(oneOf('read', 'publish', 'review', 'admin'));
const me = fields({ user: words, role, scopes });
const userRow = fields({ user: words, role, createdAt: words });
const tokenRow = fields({
  id: words,
  user: words,
  scopes,
  note: nullable(words),
  createdAt: words,
  expires: nullable(words),
});
/** No byte of a token may end a header or draw on a terminal. */
const newToken = fields({
  token: text({ pattern: '^[\\x21-\\x7e]{8,512}$' }),
  id: words,
  scopes,
  expires: nullable(words),
});
const reviewsAnswer = fields({
  reviews: list(
    fields({ package: name, version, state, publisher: nullable(words), findings: list(finding) }, { waivers }),
  ),
  cursor: nullable(words),
});

const waiveAnswer = fields({ manifest, changed: list(words), open: list(finding) });

/** For each kind of answer its check and its type. */
const SHAPES = {
  'package document': packageDocument as Shape & { type?: PackageDocument },
  manifest: manifest as Shape & { type?: Manifest },
  'search answer': searchAnswer as Shape & { type?: SearchAnswer },
  findings: list(finding) as Shape & { type?: Finding[] },
  user: me as Shape & { type?: Me },
  users: list(userRow) as Shape & { type?: UserRow[] },
  tokens: list(tokenRow) as Shape & { type?: TokenRow[] },
  'new token': newToken as Shape & { type?: NewToken },
  'waive answer': waiveAnswer as Shape & { type?: WaiveAnswer },
  reviews: reviewsAnswer as Shape & { type?: ReviewsAnswer },
};

export type AnswerKind = keyof typeof SHAPES;
export type Answer<Kind extends AnswerKind> = NonNullable<(typeof SHAPES)[Kind]['type']>;

/** Null when the value is such an answer, else what is wrong with it. */
export const faultOf = (kind: AnswerKind, value: unknown): string | null => SHAPES[kind](value, '');

/** The value with its type, unknown keys and all. Throws `invalid_answer`. */
export const checkAnswer = <Kind extends AnswerKind>(kind: Kind, value: unknown, origin: string): Answer<Kind> => {
  const fault = faultOf(kind, value);
  if (fault === null) return value as Answer<Kind>;
  throw invalidAnswer(origin, `its ${kind} makes no sense: ${fault}`);
};

/** An answer that no registry gives. */
export const invalidAnswer = (origin: string, what: string): Problem =>
  new Problem('invalid_answer', `the registry \`${origin}\`: ${what}`, {
    hint: 'is this the URL of a pi-tools registry? nothing was changed',
    details: { registry: origin },
  });
