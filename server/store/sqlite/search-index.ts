/**
 * The full-text index: FTS5, one row per package that has a listed version. It is derived from the versions, so it has a
 * format number instead of migrations: another number, and it is built anew.
 */
import type { Connection } from './connection.ts';
import { nameWords, spacedWords, unspacedTokens } from './search-text.ts';

/** Raise it with every change of the columns, of `search-text.ts`, or of what goes into a column. */
const FORMAT = 1;
/** A README beyond this adds nothing that a search should find. */
const README_CHARACTERS = 65_536;

export type SearchDocument = {
  readonly name: string;
  readonly tools: readonly string[];
  readonly keywords: readonly string[];
  readonly descriptions: readonly string[];
  readonly readme: string;
};

/** One statement, for whoever holds the transaction. */
export type IndexStatement = { readonly sql: string; readonly parameters: readonly unknown[] };

export const isSearchIndexCurrent = (connection: Connection): boolean => {
  const found = connection.prepare("select 1 from sqlite_schema where name = 'search_format'").pluck().get();
  return found !== undefined && connection.prepare('select format from search_format').pluck().get() === FORMAT;
};

/** Makes the index anew, from the documents that `search_source` kept. Call inside the migration's transaction. */
export const createSearchIndex = (connection: Connection): void => {
  connection.exec(`
    drop table if exists search_words;
    drop table if exists search_terms;
    drop table if exists search_text;
    drop table if exists search_format;
    create table if not exists search_source (package_id integer primary key, document text not null) strict;
    create virtual table search_text using fts5 (
      name, tools, keywords, description, readme, unspaced, unspaced_readme,
      tokenize = 'unicode61 remove_diacritics 0'
    );
    create virtual table search_words using fts5vocab (search_text, row);
    create table search_terms (term text primary key) strict, without rowid;
    create table search_format (format integer not null) strict;
    insert into search_format values (${FORMAT});
  `);
  const rows = connection.prepare('select package_id, document from search_source').all();
  for (const row of rows as { package_id: number; document: string }[]) {
    for (const { sql, parameters } of insertStatements(row.package_id, JSON.parse(row.document) as SearchDocument)) {
      connection.prepare(sql).run(...parameters);
    }
  }
};

/** What to run so that the package is found by `document`; null takes it out of the index. */
export const indexStatements = (packageId: number, document: SearchDocument | null): IndexStatement[] => {
  const remove = [
    { sql: 'delete from search_text where rowid = ?', parameters: [packageId] },
    { sql: 'delete from search_source where package_id = ?', parameters: [packageId] },
  ];
  if (document === null) return remove;
  return [
    ...remove,
    {
      sql: 'insert into search_source (package_id, document) values (?, ?)',
      parameters: [packageId, JSON.stringify(document)],
    },
    ...insertStatements(packageId, document),
  ];
};

const insertStatements = (packageId: number, document: SearchDocument): IndexStatement[] => {
  const readme = document.readme.slice(0, README_CHARACTERS);
  const short = [...document.keywords, ...document.descriptions].join('\n');
  const spaced = [
    nameWords(document.name),
    document.tools.flatMap(nameWords),
    document.keywords.flatMap(spacedWords),
    document.descriptions.flatMap(spacedWords),
    spacedWords(readme),
  ];
  return [
    {
      sql: `insert into search_text (rowid, name, tools, keywords, description, readme, unspaced, unspaced_readme)
            values (?, ?, ?, ?, ?, ?, ?, ?)`,
      parameters: [
        packageId,
        ...spaced.map((words) => words.join(' ')),
        unspacedTokens(short).join(' '),
        unspacedTokens(readme).join(' '),
      ],
    },
    {
      // For typos: FTS5's own vocabulary counts every occurrence of each word that it is asked for. Words that are gone
      // stay here, and then match nothing.
      sql: 'insert or ignore into search_terms (term) select value from json_each(?)',
      parameters: [JSON.stringify([...new Set(spaced.flat())])],
    },
  ];
};
