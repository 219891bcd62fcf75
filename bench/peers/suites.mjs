// Compares `analyzer sql` with DuckDB over the questions of a benchmark, of dialects, of everyday work, of Parquet files or of reviews in JSON, and measures both.
//
//   node suites.mjs --analyzer FILE [--suite tpch,h2o,clickbench,dialects,everyday,parquet,reviews] [--scale 0.1] [--query q1,q2] [--pairs 3]
//                   [--stored csv] [--memory 256MiB] [--threads 2] [--data DIR] [--out FILE]
//
// DuckDB makes the tables from suites/NAME.data.sql, once for each scale, below the directory of --data, which questions
// call $dir, as files of CSV, JSON lines or the forms of Parquet below, which --stored names, with commas between them. The questions
// are those of suites/NAME.sql. Each pair runs a whole process of one program and then of the other, from the files to the
// answer, and compares processor time, wall time and peak memory. Of DuckDB's process the times are those from the making of
// a database in memory to the last row, since Node is not wanted. --pairs 0 compares only answers. The exit status is 1 if an
// answer differs; a question that analyzer
// refuses is listed with its message.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { answersOf, difference, fromDuckDB } from './random/compare.mjs';
import { choose, parseSections } from './sections.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    analyzer: { type: 'string' },
    suite: { type: 'string', default: 'tpch,h2o,clickbench,dialects,everyday' },
    scale: { type: 'string', default: '0.01' },
    stored: { type: 'string', default: 'csv' },
    query: { type: 'string' },
    pairs: { type: 'string', default: '1' },
    memory: { type: 'string' },
    threads: { type: 'string', default: '2' },
    data: { type: 'string', default: join(tmpdir(), 'analyzer-suites') },
    out: { type: 'string' },
    duckdb: { type: 'string' }, // in a child process: the statement that DuckDB answers there
  },
});

// written are the forms in which tables are stored: how DuckDB writes them, or, without an answer, analyzer.
const written = {
  csv: "HEADER, DELIMITER ','",
  parquet: 'FORMAT parquet',
  'parquet-v2': 'FORMAT parquet, PARQUET_VERSION V2',
  'parquet-zstd': 'FORMAT parquet, COMPRESSION zstd',
  'parquet-own': undefined,
  json: 'FORMAT json',
};

// tablesOf reads the tables of a suite: their columns, and the query that makes them.
function tablesOf(suite) {
  const [, ...sections] = readFileSync(join(here, 'suites', `${suite}.data.sql`), 'utf8').split(/^-- @/m);
  const named = sections.map((s) => ({ head: s.slice(0, s.indexOf('\n')), body: s.slice(s.indexOf('\n')).trim().replace(/;$/, '') }));
  const macros = named.find((s) => s.head === 'macros').body.replaceAll('$scale', options.scale);
  const tables = named.filter((s) => s.head.startsWith('table ')).map(({ head, body }) => {
    const [, name, columns] = /^table (\w+) (.*)$/.exec(head);
    return { name, columns: columns.split(/, (?=\w+ [A-Z])/).map((c) => c.split(/ (.*)/)), body };
  });
  const texts = named.filter((s) => s.head.startsWith('lines ')).map(({ head, body }) => {
    const [, name, encoding] = head.split(' ');
    return { name, encoding, body };
  });
  return { macros, tables, texts };
}

