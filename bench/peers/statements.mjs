// Compares `analyzer sql` with DuckDB: the same statements, some fixed and many random, over the same random files.
//
//   node statements.mjs --analyzer FILE [--gateway HOST:PORT] [--seed 1] [--count 300] [--only N] [--rare 0.2] [--texts FILE] [--golden FILE] [--simplify 3] [--verbose]
//
// With --gateway the cluster behind it answers, with its own replicas and memory.
//
// A difference is printed with the flags that reproduce it and the simplest statement found that still differs; the exit
// status is then 1. Statements that one of the two refuses, by its rules or for an overflow, are counted. A statement that
// analyzer refuses as unsupported should not have been generated, and is an error. --texts writes the statements, one JSON
// text per line. --rare says which part of them is of values that are in no table of text (random/rare.mjs). --golden writes the tables, statements and answers that `make test` checks without DuckDB.

import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { Choices, simpler } from './random/choices.mjs';
import { answersOf, difference, fromDuckDB, plainly } from './random/compare.mjs';
import { fixed } from './random/fixed.mjs';
import { Generator } from './random/generator.mjs';
import { rareStatement } from './random/rare.mjs';
import { csv, otherwise, schemas, sqlTypes, table } from './random/tables.mjs';

const { values: options } = parseArgs({
  options: {
    analyzer: { type: 'string' },
    gateway: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    count: { type: 'string', default: '300' },
    only: { type: 'string' },
    rare: { type: 'string', default: '0.2' },
    texts: { type: 'string' },
    golden: { type: 'string' },
    simplify: { type: 'string', default: '3' },
    verbose: { type: 'boolean', default: false },
  },
});

const seed = Number(options.seed);
const perWorld = 25; // statements over the same tables
const counts = { equal: 0, differing: 0, overflows: 0, duckdbRefuses: 0, bothRefuse: 0 };
const answered = [0, 0, 0, 0]; // answers of 0, 1, 2 and more rows
const golden = [];
const dir = mkdtempSync(join(tmpdir(), 'analyzer-statements-'));

// World is random tables, in files and in DuckDB, and the flags with which analyzer runs over them.
class World {
  static async make(n) {
    const w = new World();
    const c = new Choices(seed * 10_007 + n);
    w.rows = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, table(c, schema)]));
    w.flags = ['--replicas', c.pick(['1', '2', '3', '5']), ...c.pick([[], ['--memory', '16MiB']])];
    if (options.gateway) w.flags = ['--gateway', options.gateway, '--patience', '2m']; // its nodes may be killed
    w.parts = c.pick([1, 1, 1, 2, 3]);
    w.gz = c.chance(0.2);
    w.dialect = {
      delim: c.pick([';', '|', '\t', ',', '^']), quote: c.pick(['"', "'"]), header: c.chance(0.5), skip: c.pick([0, 0, 2]), nullstr: c.pick(['', 'NA', 'nothing at all']), compression: c.pick(['snappy', 'zstd', 'uncompressed', 'gzip']),
    };
    w.dialect.escape = c.pick([w.dialect.quote, '\\']);
    await w.write();
    return w;
  }

  async write() {
    rmSync(dir, { recursive: true });
    mkdirSync(dir);
    this.connection?.closeSync();
    this.connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
    // DuckDB 1.5 rewrites date_trunc('month', NULL) <> DATE '2020-06-18' to true.
    // Its join filter pushdown applies the keys of one side of a join below a LIMIT of the other side.
    await this.connection.run("SET disabled_optimizers = 'expression_rewriter,join_filter_pushdown'");
    this.tables = [];
    this.files = {};
    for (const [name, schema] of Object.entries(schemas)) {
      const rows = this.rows[name];
      const whole = join(dir, `${name}.csv`);
      writeFileSync(whole, csv(schema, rows));
      const columns = Object.entries(schema).map(([c, k]) => `'${c}': '${sqlTypes[k]}'`).join(', ');
      await this.connection.run(`CREATE TABLE ${name} AS FROM read_csv('${whole}', header = true, quote = '"', escape = '"', delim = ',', auto_detect = false, columns = {${columns}})`);
      const parquet = join(dir, `${name}.parquet`);
      await this.connection.run(`COPY ${name} TO '${parquet}' (FORMAT parquet, COMPRESSION ${this.dialect.compression}, ROW_GROUP_SIZE 2048)`);
      const other = join(dir, `${name}.txt`);
      writeFileSync(other, otherwise(schema, rows, this.dialect));
      const { delim, quote, escape, header, skip, nullstr } = this.dialect;
      this.files[name] = [
        `read_parquet('${parquet}')`,
        `read_csv('${other}', delim = '${delim}', quote = '${quote.replace("'", "''")}', escape = '${escape.replace("'", "''")}', header = ${header}, skip = ${skip}, nullstr = '${nullstr}', columns = {${columns}})`,
      ];
      if (name === 't') {
        const lists = join(dir, 'lists.parquet');
        await this.connection.run(`COPY (SELECT *, string_split(s, 'a') AS l FROM t) TO '${lists}' (FORMAT parquet)`);
        this.files.lists = `read_parquet('${lists}')`;
      }
      const size = Math.ceil(rows.length / this.parts);
      for (let p = 0; p < this.parts && p * size < rows.length; p++) {
        const text = csv(schema, rows.slice(p * size, (p + 1) * size));
        writeFileSync(join(dir, `${name}-${p}.csv${this.gz ? '.gz' : ''}`), this.gz ? gzipSync(text) : text);
      }
      this.tables.push('--table', `${name}=${join(dir, `${name}-*.csv*`)}`);
    }
  }

  // duckdb returns DuckDB's answer, or why there is none.
  async duckdb(statement) {
    try {
      const reader = await this.connection.runAndReadAll(statement);
      const approximate = reader.columnTypes().map((t) => ['DOUBLE', 'FLOAT'].includes(String(t)));
      return { rows: reader.getRows().map((row) => row.map(fromDuckDB)), approximate };
    } catch (e) {
      return { refusal: e.message.split('\n')[0] };
    }
  }

  // analyzer returns the answer to each statement, or why there is none. One process answers statements until one fails.
  analyzer(statements) {
    const out = [];
    while (out.length < statements.length) {
      const ran = spawnSync(options.analyzer, ['sql', '--quiet', '--format', 'json', ...this.flags, ...this.tables, '--file', '-'], {
        encoding: 'utf8', input: statements.slice(out.length).join(';\n'), maxBuffer: 1 << 28,
      });
      const rows = answersOf(ran.stdout);
      out.push(...rows.slice(0, statements.length - out.length).map((r) => ({ rows: r })));
      if (out.length < statements.length) out.push({ refusal: ran.stderr.trim() || `exit status ${ran.status} ${ran.signal}` });
    }
    return out;
  }
}

