/** The rows, as kysely sees them. Columns that hold JSON are `string` here; the file that owns a table parses them. */
import type { Generated, Kysely, Selectable, Transaction } from 'kysely';
import type { Role } from '../../schemas/api/accounts.ts';
import type { ListingState } from '../../schemas/manifest.ts';

type UsersTable = { name: string; role: Role; created_at: string; removed_at: string | null };

type TokensTable = {
  id: string;
  /** sha256 (hex) of the token: the token itself is stored nowhere. */
  hash: string;
  user: string;
  scopes: string;
  note: string | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
};

type PackagesTable = {
  id: Generated<number>;
  name: string;
  skeleton: string;
  /** Raised in the same transaction as any change of the package: prepared answers are keyed by it. */
  revision: number;
  created_at: string;
  /** The version that search shows; null while nothing is listed. */
  latest: string | null;
  description: string;
  agents: string;
  tools: string;
};

type OwnersTable = { package_id: number; user: string; added_at: string };

type VersionsTable = {
  id: Generated<number>;
  package_id: number;
  version: string;
  integrity: string;
  /** The archive's blob. */
  sha512: string;
  archive_size: number;
  /** The record in its canonical form (RFC 8785), never changed. */
  record: string;
  record_digest: string;
  /** What the package document needs of the record, so that it need not parse records. */
  summary: string;
  readme: string | null;
  publisher: string;
  published_at: string;
  /** The tag that this version gets when it is listed. */
  publish_tag: string | null;
  state: ListingState;
  state_reason: string | null;
  rule_set: string;
  findings: string;
  /** Waivers of the package that concern these findings: those that hold, and earlier ones of the same rules. */
  waivers: string;
  /** Error and review findings that no waiver holds for. */
  open_findings: number;
  tokens: number;
  yanked: string | null;
  deprecated: string | null;
};

type WaiversTable = {
  id: Generated<number>;
  package_id: number;
  rule: string;
  /** A finding's: it says what the waiver holds for. */
  evidence: string;
  /** Where it was given. */
  version: string;
  message: string;
  file: string | null;
  user: string;
  /** 1: it also holds for versions that this user publishes. */
  by_administrator: number;
  reason: string;
  at: string;
};

type TagsTable = { package_id: number; tag: string; version: string };

type EventsTable = {
  id: Generated<number>;
  at: string;
  actor: string;
  kind: string;
  package: string | null;
  version: string | null;
  detail: string;
};

type JobsTable = {
  id: string;
  kind: string;
  payload: string;
  due_at: number;
  lease_until: number | null;
  lease_holder: string | null;
  attempts: Generated<number>;
};

export type Tables = {
  users: UsersTable;
  tokens: TokensTable;
  packages: PackagesTable;
  owners: OwnersTable;
  versions: VersionsTable;
  waivers: WaiversTable;
  tags: TagsTable;
  events: EventsTable;
  jobs: JobsTable;
};

export type PackageRow = Selectable<PackagesTable>;
export type VersionRow = Selectable<VersionsTable>;
export type WaiverRow = Selectable<WaiversTable>;
export type EventRow = Selectable<EventsTable>;

/** Reads outside a transaction; this connection cannot write (`query_only`). */
export type Reader = Kysely<Tables>;
/** Inside a write transaction. */
export type Trx = Transaction<Tables>;
