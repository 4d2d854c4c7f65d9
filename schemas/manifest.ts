/** What the registry derives from an archive (record, never changes) and keeps about it (status, changes). */
import { type Static, Type } from 'typebox';
import { Integrity, PackageName, Sha256, Version } from './common.ts';
import { Finding } from './finding.ts';
import { Override, Permissions } from './package-json.ts';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

/** Where a field was read: by evaluating the entry, by a parse of the source, or from package.json. */
export const Origin = Type.Union([Type.Literal('evaluated'), Type.Literal('parsed'), Type.Literal('declared')]);
export type Origin = Static<typeof Origin>;

export const Tool = Type.Object({
  /** Final name, as the model sees it. */
  name: Type.String(),
  label: Nullable(Type.String()),
  description: Type.String(),
  promptSnippet: Nullable(Type.String()),
  promptGuidelines: Type.Array(Type.String()),
  /** JSON Schema of the arguments. */
  parameters: Type.Record(Type.String(), Type.Unknown()),
  /** The entry (plain path in the package) that registers it; for SlopCode and opencode also the export. */
  entry: Type.String(),
  export: Nullable(Type.String()),
  flags: Type.Object({
    prepareArguments: Type.Boolean(),
    renderCall: Type.Boolean(),
    renderResult: Type.Boolean(),
    /** false: pi offers the tool only when `defaultTools` names it. */
    defaultActive: Type.Boolean(),
  }),
  /** sha256 (hex) over the canonical form of name, description, promptSnippet, promptGuidelines, parameters. */
  definitionHash: Sha256,
  /** Estimated cost of the definition in tokens (o200k_base). */
  tokens: Type.Integer({ minimum: 0 }),
  origin: Type.Record(Type.String(), Origin),
});
export type Tool = Static<typeof Tool>;

/** `entries`: plain file paths inside the package, without `./`, sorted as the agent loads them. */
export const AgentRecord = Type.Object({ entries: Type.Array(Type.String()), tools: Type.Array(Tool) });
export type AgentRecord = Static<typeof AgentRecord>;

const PackageFile = Type.Object({
  /** Path inside the package, without the leading `package/`. */
  path: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
  executable: Type.Boolean(),
});
export type PackageFile = Static<typeof PackageFile>;

export const ManifestRecord = Type.Object({
  formatVersion: Type.Literal(1),
  name: PackageName,
  version: Version,
  description: Type.String(),
  license: Nullable(Type.String()),
  keywords: Type.Array(Type.String()),
  homepage: Nullable(Type.String()),
  agents: Type.Object({
    pi: Type.Optional(AgentRecord),
    slopcode: Type.Optional(AgentRecord),
    opencode: Type.Optional(AgentRecord),
  }),
  permissions: Type.Object({ declared: Permissions, observed: Nullable(Permissions) }),
  overrides: Type.Array(Override),
  dependencies: Type.Object({
    /** Other tool packages: name -> range. */
    tools: Type.Record(Type.String(), Type.String()),
    /** npm packages: name -> range as declared (pinned by npm-shrinkwrap.json). */
    npm: Type.Record(Type.String(), Type.String()),
  }),
  engines: Type.Record(Type.String(), Type.String()),
  files: Type.Array(PackageFile),
  /** Bytes of the archive. */
  archiveSize: Type.Integer({ minimum: 1 }),
  integrity: Integrity,
  /** Null until a registry has taken it. */
  publisher: Nullable(Type.String()),
  /** RFC 3339, UTC; null until a registry has taken it. */
  publishedAt: Nullable(Type.String()),
});
export type ManifestRecord = Static<typeof ManifestRecord>;

export const ListingState = Type.Union([
  Type.Literal('pending'),
  Type.Literal('listed'),
  Type.Literal('rejected'),
  Type.Literal('quarantined'),
]);
export type ListingState = Static<typeof ListingState>;

/** A curator's word that a finding is acceptable. It holds wherever the evidence is the same: also in later versions. */
export const Waiver = Type.Object({
  rule: Type.String(),
  /** That of the finding. */
  evidence: Type.String(),
  by: Type.String(),
  reason: Type.String(),
  /** RFC 3339, UTC. */
  at: Type.Optional(Type.String()),
  /** Where it was given. */
  version: Type.Optional(Type.String()),
  /** Of the finding that it was given for. */
  message: Type.Optional(Type.String()),
  file: Type.Optional(Nullable(Type.String())),
});
export type Waiver = Static<typeof Waiver>;

export const ManifestStatus = Type.Object({
  state: ListingState,
  /** Why a curator rejected or quarantined it. */
  stateReason: Nullable(Type.String()),
  ruleSet: Type.String(),
  findings: Type.Array(Finding),
  /** Those that hold for findings of this version. */
  waivers: Type.Array(Waiver),
  /** Waivers of rules that this version has findings of, given for other evidence: they hold no longer, or not here. */
  lapsedWaivers: Type.Optional(Type.Array(Waiver)),
  /** Sum over the tools of all agents, each tool definition once. */
  tokens: Type.Integer({ minimum: 0 }),
  yanked: Nullable(Type.String()),
  deprecated: Nullable(Type.String()),
  advisories: Type.Array(Type.String()),
});
export type ManifestStatus = Static<typeof ManifestStatus>;

export const Manifest = Type.Object({
  record: ManifestRecord,
  /** sha256 (hex) of the record's canonical form (RFC 8785). */
  recordDigest: Sha256,
  status: ManifestStatus,
});
export type Manifest = Static<typeof Manifest>;
