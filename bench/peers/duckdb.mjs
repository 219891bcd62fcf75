// Runs the queries of one .sql file in DuckDB, in one process, and prints their answers as JSON:
// query name → {"columns": [...], "rows": [[...], ...]}.
//
//   node duckdb.mjs --sql sql/movies.sql --data DIR [--query q1,q3] [--param [q1.]name=value]...
//                   [--threads 2] [--memory 256MB] [--temp DIR] [--profile]
//
// sections.mjs describes the .sql files.
// Errors of DuckDB go to stderr, with exit status 3, so that the driver can tell "out of memory" from wrong usage (2).

import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBDecimalValue, DuckDBInstance, DuckDBListValue } from '@duckdb/node-api';
import { UsageError, choose, parseSections, relationsOf } from './sections.mjs';

const here = dirname(fileURLToPath(import.meta.url));

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

// json prints all numbers as JSON numbers: a BIGINT or DECIMAL keeps all its digits.
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

async function main() {
  const options = readOptions();
  const settings = {
    threads: options.threads,
    // Every query has an ORDER BY, so DuckDB need not preserve the order of the rows it reads.
    preserve_insertion_order: 'false',
    // A CSV file has no statistics: DuckDB estimates some forty rows for ratings.csv, and would build its hash table on
    // all of it. The queries name the larger input first and the build side last, and DuckDB must keep that order.
    disabled_optimizers: 'join_order,build_side_probe_side',
  };
  if (options.memory) settings.memory_limit = options.memory;
  if (options.temp) settings.temp_directory = options.temp;
  const sections = options.sql ? parseSections(readFileSync(options.sql, 'utf8')) : [];
  const queries = choose(sections, options.query);

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
  for (const r of relationsOf(sections, queries)) {
    await timed(`${r.made} ${r.name}`, () => connection.run(`CREATE TEMP ${r.made} ${r.name} AS ${r.body}`));
  }
  const answers = [];
  for (const q of queries) answers.push(await timed(q.name, () => answer(connection, q)));
  writeAll(`{${answers.join(',\n')}}\n`);
}

function writeAll(text) {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
}

// The process exits at once, without an orderly shutdown, whose time should not count against DuckDB.
main().then(
  () => process.exit(0),
  (err) => {
    console.error(`duckdb: ${err.message.split('\n\n')[0]}`); // what follows is general advice
    process.exit(err instanceof UsageError ? 2 : 3);
  },
);