// generate writes the files of a suite unless they are there.
async function generate(suite, { macros, tables, texts }, stored) {
  const dir = join(options.data, `${suite}-${options.scale}${stored === 'csv' ? '' : `-${stored}`}`);
  if (existsSync(dir)) return dir;
  const making = `${dir}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  const connection = await (await DuckDBInstance.create(':memory:', { threads: options.threads })).connect();
  await connection.run(macros);
  for (const t of tables) {
    const names = t.columns.map(([name]) => `"${name}"`).join(', ');
    const typed = t.columns.map(([name, type]) => `CAST("${name}" AS ${type}) AS "${name}"`).join(', ');
    const file = fileOf(making, t, stored);
    const made = written[stored] ? file : join(making, 'made.parquet');
    await connection.run(`COPY (SELECT ${typed} FROM (${t.body}) AS made(${names})) TO '${made}' (${written[stored] ?? written.parquet})`);
    if (made !== file) rewrite(made, file);
  }
  for (const t of texts) {
    const file = join(making, `${t.name}.csv`);
    await connection.run(`COPY (${t.body}) TO '${file}' (HEADER false, DELIMITER '\x01', QUOTE '', ESCAPE '')`);
    if (t.encoding) writeFileSync(file, readFileSync(file, 'utf8'), t.encoding);
  }
  connection.closeSync();
  renameSync(making, dir);
  return dir;
}

// rewrite has analyzer write a file of Parquet as it does.
function rewrite(from, to) {
  const ran = spawnSync(options.analyzer, ['sql', '--quiet', `COPY (FROM '${from}') TO '${to}'`], { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(ran.stderr);
  rmSync(from);
}

const fileOf = (dir, table, stored) => join(dir, `${table.name}.${stored.replace(/-.*/, '')}`);

// viewsOf returns views with which DuckDB reads the tables from their files, with their types.
const viewsOf = (dir, tables, stored) => tables.map((t) => {
  if (stored !== 'csv') return `CREATE VIEW ${t.name} AS FROM '${fileOf(dir, t, stored)}';`;
  const columns = t.columns.map(([name, type]) => `'${name}': '${type}'`).join(', ');
  return `CREATE VIEW ${t.name} AS FROM read_csv('${fileOf(dir, t, stored)}', header = true, delim = ',', quote = '"', escape = '"', auto_detect = false, columns = {${columns}});`;
}).join('\n');

async function answerOfDuckDB(views, statement, memory) {
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  const instance = await DuckDBInstance.create(':memory:', { threads: options.threads, ...(memory ? { memory_limit: memory } : {}) });
  const connection = await instance.connect();
  await connection.run(views);
  const reader = await connection.runAndReadAll(statement);
  const rows = reader.getRows().map((row) => row.map(fromDuckDB));
  const { user, system } = process.cpuUsage(cpu);
  const took = { cpu: (user + system) / 1e6, wall: (performance.now() - began) / 1e3 };
  // DuckDB rounds a sum of doubles after each addition.
  return { rows, took, within: 1e-10, approximate: reader.columnTypes().map((t) => ['DOUBLE', 'FLOAT'].includes(String(t)) || /^DECIMAL\(38|^DECIMAL\(\d+,([7-9]|\d\d)\)/.test(String(t))) };
}

// measured runs a process and returns its processor and wall time in seconds, and its peak memory in MiB.
function measured(command, args) {
  const timed = ['-c', 'TIMEFORMAT="%3U %3S %3R"; time env time -f %M "$0" "$@"', command, ...args]; // which has milliseconds, and who has the memory
  const ran = spawnSync('bash', timed, { encoding: 'utf8', maxBuffer: 1 << 29, env: { ...process.env, GOMAXPROCS: options.threads } });
  const lines = ran.stderr.trim().split('\n');
  const [user, system, wall] = lines.pop().split(' ').map(Number);
  const kib = Number(lines.pop());
  return { stdout: ran.stdout, failed: ran.status === 0 ? '' : lines.filter((l) => !l.startsWith('Command exited')).join('\n'), cpu: user + system, wall, mib: kib / 1024 };
}

const measuredDuckDB = (views, statement) => measured(process.execPath, [
  fileURLToPath(import.meta.url), '--duckdb', `${views}\n${statement}`, '--threads', options.threads, ...(options.memory ? ['--memory', options.memory] : []),
]);

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const refused = (stderr) => stderr && `refused: ${stderr.replaceAll('\n', ' ').slice(0, 160)}`;

// compared returns how the answers to a question differ.
async function compared(flags, views, q) {
  const ran = spawnSync(options.analyzer, [...flags, q.body], { encoding: 'utf8', maxBuffer: 1 << 29 });
  if (ran.status !== 0) return refused(ran.stderr);
  const answer = await answerOfDuckDB(views, q.body, options.memory);
  const differs = difference(answersOf(ran.stdout)[0], answer.rows, answer);
  return differs && `differs: ${differs}`;
}

async function run(suite, stored, results) {
  const described = tablesOf(suite);
  const dir = await generate(suite, described, stored);
  const views = viewsOf(dir, described.tables, stored);
  const name = stored === 'csv' ? suite : `${suite}/${stored}`;
  const questions = parseSections(readFileSync(join(here, 'suites', `${suite}.sql`), 'utf8').replaceAll('$dir', dir));
  for (const q of choose(questions, options.query)) {
    const flags = ['sql', '--quiet', '--format', 'json', ...(options.memory ? ['--memory', options.memory] : [])];
    for (const t of described.tables) if (new RegExp(`\\b${t.name}\\b`).test(q.body)) flags.push('--table', `${t.name}=${fileOf(dir, t, stored)}`);
    const both = [];
    let why = '';
    if (options.pairs === '0') {
      results.push({ suite, stored, query: q.name, why: await compared(flags, views, q) });
      console.log(`${name}/${q.name}: ${results.at(-1).why || 'equal'}`);
      continue;
    }
    for (let pair = 0; pair < Number(options.pairs) && !why; pair++) {
      const ours = measured(options.analyzer, [...flags, q.body]);
      why = refused(ours.failed);
      if (why) break;
      const theirs = measuredDuckDB(views, q.body);
      if (!theirs.failed) {
        const answer = JSON.parse(theirs.stdout);
        Object.assign(theirs, answer.took);
        const differs = difference(answersOf(ours.stdout)[0], answer.rows, answer);
        why = differs && `differs: ${differs}`;
      }
      both.push({ ours, theirs });
    }
    results.push(why ? { suite, stored, query: q.name, why } : { suite, stored, query: q.name, ours: middle(both.map((p) => p.ours)), theirs: middle(both.map((p) => p.theirs)) });
    console.log(`${name}/${q.name}: ${why || shown(results.at(-1))}`);
  }
}

// middle returns the medians of runs, figure by figure, and why the last run failed, if it did.
const middle = (runs) => ({
  cpu: median(runs.map((r) => r.cpu)), wall: median(runs.map((r) => r.wall)), mib: median(runs.map((r) => r.mib)), failed: runs.at(-1).failed.split('\n')[0].slice(0, 100),
});

function shown({ ours, theirs }) {
  if (theirs.failed) return `DuckDB fails: ${theirs.failed}; ours ${ours.cpu.toFixed(2)} s, ${ours.mib.toFixed(0)} MiB`;
  const [cpu, wall, mib] = ['cpu', 'wall', 'mib'].map((of) => (theirs[of] / ours[of]).toFixed(2));
  return `DuckDB takes ${cpu}× the processor time, ${wall}× the time, ${mib}× the memory; ours ${ours.cpu.toFixed(2)} s, ${ours.mib.toFixed(0)} MiB`;
}

if (options.duckdb) {
  const at = options.duckdb.lastIndexOf(';\n') + 2;
  const answer = await answerOfDuckDB(options.duckdb.slice(0, at), options.duckdb.slice(at), options.memory);
  process.stdout.write(JSON.stringify(answer));
} else {
  const results = [];
  for (const suite of options.suite.split(',')) for (const stored of options.stored.split(',')) await run(suite, stored, results);
  const count = (of) => results.filter(of).length;
  console.log(`${count((r) => !r.why)} equal, ${count((r) => r.why?.startsWith('refused'))} refused, ${count((r) => r.why?.startsWith('differs'))} differ`);
  if (options.out) writeFileSync(options.out, JSON.stringify({ scale: Number(options.scale), results }, null, 1));
  process.exitCode = count((r) => r.why?.startsWith('differs')) > 0 ? 1 : 0;
}
