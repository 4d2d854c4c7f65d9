/**
 * `pi-tools.lock.json`: exactly what is installed below one root. Sorted, no times, the same bytes on every machine.
 * A root is a project folder, or an agent's own folder for user scope.
 */
import { type Static, Type } from 'typebox';
import { Integrity, PackageName, Sha256, Version } from './common.ts';

/** A path relative to the root -> sha256. */
const FileHashes = Type.Record(Type.String(), Sha256);

export const LockedTarget = Type.Object(
  {
    /** The package's versioned folder, relative to the root. */
    folder: Type.String(),
    /** Tool names that this target gives. */
    tools: Type.Array(Type.String()),
    /** Estimated cost of these tools' definitions in every request to the model. */
    tokens: Type.Integer({ minimum: 0 }),
    /** The package as published. */
    files: FileHashes,
    /** What pi-tools made: the generated package.json, entries, host packages. */
    generated: Type.Record(Type.String(), Type.Object({ sha256: Sha256, format: Type.Integer({ minimum: 1 }) })),
    /** Names that pi-tools added to `allowedTools`: settings file relative to the root -> names. Project scope only; user files are in state.json. */
    settings: Type.Record(Type.String(), Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
export type LockedTarget = Static<typeof LockedTarget>;

export const LockedPackage = Type.Object(
  {
    version: Version,
    integrity: Integrity,
    /** Null for a package installed from a path. */
    recordDigest: Type.Union([Sha256, Type.Null()]),
    /** Origin of the registry, `embedded`, or `file:<path>`. */
    registry: Type.String(),
    /** The wanted range; user scope only (project scope has pi-tools.json). */
    wanted: Type.Optional(Type.String()),
    /** Other tool packages it asked for. */
    dependencies: Type.Record(PackageName, Type.String()),
    /** Overrides of built-ins that were consented to. */
    overrides: Type.Array(Type.String()),
    permissions: Type.Record(Type.String(), Type.Array(Type.String())),
    /** `pi/user`, `slopcode/project` … */
    targets: Type.Record(Type.String(), LockedTarget),
  },
  { additionalProperties: false },
);
export type LockedPackage = Static<typeof LockedPackage>;

export const Lockfile = Type.Object(
  { lockfileVersion: Type.Literal(1), packages: Type.Record(PackageName, LockedPackage) },
  { additionalProperties: false },
);
export type Lockfile = Static<typeof Lockfile>;
