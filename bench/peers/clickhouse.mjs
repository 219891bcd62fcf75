// Runs queries of one .clickhouse.sql file in ClickHouse, in one process, and prints their answers as duckdb.mjs does:
//
//   node clickhouse.mjs --sql sql/movies.clickhouse.sql --data DIR [--query q1,q3] [--threads 2] [--memory BYTES] [--temp DIR]
//
// Without a file it starts ClickHouse and exits. Errors of ClickHouse go to stderr, with exit status 3.

import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Session } from 'chdb';
import { UsageError, choose, parseSections, relationsOf } from './sections.mjs';

const { values: options } = parseArgs({
  options: {
    sql: { type: 'string' },
    data: { type: 'string', default: '.' },
    query: { type: 'string' },
    threads: { type: 'string', default: '2' },
    memory: { type: 'string', default: '0' },
    temp: { type: 'string' },
  },
});

const settings = {
  max_threads: options.threads,
  output_format_json_quote_64bit_integers: 0,
  // A row with too few cells has NULL in its last column, one with too many is cut; an empty cell is an empty text.
  input_format_csv_allow_variable_number_of_columns: 1,
  input_format_csv_empty_as_default: 0,
};
if (options.memory !== '0') {
  // Half of the memory is for hash tables, as ClickHouse's manual advises; the rest of their state goes to disk.
  const half = Math.floor(Number(options.memory) / 2);
  Object.assign(settings, {
    max_memory_usage: options.memory,
    max_bytes_before_external_group_by: half,
    max_bytes_in_join: half,
    join_algorithm: "'grace_hash'",
    grace_hash_join_initial_buckets: 16,
  });
}

function main() {
  const sections = options.sql ? parseSections(readFileSync(options.sql, 'utf8')) : [];
  const queries = choose(sections, options.query);
  const session = new Session(options.temp);
  const run = (sql) => session.query(sql.replaceAll('$data', options.data.replaceAll("'", "\\'")), 'JSONCompact');
  for (const [name, value] of Object.entries(settings)) run(`SET ${name} = ${value}`);
  if (queries.length > 0) {
    const macros = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'sql/python.clickhouse.sql'), 'utf8');
    for (const macro of macros.split(/;\n/).filter((m) => m.trim() !== '')) run(macro);
  }
  for (const r of relationsOf(sections, queries)) {
    run(`CREATE ${r.made} ${r.name} ${r.made === 'TABLE' ? 'ENGINE = Memory' : ''} AS ${r.body}`);
  }
  const answers = {};
  for (const q of queries) {
    const { meta, data } = JSON.parse(run(q.body));
    answers[q.name] = { columns: meta.map((c) => c.name), rows: data };
  }
  writeSync(1, `${JSON.stringify(answers)}\n`);
}

try {
  main();
  process.exit(0); // without an orderly shutdown of ClickHouse
} catch (err) {
  console.error(`clickhouse: ${err.message.split('\n')[0]}`);
  process.exit(err instanceof UsageError ? 2 : 3);
}