const isOverflow = (refusal) => /overflow|out of range|not in the range|does not fit/i.test(refusal);

// judge compares two answers: they are equal, they differ, or one or both programs refused.
function judge(q, ours, theirs) {
  if (theirs.refusal) return { kind: ours.refusal ? 'bothRefuse' : 'duckdbRefuses', why: theirs.refusal };
  if (ours.refusal) return { kind: isOverflow(ours.refusal) ? 'overflows' : 'differing', why: ours.refusal };
  const why = difference(q.texts ? ours.rows.map(plainly) : ours.rows, q.texts ? theirs.rows.map(plainly) : theirs.rows, { approximate: approximately(q, theirs), by: q.by, file: q.file });
  return { kind: why ? 'differing' : 'equal', why };
}

// generate makes a statement from new choices, or from given ones.
function generate(world, n, given) {
  const choices = new Choices(seed * 7919 + n, given);
  const made = choices.chance(Number(options.rare)) ? rareStatement(choices) : new Generator(choices, world.files).statement();
  return { n, ...made, choices: choices.made };
}

// category is the part of a difference that must stay the same while its statement is simplified.
const category = (why) => why.replace(/line \d+, column \d+/, '').replace(/\n[^]*/, '').replace(/\d+|\[.*\]|"[^"]*"/g, '#').slice(0, 24);

async function simplify(world, n, made, why) {
  let last;
  await simpler(made, async (given) => {
    const q = generate(world, n, given);
    const theirs = await world.duckdb(q.text);
    const found = judge(q, world.analyzer([q.text])[0], theirs);
    if (found.kind !== 'differing' || category(found.why) !== category(why)) return undefined;
    last = { q, why: found.why };
    return q.choices;
  }, 300);
  return last;
}

// fewerRows drops rows of the tables without which the difference remains.
async function fewerRows(world, q) {
  for (const name of Object.keys(schemas)) {
    for (let size = world.rows[name].length >> 1; size >= 1; size >>= 1) {
      for (let at = world.rows[name].length - size; at >= 1; at -= size) {
        const before = world.rows[name];
        world.rows[name] = before.toSpliced(at, size);
        await world.write();
        if (judge(q, world.analyzer([q.text])[0], await world.duckdb(q.text)).kind !== 'differing') world.rows[name] = before;
      }
    }
  }
  await world.write();
  return judge(q, world.analyzer([q.text])[0], await world.duckdb(q.text)).why;
}

