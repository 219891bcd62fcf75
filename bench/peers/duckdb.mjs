// Runs the queries of one .sql file in DuckDB, in one process, and prints their answers as JSON:
// query name → {"columns": [...], "rows": [[...], ...]}.
//
//   node duckdb.mjs --sql sql/movies.sql --data DIR [--query q1,q3] [--param [q1.]name=value]...
//                   [--threads 2] [--memory 256MB] [--temp DIR] [--profile]
//
// A .sql file is a list of sections, each begun by one line:
//
//   -- @parameters                     statements that set the defaults: variables named qN_name
//   -- @relation NAME [reads NAME...]  one SELECT; a temporary table when what is asked for reads it more than
//                                      once, else a view
//   -- @query NAME [reads NAME...]     one SELECT, whose rows are the answer
//
// Errors of DuckDB go to stderr, exit status 3, so that the driver can tell "out of memory" from a misuse (2).

import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBDecimalValue, DuckDBInstance, DuckDBListValue } from '@duckdb/node-api';

const here = dirname(fileURLToPath(import.meta.url));

class UsageError extends Error {}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        sql: { type: 'string' },
        data: { type: 'string' },
        query: { type: 'string' },
        param: { type: 'string', multiple: true, default: [] },
        threads: { type: 'string', default: '2' },
        memory: { type: 'string' },
        temp: { type: 'string' },
        profile: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (err) {
    throw new UsageError(err.message);
  }
}

function parseSections(text) {
  const sections = [];
  for (const line of text.split('\n')) {
    const head = /^-- @(parameters|relation|query)\s*(.*)$/.exec(line);
    if (head) {
      const [name, reads, ...inputs] = head[2].trim().split(/\s+/);
      if (reads !== undefined && reads !== 'reads') throw new UsageError(`bad section line: ${line}`);
      sections.push({ kind: head[1], name, inputs, body: '' });
    } else if (sections.length > 0) {
      sections.at(-1).body += line + '\n';
    }
  }
  for (const s of sections) s.body = s.body.trim().replace(/;$/, '');
  return sections;
}

// countReaders returns, for every relation that the queries need, how often those queries and relations read it.
function countReaders(queries, relations) {
  const readers = new Map();
  const visit = (section) => {
    for (const input of section.inputs) {
      if (!relations.has(input)) throw new UsageError(`${section.name} reads ${input}, which is not a relation`);
      const seen = readers.has(input);
      readers.set(input, (readers.get(input) ?? 0) + 1);
      if (!seen) visit(relations.get(input));
    }
  };
  queries.forEach(visit);
  return readers;
}

async function setParameters(connection, assignments) {
  const reader = await connection.runAndReadAll('SELECT name, type FROM duckdb_variables()');
  const types = new Map(reader.getRows());
  for (const assignment of assignments) {
    const at = assignment.indexOf('=');
    if (at < 0) throw new UsageError(`--param ${assignment}: want name=value`);
    const name = assignment.slice(0, at).replace('.', '_');
    const hits = [...types.keys()].filter((v) => v === name || v.replace(/^q\d+_/, '') === name);
    if (hits.length === 0) throw new UsageError(`--param ${name}: unknown; there are ${[...types.keys()].join(', ')}`);
    for (const v of hits) {
      const value = assignment.slice(at + 1).replaceAll("'", "''");
      await connection.run(`SET VARIABLE ${v} = CAST('${value}' AS ${types.get(v)})`);
    }
  }
}

// json prints numbers as numbers, whatever their width: a BIGINT or DECIMAL keeps all its digits.
function json(value) {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof DuckDBDecimalValue) return value.toString();
  if (value instanceof DuckDBListValue) return `[${value.items.map(json).join(', ')}]`;
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  throw new Error(`no JSON for a value of type ${value.constructor.name}`);
}

async function answer(connection, query) {
  const reader = await connection.runAndReadAll(query.body);
  const columns = reader.columnNames().map((c) => JSON.stringify(c)).join(', ');
  const rows = reader.getRows().map((row) => `  [${row.map(json).join(', ')}]`).join(',\n');
  return `${JSON.stringify(query.name)}: {"columns": [${columns}], "rows": [\n${rows}]}`;
}

function choose(sections, names) {
  const queries = sections.filter((s) => s.kind === 'query');
  if (names === undefined) return queries;
  return names.split(',').filter(Boolean).map((name) => {
    const found = queries.find((q) => q.name === name);
    if (!found) throw new UsageError(`no query ${name}; there are ${queries.map((q) => q.name).join(', ')}`);
    return found;
  });
}

async function main() {
  const options = readOptions();
  const settings = {
    threads: options.threads,
    // Every query says its order, so DuckDB need not keep that of the rows it reads.
    preserve_insertion_order: 'false',
    // A CSV file has no statistics: DuckDB takes ratings.csv for some forty rows, and builds its hash table on all of
    // them. The queries name the larger input first and the one to build on last, and it is held to that.
    disabled_optimizers: 'join_order,build_side_probe_side',
  };
  if (options.memory) settings.memory_limit = options.memory;
  if (options.temp) settings.temp_directory = options.temp;
  const sections = options.sql ? parseSections(readFileSync(options.sql, 'utf8')) : [];
  const queries = choose(sections, options.query);
  const relations = new Map(sections.filter((s) => s.kind === 'relation').map((s) => [s.name, s]));
  const readers = countReaders(queries, relations);

  const instance = await DuckDBInstance.create(':memory:', settings);
  const connection = await instance.connect();
  const timed = async (name, work) => {
    const begin = performance.now();
    const result = await work();
    if (options.profile) console.error(`${name}: ${((performance.now() - begin) / 1000).toFixed(3)} s`);
    return result;
  };
  if (queries.length > 0) {
    await connection.run(readFileSync(join(here, 'sql/python.sql'), 'utf8'));
    for (const s of sections.filter((s) => s.kind === 'parameters')) await connection.run(s.body);
    await setParameters(connection, options.param);
    await connection.run(`SET VARIABLE data = '${(options.data ?? '.').replaceAll("'", "''")}'`);
  }
  for (const s of relations.values()) {
    if (!readers.has(s.name)) continue;
    const kind = readers.get(s.name) > 1 ? 'TABLE' : 'VIEW';
    await timed(`${kind} ${s.name}`, () => connection.run(`CREATE TEMP ${kind} ${s.name} AS ${s.body}`));
  }
  const answers = [];
  for (const q of queries) answers.push(await timed(q.name, () => answer(connection, q)));
  writeAll(`{${answers.join(',\n')}}\n`);
}

function writeAll(text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
}

// The process leaves at once, without taking DuckDB down piece by piece: that time is not DuckDB's to answer for.
main().then(
  () => process.exit(0),
  (err) => {
    console.error(`duckdb: ${err.message.split('\n\n')[0]}`); // what follows is general advice
    process.exit(err instanceof UsageError ? 2 : 3);
  },
);
