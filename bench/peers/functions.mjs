// Compares every function, operator and cast of `analyzer sql` with DuckDB's, over values at the ends and in the middle of
// each type.
//
//   node functions.mjs --analyzer FILE [--only TEXT] [--most 40] [--seed 1] [--part 0/1] [--types] [--verbose]
//
// A form (random/forms.mjs) is asked for all values of its arguments at once, as columns and as constants. --most bounds how
// many combinations of types a form is asked for; --only asks the forms that contain a text. What errs in a row is NULL on
// both sides, and asked again alone. The exit status is 1 when anything differs.

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { Choices } from './random/choices.mjs';
import { answersOf } from './random/compare.mjs';
import { choices, formsOf, operators } from './random/forms.mjs';
import { takes, types } from './random/values.mjs';

const { values: options } = parseArgs({
  options: {
    analyzer: { type: 'string' }, only: { type: 'string', default: '' }, most: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' },
    part: { type: 'string', default: '0/1' }, types: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false },
  },
});

const counts = { equal: 0, differing: 0, alike: 0, declared: 0, overflows: 0, onlyAnalyzer: 0, onlyDuckDB: 0, neither: 0 };
let connection = await connected();

async function connected() {
  const c = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await c.run("SET disabled_optimizers = 'expression_rewriter'; SET TimeZone = 'UTC'");
  return c;
}

// duckdb returns rows of texts and numbers, or why there are none.
async function duckdb(statement) {
  try {
    return { rows: (await connection.runAndReadAll(statement)).getRows() };
  } catch (e) {
    if (/INTERNAL|FATAL/.test(e.message)) connection = await connected(); // DuckDB answers nothing more
    return { refusal: e.message.split('\n')[0] };
  }
}

// analyzer returns the answers to statements, or why there is none.
function analyzer(statements) {
  const out = [];
  while (out.length < statements.length) {
    const ran = spawnSync(options.analyzer, ['sql', '--quiet', '--format', 'json', '--file', '-'], { encoding: 'utf8', input: statements.slice(out.length).join(';\n'), maxBuffer: 1 << 28 });
    out.push(...answersOf(ran.stdout).slice(0, statements.length - out.length).map((rows) => ({ rows: rows.map((row) => row.map((v) => (v !== null && typeof v === 'object' ? Number(v.n) : v))) })));
    if (out.length < statements.length) out.push({ refusal: ran.stderr.trim().split('\n')[0] || `exit status ${ran.status} ${ran.signal}` });
  }
  return out;
}

const casted = (type, text) => (type === 'JSON' && text !== 'NULL' ? `${text}::JSON` : `CAST(${text} AS ${type})`);

// call is a form with arguments: at each place of a word the text that of returns.
const call = (form, of) => { let n = 0; return form.replace(/\{[a-z][a-z ]*\}/g, () => of(n++)); };

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

