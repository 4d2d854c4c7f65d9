/** The archive's own scripts, for `import(path)` and `createRequire(…)(path)` with a path that the code makes up. */

type Table<Result> = Readonly<Record<string, () => Result>>;
type Load<Result> = () => Result;

const imports = new Map<string, Load<Promise<object>>>();
const requires = new Map<string, Load<unknown>>();
const ENDINGS = ['', '.ts', '.js', '.mjs', '.cjs', '.tsx', '.json', '/index.ts', '/index.js'];

/** By their paths in the sandbox. */
export function provideOwnFiles(importing: Table<Promise<object>>, requiring: Table<unknown>): void {
  for (const [path, load] of Object.entries(importing)) imports.set(path, load);
  for (const [path, load] of Object.entries(requiring)) requires.set(path, load);
}

function find<Result>(table: ReadonlyMap<string, Load<Result>>, path: string): Load<Result> | undefined {
  const plain = path.replace(/[?#].*$/, '');
  const found = [...ENDINGS.map((ending) => plain + ending), plain.replace(/\.js$/, '.ts')].find((each) =>
    table.has(each),
  );
  return found === undefined ? undefined : table.get(found);
}

export const findImport = (path: string): Load<Promise<object>> | undefined => find(imports, path);
export const findRequire = (path: string): Load<unknown> | undefined => find(requires, path);
