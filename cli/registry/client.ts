/** What the CLI asks of a registry, the same over HTTP and in process. */

import type { Me, NewToken, TokenRow, UserRow } from '../../schemas/api/accounts.ts';
import type { PackageDocument } from '../../schemas/api/packages.ts';
import type { Review } from '../../schemas/api/reviews.ts';
import type { SearchAnswer } from '../../schemas/api/search.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';

export type PublishResult = {
  status: 'listed' | 'pending' | 'identical';
  manifest: Manifest;
  findings: Finding[];
  hint: string | null;
};

export type SearchQuery = { text: string; agent?: string; limit?: number; cursor?: string };

export type JsonRequest = { method: 'GET' | 'PUT' | 'POST' | 'DELETE'; path: string; body?: unknown };

/**
 * One registry. Every answer was checked: types, sizes, and that it speaks of the package that was asked for.
 * All methods throw Problems: what the registry said (with its code), `registry_unreachable`, `offline`,
 * `invalid_answer` for an answer that no registry of ours gives.
 */
export type RegistryClient = {
  /** `embedded`, or the URL's origin and base path without a final slash. */
  readonly origin: string;
  /** Undefined where the registry has no such package. */
  findPackage(name: string): Promise<PackageDocument | undefined>;
  /** Throws `version_not_found`. */
  getManifest(name: string, version: string): Promise<Manifest>;
  /** The archive's bytes, from the cache where they are there; always verified against `integrity`. Throws `integrity_mismatch`. */
  getArchive(name: string, version: string, integrity: string): Promise<Buffer>;
  search(query: SearchQuery): Promise<SearchAnswer>;
  /** A repeat with the same bytes is `identical`. */
  publish(archive: Uint8Array, options?: { tag?: string }): Promise<PublishResult>;
  getMe(): Promise<Me>;
  listTokens(): Promise<TokenRow[]>;
  createToken(body: { scopes?: string[]; note?: string; expires?: string; user?: string }): Promise<NewToken>;
  listUsers(): Promise<UserRow[]>;
  /** In a state, by default `pending`; `open`: only those with findings that nobody has decided on. */
  listReviews(filter?: { state?: string; open?: true }): Promise<Review[]>;
  /** Any other JSON request; the answer is only known to be an object. A path begins with `/v1/`. */
  request(request: JsonRequest): Promise<Readonly<Record<string, unknown>>>;
  /** Ends idle connections, or closes the embedded registry. */
  close(): Promise<void>;
};
