/** `GET /v1/packages/:name`: compact, what a resolver needs. */
import { type Static, Type } from 'typebox';
import { AgentSchema, Integrity, PackageName, Sha256, Version } from '../common.ts';
import { ListingState } from '../manifest.ts';

const Text = Type.Union([Type.String(), Type.Null()]);

export const PackageVersion = Type.Object({
  version: Version,
  integrity: Integrity,
  recordDigest: Sha256,
  archiveSize: Type.Integer({ minimum: 1 }),
  agents: Type.Array(AgentSchema),
  /** Tool names over all agents, sorted, each once. */
  tools: Type.Array(Type.String()),
  dependencies: Type.Record(PackageName, Type.String()),
  npmDependencies: Type.Boolean(),
  engines: Type.Record(Type.String(), Type.String()),
  state: ListingState,
  yanked: Text,
  deprecated: Text,
  publishedAt: Text,
});
export type PackageVersion = Static<typeof PackageVersion>;

export const PackageDocument = Type.Object({
  name: PackageName,
  description: Type.String(),
  owners: Type.Array(Type.String()),
  /** `latest` is the highest listed stable version (the highest pre-release when there is no stable one). */
  tags: Type.Record(Type.String(), Version),
  /** Ascending by precedence. */
  versions: Type.Array(PackageVersion),
});
export type PackageDocument = Static<typeof PackageDocument>;

export const PublishAnswer = Type.Object({
  status: Type.Union([Type.Literal('listed'), Type.Literal('pending'), Type.Literal('identical')]),
  manifest: Type.Unknown(),
  /** Present when pending: what a curator has to look at and the command that approves. */
  hint: Type.Optional(Type.String()),
});
