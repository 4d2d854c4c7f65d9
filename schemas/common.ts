/** Building blocks that several schemas share. Patterns here are the one rule for names and versions everywhere. */
import { type Static, Type } from 'typebox';

/** A package name: `weather` or `@team/weather`; each part [a-z0-9] with single inner hyphens. Length is checked in tool-package/name.ts. */
export const PACKAGE_NAME_PATTERN = '^(?:@[a-z0-9]+(?:-[a-z0-9]+)*/)?[a-z0-9]+(?:-[a-z0-9]+)*$';
export const INTEGRITY_PATTERN = '^sha512-[A-Za-z0-9+/]{86}==$';
export const SHA256_PATTERN = '^[0-9a-f]{64}$';

export const PackageName = Type.String({ pattern: PACKAGE_NAME_PATTERN, maxLength: 129 });
export const Version = Type.String({ minLength: 5, maxLength: 64 });
export const Integrity = Type.String({ pattern: INTEGRITY_PATTERN });
export const Sha256 = Type.String({ pattern: SHA256_PATTERN });

export const AGENTS = ['pi', 'slopcode', 'opencode'] as const;
export type Agent = (typeof AGENTS)[number];
export const AgentSchema = Type.Union([Type.Literal('pi'), Type.Literal('slopcode'), Type.Literal('opencode')]);

export const SCOPES = ['user', 'project'] as const;
export type Scope = (typeof SCOPES)[number];
/** One agent in one scope. */
export type Target = `${Agent}/${Scope}`;

/** Level of a finding: error refuses, review waits for a curator, warn and info are told. */
export const LevelSchema = Type.Union([
  Type.Literal('error'),
  Type.Literal('review'),
  Type.Literal('warn'),
  Type.Literal('info'),
]);
export type Level = Static<typeof LevelSchema>;
