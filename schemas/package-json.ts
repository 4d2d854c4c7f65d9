/** What an author writes: the keys of `package.json` that pi-tools reads. Unknown keys are npm's or the author's and are left alone. */
import { type Static, Type } from 'typebox';
import { PackageName, Version } from './common.ts';

const Paths = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 });
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 100 });
const StringMap = Type.Record(Type.String(), Type.String({ maxLength: 1024 }));

/** What the code may do: hosts, paths, programs and environment variables; `*` is a wildcard. */
export const Permissions = Type.Object(
  {
    network: Type.Optional(Names),
    read: Type.Optional(Names),
    write: Type.Optional(Names),
    run: Type.Optional(Names),
    env: Type.Optional(Names),
  },
  { additionalProperties: false },
);
export type Permissions = Static<typeof Permissions>;

export const Override = Type.Object(
  { tool: Type.String({ minLength: 1, maxLength: 64 }), reason: Type.String({ minLength: 1, maxLength: 1000 }) },
  { additionalProperties: false },
);

/** A call to show what a tool does, and for `try`: in a folder with these files, or in the session of the example before. */
const Example = Type.Object(
  {
    tool: Type.String({ minLength: 1, maxLength: 64 }),
    args: Type.Record(Type.String(), Type.Unknown()),
    files: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 20_000 }))),
    continues: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const PiToolsKey = Type.Object(
  {
    permissions: Type.Optional(Permissions),
    overrides: Type.Optional(Type.Array(Override, { maxItems: 100 })),
    dependencies: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 256 }))),
    examples: Type.Optional(Type.Array(Example, { maxItems: 100 })),
  },
  { additionalProperties: false },
);

export const PackageJson = Type.Object({
  name: PackageName,
  version: Version,
  description: Type.Optional(Type.String({ maxLength: 10_000 })),
  license: Type.Optional(Type.String({ maxLength: 256 })),
  keywords: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 })),
  homepage: Type.Optional(Type.String({ maxLength: 2048 })),
  private: Type.Optional(Type.Boolean()),
  pi: Type.Optional(Type.Object({ extensions: Type.Optional(Paths) })),
  slopcode: Type.Optional(Type.Object({ tools: Paths })),
  opencode: Type.Optional(Type.Object({ tools: Paths })),
  piTools: Type.Optional(PiToolsKey),
  engines: Type.Optional(StringMap),
  scripts: Type.Optional(StringMap),
  dependencies: Type.Optional(StringMap),
  peerDependencies: Type.Optional(StringMap),
  optionalDependencies: Type.Optional(StringMap),
});
export type PackageJson = Static<typeof PackageJson>;
