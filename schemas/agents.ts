/** The closed word lists that hot paths need. Imports nothing: loading typebox costs more than the whole of `list`. */

export const AGENTS = ['pi', 'slopcode', 'opencode'] as const;
export type Agent = (typeof AGENTS)[number];

export const SCOPES = ['user', 'project'] as const;
export type Scope = (typeof SCOPES)[number];

/** One agent in one scope. */
export type Target = `${Agent}/${Scope}`;

/** A package name: `weather` or `@team/weather`; each part [a-z0-9] with single inner hyphens. Length is checked in tool-package/name.ts. */
export const PACKAGE_NAME_PATTERN = '^(?:@[a-z0-9]+(?:-[a-z0-9]+)*/)?[a-z0-9]+(?:-[a-z0-9]+)*$';
export const INTEGRITY_PATTERN = '^sha512-[A-Za-z0-9+/]{86}==$';
export const SHA256_PATTERN = '^[0-9a-f]{64}$';
