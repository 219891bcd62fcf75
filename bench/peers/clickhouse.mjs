// Runs a plan of sql/stress.clickhouse.sql in ClickHouse, in one process, and prints its answer as duckdb.mjs does:
//
//   node clickhouse.mjs --data DIR --query groups [--threads 2] [--memory BYTES] [--temp DIR]
//
// Without a query it starts ClickHouse and leaves. Errors of ClickHouse go to stderr, exit status 3.

import { readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Session } from 'chdb';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    query: { type: 'string' },
    threads: { type: 'string', default: '2' },
    memory: { type: 'string', default: '0' },
    temp: { type: 'string' },
  },
});

function sectionOf(name) {
  const text = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'sql/stress.clickhouse.sql'), 'utf8');
  const found = text.split(/^-- @query /m).find((s) => s.startsWith(name + '\n'));
  if (found === undefined) throw new Error(`no query ${name}`);
  return found.slice(name.length + 1);
}

try {
  const session = new Session(options.temp);
  if (options.query === undefined) {
    session.query('SELECT 1', 'JSONCompact');
  } else {
    // Half of the memory is for the hash tables, as ClickHouse's manual advises; what is beyond goes to disk.
    const settings = {
      max_threads: options.threads,
      max_memory_usage: options.memory,
      max_bytes_before_external_group_by: Math.floor(Number(options.memory) / 2),
      max_bytes_in_join: Math.floor(Number(options.memory) / 2),
      join_algorithm: "'grace_hash'",
      grace_hash_join_initial_buckets: 16,
      output_format_json_quote_64bit_integers: 0,
    };
    for (const [name, value] of Object.entries(settings)) session.query(`SET ${name} = ${value}`);
    const file = `file('${join(options.data, 'ratings.csv')}', CSVWithNames,
      'userId Int32, movieId Int32, rating Decimal(9, 4), timestamp String')`;
    const answer = JSON.parse(session.query(sectionOf(options.query).replaceAll('$ratings', file), 'JSONCompact'));
    const columns = answer.meta.map((c) => c.name);
    writeSync(1, `${JSON.stringify({ [options.query]: { columns, rows: answer.data } })}\n`);
  }
  process.exit(0); // without taking ClickHouse down piece by piece
} catch (err) {
  console.error(`clickhouse: ${err.message.split('\n')[0]}`);
  process.exit(3);
}