// json reads a text of JSON, whose numbers and escapes may be written in several ways.
function json(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

// same compares two values as texts; numbers within texts of other types by value, doubles nearly.
function same(ours, theirs, type, form, within = 1e-12) {
  if (ours === theirs) return true;
  if (ours === null || theirs === null) return false;
  if (/json/i.test(form) && json(ours) === json(theirs)) return true;
  if (/^(VARCHAR|JSON|BLOB|UUID)$/.test(type) && !/concat|\|\||array_to_string|list_to_string|VARCHAR|JSON|json|format|printf|string_agg/.test(form)) return false; // numbers print as answers show them
  const [a, b] = [ours, theirs].map((s) => s.replaceAll(/\binfinity\b/g, 'inf').replaceAll('-nan', 'nan').toLowerCase());
  if (a.replaceAll(number, '#') !== b.replaceAll(number, '#')) return false;
  const [x, y] = [a, b].map((s) => s.match(number) ?? []);
  const near = /DOUBLE|FLOAT/.test(type);
  const plain = (n) => n.replace(/^(-?\d+)\.(\d*?)0*$/, '$1.$2').replace(/\.$/, '').replace(/^-0$/, '0');
  return x.every((n, i) => plain(n) === plain(y[i]) || near && Math.abs(Number(n) - Number(y[i])) <= within * Math.max(Math.abs(Number(n)), Math.abs(Number(y[i])), 1e-300) || near && Number(n) === Number(y[i]));
}

const family = (type) => type.replaceAll(/\b(TINYINT|SMALLINT|INTEGER|UTINYINT|USMALLINT|UINTEGER)\b/g, 'BIGINT').replaceAll(/\b(UBIGINT|UHUGEINT)\b/g, 'HUGEINT').replaceAll(/\bFLOAT\b/g, 'DOUBLE').replaceAll(/DECIMAL\(\d+,\s*\d+\)/g, 'DECIMAL').replaceAll(/\[\d+\]/g, '[]').replace(/^"NULL"$/, 'NULL');

const isOverflow = (why) => /overflow|out of range|not in the range|does not fit|too large|no finite|no such number/i.test(why ?? '');

// report counts and prints a difference, unless a page declares it; of each form and types two.
const seen = new Map();
async function report(what, where, ours, theirs) {
  if (choices.some((c) => c.form.test(where.form) && (c.values?.test(where.text) ?? true) && (c.ours?.test(ours) ?? true) && (c.theirs?.test(theirs) ?? true))) {
    counts.declared++;
    return;
  }
  const key = `${where.form} ${where.types} ${ours === 'null'} ${theirs === 'null'}`;
  const before = seen.get(key) ?? 0;
  seen.set(key, before + 1);
  if (before >= 2 && !options.verbose) {
    counts.alike++;
    return;
  }
  if (what !== 'group' && (ours === 'null' && isOverflow(analyzer([`SELECT ${where.text}`])[0].refusal) || theirs === 'null' && isOverflow((await duckdb(`SELECT ${where.text}`)).refusal))) {
    counts.overflows++;
    return;
  }
  counts.differing++;
  console.log(`${what}: ${where.text}\n  ${ours}, in DuckDB ${theirs}`);
}

async function ask(form, args) {
  const names = args.map((_, n) => `a${n}`);
  const where = { form, types: args.map(([t]) => t).join(', ') };
  const column = call(form, (n) => `a${n}.x`);
  const table = ([type, texts], n) => `(VALUES ${texts.map((t, r) => `(${r}, ${casted(type, t)})`).join(', ')}) a${n}(n, x)`;
  const from = args.length ? ` FROM ${args.map(table).join(', ')}` : '';
  const places = names.map((a) => `${a}.n, `).join('');
  const literal = (at) => call(form, (n) => casted(args[n][0], args[n][1][at[n]]));
  const theirs = await duckdb(`SELECT ${places}typeof(TRY(${column})), CAST(TRY(${column}) AS VARCHAR)${from}`);
  const probe = analyzer([`SELECT ${places}typeof(TRY(${column})) t, CAST(TRY(${column}) AS VARCHAR) v${from}`])[0];
  if (theirs.refusal || probe.refusal) {
    counts[theirs.refusal ? (probe.refusal ? 'neither' : 'onlyAnalyzer') : 'onlyDuckDB']++;
    if (options.types && theirs.refusal && !probe.refusal) console.log(`only analyzer: ${form} of ${where.types}: ${theirs.refusal.slice(0, 150)}`);
    if (options.types && !theirs.refusal) console.log(`only DuckDB: ${form} of ${where.types}: ${probe.refusal.slice(0, 200)}`);
    return;
  }
  const type = theirs.rows[0]?.[args.length] ?? '';
  const ourType = probe.rows[0]?.[args.length] ?? '';
  if (family(type) !== family(ourType) && options.types) console.log(`type: ${form} of ${where.types}: ${ourType}, in DuckDB ${type}`);
  const expected = new Map(theirs.rows.map((row) => [row.slice(0, args.length).join(), row.at(-1)]));
  const check = async (at, value, how) => {
    const want = expected.get(at.join());
    if (want === undefined) throw new Error(`${form}: no row ${at}`);
    if (same(value, want, type, form)) counts.equal++;
    else await report(how, { ...where, text: literal(at) }, JSON.stringify(value), JSON.stringify(want));
  };
  for (const row of probe.rows) await check(row.slice(0, args.length), row.at(-1), 'columns');
  // Constants, all of them, and one of the arguments beside columns.
  const all = [...expected.keys()].filter((k) => k !== '' || args.length === 0).map((k) => (k === '' ? [] : k.split(',').map(Number)));
  const chunks = [];
  for (let i = 0; i < all.length; i += 100) chunks.push(all.slice(i, i + 100));
  const constants = analyzer(chunks.map((some) => `SELECT ${some.map((at, n) => `CAST(TRY(${literal(at)}) AS VARCHAR) c${n}`).join(', ')}`));
  for (const [i, { rows }] of constants.entries()) for (const [n, at] of chunks[i].entries()) if (rows) await check(at, rows[0][n], 'constants');
  if (args.length > 1) {
    for (let j = 0; j < args.length; j++) {
      const others = args.map((_, n) => n).filter((n) => n !== j);
      const items = args[j][1].map((t, r) => `CAST(TRY(${call(form, (n) => (n === j ? casted(args[j][0], t) : `a${n}.x`))}) AS VARCHAR) c${r}`);
      const text = (some) => `SELECT ${others.map((n) => `a${n}.n n${n}`).join(', ')}, ${some.join(', ')} FROM ${others.map((n) => table(args[n], n)).join(', ')}`;
      let columns = items.map((_, r) => r);
      let [answer] = analyzer([text(items)]);
      if (answer.refusal) { // some constant is refused
        const single = analyzer(items.map((item) => text([item])));
        columns = columns.filter((r) => !single[r].refusal);
        answer = { rows: columns.length ? analyzer([text(columns.map((r) => items[r]))])[0].rows : [] };
      }
      for (const row of answer.rows) {
        for (const [c, r] of columns.entries()) {
          const at = [];
          others.forEach((n, k) => { at[n] = row[k]; });
          at[j] = r;
          await check(at, row[others.length + c], 'a constant');
        }
      }
    }
  }
  await errors(where, form, args, all, expected, literal, from, places, column, names);
}

// errors compares what errs with what is NULL.
async function errors(where, form, args, all, expected, literal, from, places, column, names) {
  const nulls = all.filter((at) => expected.get(at.join()) === null).slice(0, 150);
  const erring = [];
  const silent = [];
  for (const at of nulls) ((await duckdb(`SELECT CAST(${literal(at)} AS VARCHAR)`)).refusal ? erring : silent).push(at);
  if (silent.length && args.length) {
    const [answer] = analyzer([`SELECT CAST(${column} AS VARCHAR) v${from} WHERE ${silent.map((at) => `(${names.map((a, n) => `${a}.n = ${at[n]}`).join(' AND ')})`).join(' OR ')}`]);
    if (answer.refusal && !isOverflow(answer.refusal)) await report('an error', { ...where, text: `${form} of ${where.types}` }, answer.refusal.slice(0, 200), 'NULL');
  }
  const c = new Choices(silent.length);
  for (let n = 0; n < Math.min(2, erring.length); n++) {
    const at = c.pick(erring);
    const [answer] = analyzer([`SELECT CAST(${literal(at)} AS VARCHAR) v`]);
    const why = (await duckdb(`SELECT CAST(${literal(at)} AS VARCHAR)`)).refusal;
    if (!answer.refusal && !isOverflow(why) && !/INTERNAL|FATAL/.test(why)) await report('no error', { ...where, text: literal(at) }, JSON.stringify(answer.rows[0][0]), `an error: ${why.slice(0, 120)}`);
  }
}

// aggregated compares an aggregate over groups of rows: of one value, of neighbours, of every third, of all, and in the frames
// of windows, or a function of windows (whose form has an OVER).
async function aggregated(form, args) {
  const where = { form, types: args.map(([t]) => t).join(', ') };
  const c = new Choices(args.length);
  const length = Math.max(1, ...args.map(([, texts]) => texts.length));
  const row = (i) => args.map(([type, texts]) => casted(type, texts[(i + c.int(args.length > 1 ? 3 : 1)) % texts.length])).join(', ');
  const rows = [];
  const group = (members) => members.forEach((i) => rows.push(`(${rows.length}, ${groups}, ${row(i)})`));
  let groups = 0;
  const all = Array.from({ length }, (_, i) => i);
  for (const members of [...all.map((i) => [i]), ...all.slice(1).map((i) => [i - 1, i]), ...all.map((i) => [i, i, 0]), all.filter((i) => i % 3 === 0), all.slice(0, 5), all, [...all, ...all]]) {
    group(members);
    groups++;
  }
  const from = `(VALUES ${rows.join(', ')}) a(n, g, ${args.map((_, n) => `x${n}`).join(', ') || 'x'})`;
  const call1 = call(form, (n) => `x${n}`);
  const over = form.includes(' OVER ');
  for (const text of over ? [[call1.replace('OVER (', 'OVER (PARTITION BY g ORDER BY n '), 'n']] : [
    [call1, 'g'], [call1.replace(/\((?!\*)/, '(DISTINCT '), 'g'], [`${call1} FILTER (WHERE n % 2 = 0)`, 'g'],
    [`${call1} OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW)`, 'n'], [`${call1} OVER (ORDER BY n ROWS 2 PRECEDING)`, 'n'],
  ]) {
    if (/DISTINCT/.test(text[0]) && (args.length !== 1 || /ORDER BY/.test(form))) continue;
    const ask = (condition) => `SELECT g k, ${text[1]} n, typeof(${text[0]}) t, CAST(${text[0]} AS VARCHAR) v FROM ${from}${condition}${text[1] === 'g' ? ' GROUP BY g' : ''}`;
    const both = async (condition) => [await duckdb(ask(condition)), analyzer([ask(condition)])[0]];
    const [theirs, ours] = await both('');
    let pairs = [[theirs, ours]];
    if (theirs.refusal && ours.refusal && !isOverflow(theirs.refusal) && !isOverflow(ours.refusal)) {
      counts.neither++;
      continue;
    }
    if (theirs.refusal || ours.refusal) {
      if (options.types && !isOverflow(theirs.refusal) && !isOverflow(ours.refusal)) console.log(`only ${theirs.refusal ? 'analyzer' : 'DuckDB'}: ${text[0]} of ${where.types}: ${(theirs.refusal ?? ours.refusal).slice(0, 200)}`);
      counts[theirs.refusal ? 'onlyAnalyzer' : 'onlyDuckDB']++;
      if (!isOverflow(theirs.refusal) && !isOverflow(ours.refusal)) continue;
      pairs = [];
      for (let g = 0; g < groups; g++) pairs.push(await both(` WHERE g = ${g}`));
    }
    for (const [their, our] of pairs) {
      if (their.refusal || our.refusal) continue;
      const expected = new Map(their.rows.map((r) => [r[1], r]));
      for (const [k, n, type, value] of our.rows) {
        const [, , want, v] = expected.get(n);
        if (family(type) !== family(want) && options.types && n === 0) console.log(`type: ${text[0]} of ${where.types}: ${type}, in DuckDB ${want}`);
        if (same(value, v, want, form, 1e-9)) counts.equal++;
        else await report('group', { ...where, form: text[0], text: `${text[0]} of ${where.types}: ${rows.filter((r) => r.split(', ')[1] === String(k)).map((r) => r.split(', ').slice(2).join(', ')).join('; ').slice(0, 500)}` }, JSON.stringify(value), JSON.stringify(v));
      }
    }
  }
}

function product(lists) {
  return lists.reduce((all, list) => all.flatMap((head) => list.map((one) => [...head, one])), [[]]);
}

async function main() {
  const most = Number(options.most);
  const { rows } = await listed();
  const casts = types.flatMap((t) => ['CAST', 'TRY_CAST'].map((c) => `${c}({value} AS ${t})`));
  // {=word} stands for each value of a word, where both programs want a constant.
  const constant = (form) => { const m = /\{=([a-z][a-z ]*)\}/.exec(form); return m ? takes(m[1]).flatMap(([, of]) => of).flatMap((v) => constant(form.replace(m[0], () => v))) : [form]; };
  const some = (form) => { const c = new Choices(Number(options.seed)); const all = constant(form); while (all.length > most) all.splice(c.int(all.length), 1); return all; };
  const named = (...kinds) => rows.filter(([, kind]) => kinds.includes(kind)).flatMap(([name, kind, usage]) => formsOf({ name, usage, kind }));
  const over = new Set(named('aggregate', 'window').flatMap(some));
  const forms = [...new Set([...[...named('scalar'), ...operators, ...casts].flatMap(some), ...over])].filter((f) => f.includes(options.only));
  const [part, parts] = options.part.split('/').map(Number);
  for (const [n, form] of forms.entries()) {
    if (n % parts !== part) continue;
    const c = new Choices(Number(options.seed) * 7919 + n);
    let all;
    try {
      all = product([...form.matchAll(/\{([a-z][a-z ]*)\}/g)].map(([, word]) => takes(word)));
    } catch (e) {
      console.log(`${form}: ${e.message}`);
      continue;
    }
    while (all.length > most) all.splice(c.int(all.length), 1);
    const before = { ...counts };
    for (const args of all) {
      let small = args; // at most some 500 rows
      while (small.reduce((p, [, t]) => p * t.length, 1) > 500) small = small.map(([t, texts]) => [t, texts.length > 4 ? texts.toSpliced(1 + c.int(texts.length - 1), 1) : texts]);
      await (over.has(form) ? aggregated : ask)(form, small);
    }
    if (counts.equal + counts.differing === before.equal + before.differing) console.log(`never asked: ${form}`);
  }
  console.log(JSON.stringify(counts));
  process.exitCode = counts.differing > 0 ? 1 : 0;
}

async function listed() {
  return analyzer(['SELECT function_name, function_type, signature FROM duckdb_functions()'])[0];
}

await main();
