/** Who may import what: DESIGN.md section 3. test/boundaries.test.ts plants a violation of each kind. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `^${from}/`, pathNot: '\\.test\\.ts$' },
  to: {
    path: '^(schemas|tool-package|server|cli|migrations|catalog|bench|test)/',
    pathNot: `^(${allowed.join('|')})/`,
  },
});

module.exports = {
  forbidden: [
    only('schemas-is-a-leaf', 'schemas', ['schemas'], 'schemas imports typebox only'),
    {
      name: 'schemas-typebox-only',
      severity: 'error',
      from: { path: '^schemas/' },
      to: { pathNot: '^schemas/|^node_modules/typebox/', dependencyTypesNot: ['type-only'] },
    },
    only('tool-package-imports', 'tool-package', ['schemas', 'tool-package'], 'bytes and strings in, values out'),
    {
      name: 'tool-package-no-network-no-database',
      severity: 'error',
      from: { path: '^tool-package/' },
      to: {
        path: '^(node:)?(http|https|net|tls|dgram)$|node_modules/(undici|fastify|better-sqlite3|kysely|commander|@clack)/',
      },
    },
    only('migrations-imports', 'migrations', ['migrations'], 'a migration never changes with the code around it'),
    only('catalog-imports', 'catalog', ['catalog'], 'the catalog is written as any author would'),
    only(
      'server-imports',
      'server',
      ['schemas', 'tool-package', 'migrations', 'server'],
      'the registry knows no client',
    ),
    {
      name: 'cli-to-server-only-in-two-places',
      severity: 'error',
      from: { path: '^cli/', pathNot: '^cli/registry/embedded\\.ts$|^cli/host/' },
      to: { path: '^server/' },
    },
    {
      name: 'cli-to-server-lazily',
      comment: 'a CLI that talks to a registry works where better-sqlite3 could not be built',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^server/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'routes-hold-no-rules',
      comment: 'routes -> registry (reads may go to store); never SQL',
      severity: 'error',
      from: { path: '^server/(routes|plugins)/' },
      to: {
        path: '^server/(jobs|blobs|store/sqlite)/|node_modules/(kysely|better-sqlite3)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sql-in-store-only',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(store/|deps\\.ts$)' },
      to: { path: 'node_modules/(kysely|better-sqlite3)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'registry-below-routes',
      severity: 'error',
      from: { path: '^server/(registry|store|blobs)/' },
      to: { path: '^server/(routes|plugins|jobs|app\\.ts|main\\.ts)' },
    },
    {
      name: 'store-and-blobs-are-the-bottom',
      severity: 'error',
      from: { path: '^server/(store|blobs)/' },
      to: { path: '^server/registry/' },
    },
    {
      name: 'only-commands-and-main-talk',
      severity: 'error',
      from: { path: '^cli/(install|resolve|registry|agents|state)/' },
      to: {
        path: '^cli/(terminal|commands)/',
        pathNot: '^cli/terminal/escape\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'resolve-is-pure',
      severity: 'error',
      from: { path: '^cli/resolve/' },
      to: { path: '^cli/(?!resolve/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-unresolved', severity: 'error', from: { pathNot: '^catalog/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/|^(test|catalog)/.*fixtures/' },
    tsPreCompilationDeps: 'specify',
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