async function report(world, n, q, why) {
  console.log(`--seed ${seed} --only ${n}:\n  ${q.text}\n  ${why.replaceAll('\n', '\n  ')}`);
  if (counts.differing > Number(options.simplify) || n < 0) return;
  const least = await simplify(world, n, q.choices, why);
  if (!least) return;
  const rows = structuredClone(world.rows);
  const last = least.why.startsWith('analyzer:') ? least.why : await fewerRows(world, least.q);
  console.log(`simpler:\n  ${least.q.text}\n  ${last.replaceAll('\n', '\n  ')}\n  analyzer ${world.flags.join(' ')}, files ${world.parts}`);
  if (last.startsWith('analyzer:')) return;
  for (const name of Object.keys(schemas).filter((t) => new RegExp(`\\b${t}\\b`).test(least.q.text))) {
    console.log(`  ${name}:\n    ${csv(schemas[name], world.rows[name]).trim().replaceAll('\n', '\n    ')}`);
  }
  world.rows = rows;
  await world.write();
}

// approximately says in which columns doubles may differ in their last places.
const approximately = (q, theirs) => theirs.approximate.map((a, c) => a || q.columns?.[c]?.kind === 'inexact');

// recorded is a statement with its answer, as tests without DuckDB hold it: numbers as {n: TEXT}.
function recorded(q, theirs) {
  const value = (v) => (Array.isArray(v) ? v.map(value) : v !== null && typeof v === 'object' ? { n: v.n } : v);
  return { text: q.text, approximate: approximately(q, theirs), by: q.by?.map((o) => o.place), file: q.file, rows: theirs.rows.map((row) => row.map(value)) };
}

async function hold(n, make) {
  const world = await World.make(n);
  const statements = make(world);
  const theirs = [];
  for (const q of statements) theirs.push(await world.duckdb(q.text));
  const ours = world.analyzer(statements.map((q) => q.text));
  const kept = [];
  for (const [i, q] of statements.entries()) {
    if (options.texts) appendFileSync(options.texts, `${JSON.stringify(q.text)}\n`);
    const { kind, why } = judge(q, ours[i], theirs[i]);
    counts[kind]++;
    if (kind === 'equal') answered[Math.min(theirs[i].rows.length, 3)]++;
    if (options.verbose) console.log(`${kind}: ${q.text}${why ? `\n  ${why}` : ''}`);
    if (kind === 'differing') await report(world, q.n, q, why);
    const { rows } = theirs[i];
    if (kind === 'equal' && rows.length > 0 && rows.length <= 20 && q.text.length < 1200 && !q.text.includes(dir)) kept.push(recorded(q, theirs[i]));
  }
  const columns = (schema) => Object.entries(schema).map(([name, kind]) => ({ name, type: sqlTypes[kind] }));
  if (options.golden) golden.push({ tables: Object.entries(schemas).map(([name, s]) => ({ name, columns: columns(s), csv: csv(s, world.rows[name]) })), statements: kept });
  world.connection.closeSync();
}

async function main() {
  if (options.gateway) { // Each statement would wait for two minutes for a cluster that is not there.
    const asked = spawnSync(options.analyzer, ['jobs', '--gateway', options.gateway], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (asked.status !== 0) {
      process.exitCode = 1;
      return;
    }
  }
  if (options.texts) writeFileSync(options.texts, '');
  const count = Number(options.count);
  if (options.only !== undefined) {
    const n = Number(options.only);
    await hold(Math.floor(n / perWorld), (world) => [generate(world, n)]);
  } else {
    await hold(0, () => fixed.map((text) => ({ text, n: -1 })));
    for (let n = 0; n < count; n += perWorld) {
      await hold(n / perWorld, (world) => Array.from({ length: Math.min(perWorld, count - n) }, (_, i) => generate(world, n + i)));
    }
  }
  if (options.golden) writeFileSync(options.golden, golden.map((w) => JSON.stringify(w)).join('\n') + '\n');
  console.log(`seed ${seed}: ${JSON.stringify(counts)}, of which so many have 0, 1, 2 and more rows: ${answered}`);
  process.exitCode = counts.differing > 0 ? 1 : 0;
}

try {
  await main();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
