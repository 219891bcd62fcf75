// Checks with DuckDB's parser how `analyzer sql` prints statements: the parser must read the original and the printed text
// as the same statement.
//
//   node roundtrip.mjs FILE
//
// Each line of FILE is a JSON array of a statement and its printed form. Statements that DuckDB's parser does not accept, or
// cannot write as JSON because they are not a SELECT, are counted; so are those that differ since they have operators and
// forms which print as the calls that they are short for. The exit status is 1 if anything else differs.

import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

// tree returns the syntax tree of DuckDB's parser for a statement, without positions and with one name for things that have
// two.
async function tree(connection, statement) {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [statement]);
  const parsed = JSON.parse(reader.getRows()[0][0]);
  if (parsed.error) throw new Error(parsed.error_message);
  return JSON.stringify(parsed, (name, value) => {
    if (name === 'query_location' || name === 'schema') return undefined;
    if (name === 'type' && value === 'ASCENDING') return 'ORDER_DEFAULT';
    if (value?.type === 'UNBOUND_TYPE_INFO') return { ...value, name: value.name.toLowerCase() };
    return name === 'function_name' && value === '**' ? '^' : value;
  });
}

// short are operators and forms that print as calls: a && b, s ~~ 'x', @n, n!, s.upper(), [x FOR x IN l], samples, a: 1,
// SHOW TABLES, WITH ORDINALITY.
const short = /&&|<@|@>|\^@|~~|@ ?-?\w|\w!(?!=)|\bFOR\b.*\bIN\b|\bSAMPLE\b|\bTABLESAMPLE\b|\w+: |\.\w+\(|LIMIT -|^SHOW (?:ALL )?TABLES\b|\bWITH ORDINALITY\b/i;

async function main() {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const counts = { equal: 0, differing: 0, otherWords: 0, notSelect: 0, refused: 0 };
  for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
    const [written, printed] = JSON.parse(line);
    let want;
    try {
      want = await tree(connection, written);
    } catch (e) {
      counts[/only select statements/i.test(e.message) ? 'notSelect' : 'refused']++;
      if (process.argv[3] === '--verbose') console.log(`refused: ${written}\n  ${e.message}`);
      continue;
    }
    let got;
    try {
      got = await tree(connection, printed);
    } catch (e) {
      got = e.message;
    }
    if (got === want) {
      counts.equal++;
      continue;
    }
    if (short.test(written)) {
      counts.otherWords++;
      continue;
    }
    counts.differing++;
    console.log(`${written}\n  prints as\n${printed}\n  ${want}\n  ${got}`);
  }
  console.log(`round trip through DuckDB's parser: ${JSON.stringify(counts)}`);
  process.exitCode = counts.differing > 0 ? 1 : 0;
}

await main();
