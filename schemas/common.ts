/** Building blocks that several schemas share. Patterns here are the one rule for names and versions everywhere. */
import { type Static, Type } from 'typebox';
import { INTEGRITY_PATTERN, PACKAGE_NAME_PATTERN, SHA256_PATTERN } from './agents.ts';

export * from './agents.ts';

export const PackageName = Type.String({ pattern: PACKAGE_NAME_PATTERN, maxLength: 129 });
export const Version = Type.String({ minLength: 5, maxLength: 64 });
export const Integrity = Type.String({ pattern: INTEGRITY_PATTERN });
export const Sha256 = Type.String({ pattern: SHA256_PATTERN });

export const AgentSchema = Type.Union([Type.Literal('pi'), Type.Literal('slopcode'), Type.Literal('opencode')]);

/** Level of a finding: error refuses, review waits for a curator, warn and info are told. */
export const LevelSchema = Type.Union([
  Type.Literal('error'),
  Type.Literal('review'),
  Type.Literal('warn'),
  Type.Literal('info'),
]);
export type Level = Static<typeof LevelSchema>;
