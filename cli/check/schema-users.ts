/** Who else uses a constant that a module exports: only where every use is seen can it be changed. */
import { child, type Node, walk } from '../../tool-package/source/node.ts';
import { findModule, type Program } from '../../tool-package/source/program.ts';
import type { Binding } from '../../tool-package/source/scopes.ts';

/** The references in all other files; null where not every use can be seen. Empty for what is not exported. */
export const usesElsewhere = (binding: Binding, whole: Program): Node[] | null => {
  const names = [...(whole.exports.get(binding.file) ?? [])].flatMap(([name, entries]) =>
    entries.some((entry) => entry.kind === 'binding' && entry.binding === binding) ? [name] : [],
  );
  if (names.length === 0) return [];
  if (isHandedOn(binding.file, names, whole) || hasHiddenImports(binding.file, whole)) return null;
  const users = [...new Set(whole.bindings.values())].filter(({ definitions, file }) =>
    definitions.some(
      (one) =>
        one.kind === 'import' &&
        findModule(whole, file, one.source) === binding.file &&
        (one.imported === '*' || names.includes(one.imported)),
    ),
  );
  const isWhole = users.some(({ definitions }) =>
    definitions.some((one) => one.kind === 'import' && one.imported === '*'),
  );
  return isWhole ? null : users.flatMap(({ references }) => references);
};

/** `export { unit } from './units.ts'`, `export * from './units.ts'`. */
const isHandedOn = (file: string, names: readonly string[], whole: Program): boolean =>
  [...whole.exports].some(([other, exported]) =>
    [...exported.values()]
      .flat()
      .some(
        (entry) =>
          entry.kind === 'from' &&
          findModule(whole, other, entry.source) === file &&
          (entry.name === '*' || names.includes(entry.name)),
      ),
  );

/** `import('./units.ts')` and `require('./units.ts')` give all that a module exports to whoever holds the answer. */
const hasHiddenImports = (file: string, whole: Program): boolean =>
  [...whole.files].some(([other, { program }]) => other !== file && hasDynamicImport(program));

const hasDynamicImport = (program: Node): boolean => {
  let found = false;
  walk(program, (node) => {
    const callee = node.type === 'CallExpression' ? child(node, 'callee') : null;
    if (node.type === 'ImportExpression' || callee?.type === 'Import' || callee?.name === 'require') found = true;
    return !found;
  });
  return found;
};
