// What sql/python.sql must make of cells, and how duckdb.mjs behaves as a process. Run by `npm test`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let connection;
let scratch;

before(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
  await connection.run(readFileSync(join(root, 'sql/python.sql'), 'utf8'));
  scratch = mkdtempSync(join(tmpdir(), 'peers-test-'));
});
after(() => rmSync(scratch, { recursive: true }));

async function call(macro, cell) {
  const reader = await connection.runAndReadAll(`SELECT ${macro}($1) FROM range(1)`, [cell]);
  const value = reader.getRowsJson()[0][0];
  return value;
}

const names = [
  [`[{'id': 18, 'name': 'Drama'}, {'id': 35, 'name': 'Comedy'}]`, ['Drama', 'Comedy']],
  [`[]`, []],
  [` [ ] `, []],
  [`[{'name': "Inés d'Efron", 'id': 1}]`, [`Inés d'Efron`]],
  [`[{'name': '"Weird Al" Yankovic'}]`, ['"Weird Al" Yankovic']],
  [`[{'name': 'O\\'Neill'}]`, [`O'Neill`]],
  [`[{'name': 'a\\\\'}, {'name': 'b'}]`, ['a\\', 'b']],
  [`[{'name': 'caf\\xe9 \\u00e9\\n\\q'}]`, ['café é\n\\q']],
  [`[{'name': None, 'id': 1}, {'name': 'x'}]`, ['x']],
  [`[{'name': '', 'id': 1}]`, ['']],
  [`[{'character': "says 'name': 'no'", 'name': 'yes'}]`, ['yes']],
  [`[{'character': 'name', 'name': 'yes', 'x': 'name'}]`, ['yes']],
  [`[{'character': '[}], {', 'name': 'yes'}]`, ['yes']],
  [`[{'id': 18, 'name': 'Drama'}, {'id': 35, 'na`, []],
  [`[{'id': 18, 'name': 'Drama'}`, []],
  [`[{'id': 18, 'name': 'Drama'}] x`, []],
  [`{'id': 18, 'name': 'Drama'}`, []],
  [`nonsense`, []],
  [`/path.jpg`, []],
  [`False`, []],
];

test('names of dicts', async () => {
  for (const [cell, want] of names) assert.deepEqual(await call('python_names', cell), want, cell);
});

const strings = [
  [`['J. R. R. Tolkien', "Flannery O'Connor"]`, ['J. R. R. Tolkien', `Flannery O'Connor`]],
  [`['one',]`, ['one']],
  [`['a, b', '[c]']`, ['a, b', '[c]']],
  [`['a', None, 3, 'b']`, ['a', 'b']],
  [`['a' 'b`, []],
  [`['cut`, []],
  [`Tolkien`, []],
];

test('strings of a list', async () => {
  for (const [cell, want] of strings) assert.deepEqual(await call('python_strings', cell), want, cell);
});

const years = [
  ['1980*', 1980], ['2004-?', 2004], ['197?', null], ['2005-01-01', 2005], ['Oct 21, 2008', 2008], ['May 2020', 2020],
  ['12345 2001', 2001], ['123', null], ['', null], ['19991 20001', null],
];

test('years', async () => {
  for (const [text, want] of years) assert.equal(await call('year_of', text), want, text);
});

test('whole numbers', async () => {
  for (const [text, want] of [['862', '862'], ['1.5', null], ['1997-08-20', null], ['', null], ['9'.repeat(30), null]]) {
    assert.equal(await call('integer_of', text), want, text);
  }
});

function run(sql, ...options) {
  const file = join(scratch, 'test.sql');
  writeFileSync(file, sql);
  return spawnSync('node', [join(root, 'duckdb.mjs'), '--sql', file, ...options], { encoding: 'utf8' });
}

const sql = `
-- @parameters
SET VARIABLE q1_top = 2;
SET VARIABLE q2_top = 3;
-- @relation shared
SELECT range AS n FROM range(10);
-- @query q1 reads shared
SELECT n, n::DECIMAL(9,2) / 4 AS quarter, ['x', NULL] AS l FROM shared ORDER BY n DESC LIMIT getvariable('q1_top');
-- @query q2 reads shared
SELECT sum(n)::HUGEINT * 1000000000000000000 AS s FROM (FROM shared LIMIT getvariable('q2_top'));
-- @query typo
SELECT no_such_column;
`;

test('answers are JSON with all digits', () => {
  const { stdout, status } = run(sql, '--query', 'q1,q2');
  assert.equal(status, 0);
  assert.match(stdout, /3000000000000000000/);
  assert.deepEqual(JSON.parse(stdout).q1, { columns: ['n', 'quarter', 'l'], rows: [[9, 2.25, ['x', null]], [8, 2, ['x', null]]] });
});

test('parameters reach one query or all', () => {
  const rows = (...options) => JSON.parse(run(sql, '--query', 'q1', ...options).stdout).q1.rows.length;
  assert.equal(rows('--param', 'q1.top=5'), 5);
  assert.equal(rows('--param', 'top=4'), 4);
  assert.equal(rows('--param', 'q2.top=5'), 2);
});

test('exit status tells misuse from failure', () => {
  assert.equal(run(sql, '--query', 'q9').status, 2);
  assert.equal(run(sql, '--query', 'q1', '--param', 'bottom=1').status, 2);
  assert.equal(run(sql, '--nonsense').status, 2);
  const { status, stderr } = run(sql, '--query', 'typo');
  assert.equal(status, 3);
  assert.match(stderr, /no_such_column/);
});

test('ClickHouse makes the same of cells', () => {
  const literal = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const numbers = [['862', 862], ['1.5', null], ['1997-08-20', null], ['', null], ['9'.repeat(30), null]];
  const cases = { python_names: names, python_strings: strings, year_of: years, integer_of: numbers };
  const file = join(scratch, 'cells.sql');
  writeFileSync(file, Object.entries(cases).map(([macro, list]) =>
    `-- @query ${macro}\nSELECT ${macro}(c) AS v FROM (SELECT arrayJoin([${list.map(([cell]) => literal(cell)).join(', ')}]) AS c)\n`).join(''));
  const { stdout, stderr, status } = spawnSync('node', [join(root, 'clickhouse.mjs'), '--sql', file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const got = JSON.parse(stdout);
  for (const [macro, list] of Object.entries(cases)) {
    list.forEach(([cell, want], i) => assert.deepEqual(got[macro].rows[i][0], want, cell));
  }
});
