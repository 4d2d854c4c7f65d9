import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { scratchFolders } from '../../test/support/agents/scratch.ts';
import { callSlopcodeTool, loadSlopcodeTools } from '../../tool-package/run/index.ts';
import { ask, type Connection, locate } from './query.ts';

const scratch = scratchFolders();
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const hasSqlite = major > 22 || (major === 22 && minor >= 16);

function makeDatabase(): { folder: string; file: string } {
  const folder = scratch();
  const file = join(folder, 'app.db');
  const database = new Sqlite(file);
  database.exec(`
    create table users (id integer primary key, name text, city text, photo blob);
    insert into users values (1, 'Ann', 'Oslo', x'0102'), (2, 'Алсу', 'Казань', null), (3, '小明', '北京', null);
    create table big (n integer);
    insert into big values (9007199254740993), (7);
    create table many (t text);
    with recursive n(i) as (values (1) union all select i + 1 from n where i < 5000)
      insert into many select printf('%0100d', i) from n;`);
  database.close();
  return { folder, file };
}

/** A real SQLite connection of another library: what the questions and answers are made of does not depend on the host. */
function connect(file: string): Connection {
  const database = new Sqlite(file, { readonly: true });
  return {
    run: (sql, params) => {
      const statement = database.prepare(sql).safeIntegers();
      const columns = statement.columns().map((column) => column.name);
      return { columns, rows: statement.iterate(...params) as Iterable<Record<string, unknown>> };
    },
    close: () => database.close(),
  };
}

function askFile(query: string, params: (string | number | boolean | null)[] = [], limit = 100) {
  const connection = connect(makeDatabase().file);
  try {
    return JSON.parse(ask(connection, { query, params, limit }));
  } finally {
    connection.close();
  }
}

describe('questions', () => {
  test('columns and rows', () => {
    expect(askFile('select id, name from users order by id')).toEqual({
      columns: ['id', 'name'],
      rows: [
        [1, 'Ann'],
        [2, 'Алсу'],
        [3, '小明'],
      ],
      more: false,
    });
  });

  test('values are bound, not pasted', () => {
    const injection = "x' or '1'='1";
    expect(askFile('select id from users where name = ?', [injection]).rows).toEqual([]);
    expect(askFile('select ? as text, ? as truth, ? as missing', [injection, true, null]).rows).toEqual([
      [injection, 1, null],
    ]);
  });

  test('no rows still have columns', () => {
    expect(askFile('select id, name from users where false')).toEqual({
      columns: ['id', 'name'],
      rows: [],
      more: false,
    });
  });

  test('two columns of one name are both there', () => {
    const query = 'select a.id, b.id from users a join users b on b.id = a.id + 1 order by a.id desc -- twice\n;';
    expect(askFile(query)).toEqual({
      columns: ['id', 'id:1'],
      rows: [
        [2, 3],
        [1, 2],
      ],
      more: false,
    });
  });

  test('the limit of rows is kept, and told', () => {
    expect(askFile('select id from users order by id', [], 2)).toEqual({
      columns: ['id'],
      rows: [[1], [2]],
      more: true,
    });
    expect(askFile('select id from users', [], 3).more).toBe(false);
  });

  test('a large answer is cut', () => {
    const answer = askFile('select t from many', [], 1000);
    expect(answer.more).toBe(true);
    expect(JSON.stringify(answer).length).toBeLessThan(50 * 1024);
    expect(answer.rows.length).toBeGreaterThan(400);
  });

  test('a single value that is large is cut too', () => {
    const [[text]] = askFile("select printf('%0100000d', 1)").rows;
    expect(text).toMatch(/^0{2000}… <100000 characters>$/);
  });

  test('what JSON cannot say', () => {
    expect(askFile('select n from big').rows).toEqual([['9007199254740993'], [7]]);
    expect(askFile('select photo from users where id = 1').rows).toEqual([['<2 bytes>']]);
  });

  test.each([
    'with a as (select 1 as x) select x from a',
    'VALUES (1)',
    'pragma table_info(users)',
    '-- what is there\n/* all */ select 1',
  ])('%s is reading', (query) => {
    expect(askFile(query).rows.length).toBeGreaterThan(0);
  });

  test.each([
    ['delete from users', 'Only reading is possible'],
    ['/* select */ drop table users', 'Only reading is possible'],
    ["attach 'other.db' as o", 'Only reading is possible'],
    ['', 'Only reading is possible'],
    ['with a as (select 1) delete from users', 'near "delete": syntax error'],
    ['select 1; delete from users', 'near ";": syntax error'],
    // It begins like a question; SQLite itself refuses it, the connection being read-only.
    ['pragma user_version = 5', /readonly|only for statements that return data/],
    ['select salary from users', 'no such column: salary'],
    ['select * from nowhere', 'no such table: nowhere'],
  ])('%s is refused', (query, reason) => {
    expect(() => askFile(query)).toThrow(reason);
  });
});

describe('the file', () => {
  test.each([
    ['none.db', 'There is no file none.db'],
    ['../secret.db', 'There is no file'],
    ['link.db', 'link.db is outside the working folder'],
    ['.', '. is outside the working folder'],
  ])('%s is refused', async (path, reason) => {
    const { folder } = makeDatabase();
    symlinkSync(makeDatabase().file, join(folder, 'link.db'));
    await expect(locate(folder, path)).rejects.toThrow(reason);
  });

  test('in a folder of the working folder', async () => {
    const { folder } = makeDatabase();
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'x.db'), '');
    await expect(locate(folder, 'data/x.db')).resolves.toBe(join(folder, 'data', 'x.db'));
  });
});

describe('the tool', () => {
  const call = async (args: unknown, directory: string) => {
    const tools = await loadSlopcodeTools(join(import.meta.dirname, 'tools', 'database.ts'));
    expect([...tools.keys()]).toEqual(['database']);
    return callSlopcodeTool(tools, 'database', args, { directory });
  };

  test(hasSqlite ? 'asks a real file through node:sqlite' : 'says what it needs where there is no SQLite', async () => {
    const { folder } = makeDatabase();
    const answer = call({ file: 'app.db', query: 'select name from users where city = ?', params: ['Казань'] }, folder);
    if (!hasSqlite) {
      await expect(answer).rejects.toThrow(
        `database needs SQLite from its host: Bun (SlopCode and opencode have it) or Node.js 22.16 or newer; this is Node.js ${process.versions.node}.`,
      );
      return;
    }
    await expect(answer).resolves.toBe('{"columns":["name"],"rows":[["Алсу"]],"more":false}');
    await expect(call({ file: 'app.db', query: 'select n from big' }, folder)).resolves.toContain('"9007199254740993"');
    await expect(call({ file: 'app.db', query: 'pragma user_version = 5' }, folder)).rejects.toThrow('readonly');
  });
});
