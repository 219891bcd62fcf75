// Holds `analyzer sql` against DuckDB: the same statements, some fixed and many random, over the same random files.
//
//   node statements.mjs --analyzer FILE [--seed 1] [--count 300] [--texts FILE] [--verbose]
//
// Writes the statements to the file of --texts, each a JSON text on a line. Prints what differs with the seed that repeats it. Exit status 1 if anything does. Statements that one of the two
// refuses, by its rules or for an overflow, are counted; a statement that analyzer refuses as unsupported is one that
// the generator should not have made, and is an error.

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';

const { values: options } = parseArgs({
  options: {
    analyzer: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    count: { type: 'string', default: '300' },
    texts: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

// random is a generator of numbers from 0 to 1 that follow from a seed (mulberry32).
function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const texts = ['a', 'b', 'ab', 'Ab', ' a ', 'x,y', 'say "hi"', 'né', '日本', '100%', 'a_b', 'line\nbreak', 'zz top', 'A'];

const schemas = {
  t: { i: 'BIGINT', d: 'DECIMAL(18,6)', f: 'DOUBLE', s: 'VARCHAR', b: 'BOOLEAN', dt: 'DATE' },
  u: { k: 'BIGINT', e: 'DECIMAL(18,6)', w: 'VARCHAR', du: 'DATE' },
};

// Generator makes tables and statements.
class Generator {
  constructor(seed) {
    this.rng = random(seed);
  }

  int(n) { return Math.floor(this.rng() * n); }

  pick(list) { return list[this.int(list.length)]; }

  chance(p) { return this.rng() < p; }

  cell(type) {
    switch (type) {
      case 'BIGINT': return String(this.int(8) - 2);
      case 'DECIMAL(18,6)': return `${this.int(20) - 8}.${this.pick(['5', '25', '0', '125', '000001'])}`;
      case 'DOUBLE': return this.pick(['1e-3', '2.5e2', '-1.25e0', '0.1234567', '3.5e0', '7e0']);
      case 'BOOLEAN': return this.pick(['true', 'false']);
      case 'DATE': return `${2018 + this.int(4)}-${String(1 + this.int(12)).padStart(2, '0')}-${String(1 + this.int(28)).padStart(2, '0')}`;
      default: return `"${this.pick(texts).replaceAll('"', '""')}"`;
    }
  }

  // table writes a file of which the first row has a value in every column, so that types can be told, and a number
  // that is no integer in every column of numbers that are none.
  table(schema) {
    const rows = [Object.keys(schema).join(',')];
    const first = { BIGINT: '1', 'DECIMAL(18,6)': '0.5', DOUBLE: '1e-3', BOOLEAN: 'true', DATE: '2020-02-29', VARCHAR: 'a' };
    rows.push(Object.values(schema).map((t) => first[t]).join(','));
    const n = this.pick([0, 3, 20, 60]);
    for (let r = 0; r < n; r++) {
      rows.push(Object.values(schema).map((t) => (this.chance(0.15) ? '' : this.cell(t))).join(','));
    }
    return rows.join('\n') + '\n';
  }

  columns(type) {
    const kinds = { int: 'BIGINT', dec: 'DECIMAL(18,6)', float: 'DOUBLE', text: 'VARCHAR', bool: 'BOOLEAN', date: 'DATE' };
    return Object.entries(this.scope).filter(([, t]) => t === kinds[type]).map(([name]) => name);
  }

  leaf(type) {
    const columns = this.columns(type);
    if (columns.length && this.chance(0.75)) return this.pick(columns);
    switch (type) {
      case 'int': return String(this.int(6));
      case 'dec': return this.pick(['0.5', '1.25', '2.0']);
      case 'float': return this.pick(['1e0', '2.5e-1', '0.1234567']);
      case 'text': return `'${this.pick(['a', 'Ab', '', 'x,y', 'né'])}'`;
      case 'bool': return this.pick(['true', 'false']);
      default: return `DATE '${2018 + this.int(4)}-06-15'`;
    }
  }

  expr(type, depth = 2) {
    if (depth <= 0 || this.chance(0.3)) return this.leaf(type);
    const e = (t) => this.expr(t, depth - 1);
    const any = () => this.pick(['int', 'dec', 'text', 'date']);
    const same = [
      () => `CASE WHEN ${e('bool')} THEN ${e(type)} ELSE ${e(type)} END`,
      () => `coalesce(${e(type)}, ${e(type)})`,
      () => `nullif(${e(type)}, ${e(type)})`,
      () => `CASE ${e('int')} WHEN 1 THEN ${e(type)} WHEN 2 THEN ${e(type)} END`,
    ];
    const forms = {
      int: [
        () => `(${e('int')} + ${e('int')})`, () => `(${e('int')} - ${e('int')})`, () => `${e('int')} * 3`, () => `(${e('int')} // 2)`,
        () => `(${e('int')} % 3)`, () => `length(${e('text')})`, () => `year(${e('date')})`, () => `date_part('month', ${e('date')})`,
        () => `abs(${e('int')})`, () => `dayofweek(${e('date')})`, () => `dayofyear(${e('date')})`, () => `quarter(${e('date')})`,
        () => `greatest(${e('int')}, ${e('int')})`, () => `least(${e('int')}, ${e('int')})`, () => `CAST(${e('dec')} AS BIGINT)`,
        () => `CAST(${e('bool')} AS BIGINT)`, () => `(${e('date')} - ${e('date')})`, () => `date_diff('${this.pick(['day', 'week', 'month', 'quarter', 'year'])}', ${e('date')}, ${e('date')})`,
        () => `extract(${this.pick(['year', 'month', 'day', 'doy', 'isodow'])} FROM ${e('date')})`, () => `TRY_CAST(${e('text')} AS BIGINT)`, () => `(-${e('int')})`,
      ],
      dec: [() => `(${e('dec')} + ${e('int')})`, () => `(${e('dec')} - ${e('dec')})`, () => `abs(${e('dec')})`],
      float: [
        () => `(${e('int')} / nullif(${e('int')}, 0))`, () => `(${e('dec')} * ${e('dec')})`, () => `(${e('float')} + ${e('int')})`, () => `(${e('float')} * ${e('dec')})`,
        () => `(${e('dec')} / nullif(${e('int')}, 0))`, () => `CAST(${e('int')} AS DOUBLE)`, () => `TRY_CAST(${e('text')} AS DOUBLE)`, () => `floor(${e('float')})`,
      ],
      text: [
        () => `lower(${e('text')})`, () => `upper(${e('text')})`, () => `(${e('text')} || ${e('text')})`, () => `substr(${e('text')}, 2, 2)`,
        () => `trim(${e('text')})`, () => `replace(${e('text')}, 'a', 'bc')`, () => `CAST(${e('int')} AS VARCHAR)`, () => `left(${e('text')}, 1)`,
        () => `concat(${e('text')}, '-', ${e('text')})`, () => `CAST(${e('date')} AS VARCHAR)`, () => `CAST(${e('bool')} AS VARCHAR)`,
      ],
      bool: [
        () => { const t = any(); return `${e(t)} ${this.pick(['=', '<>', '<', '<=', '>', '>='])} ${e(t)}`; },
        () => `(${e('bool')} AND ${e('bool')})`, () => `(${e('bool')} OR ${e('bool')})`, () => `(NOT ${e('bool')})`,
        () => `${e(any())} IS NULL`, () => `${e(any())} IS NOT NULL`, () => `(${e('int')} IN (1, 2, ${e('int')}))`,
        () => `(${e('text')} NOT IN ('a', 'b'))`, () => `(${e('int')} BETWEEN 0 AND ${e('int')})`,
        () => `(${e('text')} ${this.pick(['LIKE', 'NOT LIKE', 'ILIKE'])} '${this.pick(['a%', '%b', '%a%', '_b', 'a\\_b', '%', '', 'x,_', '%é'])}')`,
        () => { const t = any(); return `(${e(t)} IS ${this.pick(['', 'NOT '])}DISTINCT FROM ${e(t)})`; },
        () => `contains(${e('text')}, 'a')`, () => `starts_with(${e('text')}, ${e('text')})`, () => `ends_with(${e('text')}, 'b')`,
        () => `regexp_matches(${e('text')}, '[ab]+$')`, () => `(${e('bool')} IS NOT TRUE)`, () => `(${e('int')} < ${e('dec')})`,
      ],
      date: [() => `(${e('date')} + INTERVAL ${this.pick(['3 DAY', '1 MONTH', '2 YEAR', "'5' WEEK", '1 QUARTER'])})::DATE`, () => `(${e('date')} - ${this.int(60)})`,
        () => `last_day(${e('date')})`, () => `date_trunc('${this.pick(['month', 'year', 'quarter', 'week'])}', ${e('date')})::DATE`],
    };
    const own = forms[type].concat(this.chance(0.3) ? same : []);
    return this.pick(own)();
  }

  anyExpr(depth = 2) { return this.expr(this.pick(['int', 'dec', 'float', 'text', 'bool', 'date']), depth); }

  aggregate() {
    const filter = this.chance(0.2) ? ` FILTER (WHERE ${this.expr('bool', 1)})` : '';
    const call = this.pick([
      () => 'count(*)', () => `count(${this.anyExpr(1)})`, () => `sum(${this.expr('int', 1)})`, () => `sum(${this.expr('dec', 1)})`,
      () => `avg(${this.expr('dec', 1)})`, () => `avg(${this.expr('int', 1)})`, () => `sum(${this.expr('float', 1)})`,
      () => `min(${this.expr('int', 1)})`, () => `max(${this.expr('dec', 1)})`, () => `max(${this.expr('date', 1)})`, () => `min(${this.expr('float', 1)})`,
      () => `count(DISTINCT ${this.anyExpr(1)})`, () => `sum(DISTINCT ${this.expr('int', 1)})`, () => `avg(DISTINCT ${this.expr('dec', 1)})`,
      () => `min(${this.expr('text', 1)})`, () => `max(${this.expr('text', 1)})`, () => `min(${this.expr('bool', 1)})`,
      () => `median(${this.expr(this.pick(['int', 'dec', 'float']), 1)})`, () => `quantile_disc(${this.expr(this.pick(['int', 'dec', 'date']), 1)}, 0.3)`,
      () => `quantile_cont(${this.expr(this.pick(['int', 'dec']), 1)}, ${this.pick(['0.25', '0.9', '0', '1'])})`,
      () => { const e = `lower(${this.pick(this.columns('text'))})`; return `string_agg(${this.chance(0.3) ? 'DISTINCT ' : ''}${e}, '-' ORDER BY ${e})`; },
      () => `bool_and(${this.expr('bool', 1)})`, () => `bool_or(${this.expr('bool', 1)})`,
    ])();
    return call.includes('ORDER BY') && filter ? call : call + filter;
  }

  where() {
    if (this.chance(0.15)) return ` WHERE ${this.pick(this.columns('int'))} + ${this.int(2)} IN (SELECT ${this.pick(['k', 'k + 1', 'length(w)'])} FROM u WHERE k > 0)`;
    if (this.chance(0.2)) return ` WHERE ${this.query()}${this.pick(['', ' AND ', ' OR '].map((w) => (w ? w + this.expr('bool', 1) : '')))}`;
    return this.chance(0.5) ? ` WHERE ${this.expr('bool', 2)}` : '';
  }

  // query is a condition with a query in it.
  query() {
    const int = this.expr('int', 1);
    const column = this.pick(this.columns('int'));
    return this.pick([
      () => `${int} NOT IN (SELECT k FROM u${this.pick(['', ' WHERE k IS NOT NULL', ' WHERE k > 3', ' WHERE k > 30'])})`,
      () => `(${int} IN (SELECT k FROM u WHERE k > 0)) IS ${this.pick(['NULL', 'NOT TRUE', 'TRUE'])}`,
      () => `${this.pick(['', 'NOT '])}EXISTS (SELECT 1 FROM u AS v WHERE v.k = ${column}${this.pick(['', ' AND v.e > 1', " AND v.w <> 'a'"])})`,
      () => `${this.pick(['', 'NOT '])}EXISTS (FROM u AS v WHERE v.k > ${this.int(8)})`,
      () => `${this.pick(['', 'NOT '])}EXISTS (FROM u AS v WHERE ${this.pick(['', `v.w = 'a' AND `, `v.k = ${column} AND `])}v.e ${this.pick(['<>', '<', '<=', '>', '>='])} ${int})`,
      () => `${int} > (SELECT ${this.pick(['avg(k)', 'min(k)', 'count(*)', 'max(k) - 3'])} FROM u AS v WHERE v.e > 0)`,
      () => `${int} <= (SELECT ${this.pick(['avg(v.e)', 'count(*)', 'max(v.e) - 1', 'count(v.w)'])} FROM u AS v WHERE v.k = ${column})`,
      () => `${int} ${this.pick(['NOT IN', 'IN'])} (SELECT v.k FROM u AS v WHERE v.k = ${column} - 1)`,
      () => `(SELECT k FROM u ORDER BY k LIMIT 1) = ${int}`,
      () => `${int} = ANY (SELECT k FROM u)`,
    ])();
  }

  from() {
    const f = this.pick(['t', 'u', 'join', 'join', 'sub']);
    switch (f) {
      case 't': this.scope = schemas.t; return 't';
      case 'u': this.scope = schemas.u; return 'u';
      case 'sub':
        this.scope = schemas.t;
        return `(SELECT *, i + 1 AS i2 FROM t${this.where()}) q`;
      default: {
        this.scope = { ...schemas.t, ...schemas.u };
        const on = this.pick(['i = k', 'i = e', 'f = k', 's = w', 'i + 1 = k', 'i = k AND s = w', 'dt = du', 'i = k AND d < e', 'd = e']);
        if (this.chance(0.05)) return `t, u WHERE (i = k AND ${this.expr('bool', 1)} OR ${this.expr('bool', 1)} AND i = k)`;
        if (this.chance(0.08)) return this.pick(['t CROSS JOIN u', 't JOIN u ON i < k', 't JOIN u ON i <> k AND d < e', 't LEFT JOIN u ON true']);
        if (this.chance(0.5)) {
          const kind = this.pick(['LEFT', 'RIGHT', 'FULL', 'LEFT OUTER', 'SEMI', 'ANTI']);
          if (kind === 'SEMI' || kind === 'ANTI') this.scope = schemas.t;
          return `t ${kind} JOIN u ON ${this.pick(['i = k', 'i = e', 'f = k', 's = w', 'i + 1 = k', 'i = k AND s = w', 'dt = du', 'i = k AND d < 2', 'd = e AND k > 1', 'i = k AND b'])}`;
        }
        return this.chance(0.3) ? `t, u WHERE ${on}` : `t JOIN u ON ${on}`;
      }
    }
  }

  statement() {
    const kind = this.pick(['rows', 'rows', 'group', 'group', 'group', 'distinct', 'union', 'with', 'count']);
    const from = this.from();
    const where = from.includes(' WHERE ') && from.startsWith('t, u') ? (this.chance(0.4) ? ` AND ${this.expr('bool', 1)}` : '') : this.where();
    const tail = () => (this.chance(0.3) ? ` ORDER BY ALL${this.pick(['', ' DESC'])} LIMIT ${this.int(12)}${this.chance(0.3) ? ` OFFSET ${this.int(5)}` : ''}` : '');
    switch (kind) {
      case 'rows': {
        const n = 1 + this.int(3);
        const items = Array.from({ length: n }, (_, c) => `${this.chance(0.06) ? this.query() : this.anyExpr(3)} AS c${c}`);
        return `SELECT ${items.join(', ')} FROM ${from}${where}${tail()}`;
      }
      case 'group': {
        const keys = Array.from({ length: 1 + this.int(2) }, (_, c) => `${this.expr(this.pick(['int', 'text', 'date', 'bool', 'dec']), 1)} AS k${c}`);
        const aggregates = Array.from({ length: 1 + this.int(3) }, (_, c) => `${this.aggregate()} AS a${c}`);
        const having = this.chance(0.3) ? ` HAVING count(*) ${this.pick(['>', '<='])} ${this.int(5)}` : '';
        return `SELECT ${[...keys, ...aggregates].join(', ')} FROM ${from}${where} GROUP BY ALL${having}${tail()}`;
      }
      case 'count': {
        const aggregates = Array.from({ length: 1 + this.int(3) }, (_, c) => `${this.aggregate()} AS a${c}`);
        return `SELECT ${aggregates.join(', ')} FROM ${from}${where}`;
      }
      case 'distinct':
        return `SELECT DISTINCT ${this.expr('int', 2)} AS c0, ${this.expr('text', 1)} AS c1 FROM ${from}${where}${tail()}`;
      case 'union': {
        const one = `SELECT ${this.expr('int', 2)} AS c0, ${this.expr('dec', 1)} AS c1 FROM ${from}${where}`;
        const other = this.from();
        return `${one} ${this.pick(['UNION ', 'UNION ALL ', 'INTERSECT ', 'EXCEPT '])}SELECT ${this.expr('int', 2)}, ${this.expr('int', 1)} FROM ${other}`;
      }
      default: {
        const inner = `SELECT ${this.expr('int', 1)} AS g, count(*) AS n, sum(${this.expr('dec', 1)}) AS v FROM ${from}${where} GROUP BY 1`;
        return `WITH x AS (${inner}) SELECT g, n, v / n AS r, g + n AS h FROM x WHERE n > ${this.int(3)}${tail()}`;
      }
    }
  }
}

// value makes one form of what the two programs give.
function value(v) {
  if (v === null || v === undefined) return null;
  if (typeof v === 'bigint') return Number(v);
  if (typeof v === 'number' || typeof v === 'boolean') return v;
  if (typeof v === 'string') return v;
  const text = v.toString();
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function same(a, b) {
  if (typeof a === 'number' && typeof b === 'number') {
    return a === b || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b), 1e-3);
  }
  return a === b;
}

// key orders rows alike in spite of the last places of numbers.
const key = (row) => JSON.stringify(row.map((v) => (typeof v === 'number' ? v.toPrecision(9) : v)));

// difference says how two answers differ as sets of rows, which is all that LIMIT by ORDER BY ALL leaves to say.
function difference(ours, theirs) {
  if (ours.length !== theirs.length) return `${ours.length} rows, DuckDB has ${theirs.length}`;
  const a = ours.toSorted((x, y) => (key(x) < key(y) ? -1 : 1));
  const b = theirs.toSorted((x, y) => (key(x) < key(y) ? -1 : 1));
  for (let r = 0; r < a.length; r++) {
    for (let c = 0; c < a[r].length; c++) {
      if (!same(a[r][c], b[r][c])) return `${JSON.stringify(a[r])}, DuckDB has ${JSON.stringify(b[r])}`;
    }
  }
  return '';
}

function analyzer(dir, statement) {
  const out = execFileSync(options.analyzer, [
    'sql', '--quiet', '--format', 'json', '--table', `t=${join(dir, 't.csv')}`, '--table', `u=${join(dir, 'u.csv')}`, statement,
  ], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return JSON.parse(out).answer.rows;
}

async function duckdb(connection, statement) {
  const reader = await connection.runAndReadAll(statement);
  return reader.getRows().map((row) => row.map(value));
}

// fixed are statements of what the generator does not make.
const fixed = [
  'SELECT * FROM t', 'FROM t SELECT i, count(*) GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT 3', 'SELECT * EXCLUDE (s) REPLACE (i + 1 AS i) FROM t',
  'SELECT a.i, b.d FROM t a JOIN t b ON a.i = b.i', 'SELECT a.i, count(*) FROM t a, t b, u WHERE a.i = b.i AND b.i = u.k GROUP BY a.i',
  'SELECT i AS x FROM t WHERE x > 1 ORDER BY x', 'SELECT k, w FROM u ORDER BY w DESC, k, e LIMIT 4',
  'WITH a AS (SELECT i, s FROM t), b AS (SELECT * FROM a WHERE i > 0) SELECT b.i, a.s FROM a JOIN b USING (i)',
  'SELECT i, s FROM t WHERE i IN (SELECT k FROM u) AND s IS NOT NULL ORDER BY ALL LIMIT 4', "SELECT count(*) FROM t WHERE s IN (SELECT w FROM u WHERE w <> 'a') AND i > 0",
  'SELECT -i AS i FROM t ORDER BY i + 1 LIMIT 3', 'SELECT -i AS i FROM t ORDER BY i LIMIT 3', 'SELECT 1, 2 FROM t GROUP BY ALL',
  'SELECT i + 1 AS x, count(*) FROM t GROUP BY x HAVING x > 1 ORDER BY x', 'SELECT i AS a, a + 1 AS b2 FROM t WHERE b2 > 2',
  'SELECT stddev(f), stddev_samp(i), count(*) FROM t', "SELECT i FROM t WHERE dt >= '2019-01-01' AND dt < '2020-01-01'",
  'SELECT count(*) FILTER (WHERE b), count_if(NOT b), min(b), max(b) FROM t', 'SELECT 1 + 1, NULL, true AND NULL, -7 // 2, -7 % 3, 1 / 2',
  "SELECT '2020-02-30' < 'x', 'a' || 1, round(2.5), round(-2.5), round(1.234, 2), floor(-1.5), ceil(-1.5)",
  'SELECT * FROM t LEFT JOIN u ON i = k', 'SELECT k, i, t.s FROM u FULL JOIN (SELECT i AS k, s, i FROM t) t USING (k) ORDER BY ALL', 'SELECT * EXCLUDE (s) FROM u RIGHT JOIN (SELECT i AS k, s FROM t) t USING (k)',
  'SELECT k, count(*) FROM u FULL JOIN (SELECT e AS k FROM u) v USING (k) GROUP BY k', 'SELECT i FROM t ORDER BY i OFFSET 3', 'SELECT i FROM t ORDER BY i DESC LIMIT 2 OFFSET 1',
  'SELECT a.i, b.k, c.d FROM t a LEFT JOIN u b ON a.i = b.k LEFT JOIN t c ON b.k = c.i AND c.d > 1', 'SELECT count(*) FROM t a, t b', 'SELECT * FROM u SEMI JOIN t ON k = i AND b',
  'SELECT * FROM u ANTI JOIN t ON k = i', 'SELECT i, (SELECT count(*) FROM u WHERE k = i), (SELECT max(e) FROM u WHERE k = i AND e > 1) IS NULL FROM t', 'SELECT (SELECT max(k) FROM u), (SELECT 5)',
  'SELECT i, count(*) FROM t GROUP BY i HAVING count(*) > (SELECT avg(k) FROM u) OR i NOT IN (SELECT k FROM u WHERE k IS NOT NULL)',
  'SELECT sum((SELECT max(k) FROM u)), i IN (SELECT k FROM u) AS x FROM t GROUP BY x', 'SELECT i FROM t WHERE NULL IN (SELECT k FROM u) IS NULL', 'SELECT 1 IN (SELECT k FROM u), NULL NOT IN (SELECT k FROM u WHERE k > 99)',
  'SELECT a.i FROM t a JOIN (t b LEFT JOIN u ON b.i = u.k) ON a.i = b.i WHERE u.k IS NULL', 'SELECT count(*) FROM t LEFT JOIN u ON i = k AND i = e WHERE e IS NULL',
  'SELECT i, s FROM t UNION ALL BY NAME SELECT w AS s, k FROM u', 'SELECT i FROM t UNION BY NAME SELECT i, d FROM t', 'SELECT b, s FROM t INTERSECT SELECT b, s FROM t WHERE i > 0', 'SELECT b FROM t EXCEPT SELECT true',
  "VALUES (1, 'x'), (2, NULL)", "SELECT * FROM (VALUES (1, DATE '2020-01-31'), (2.5, NULL)) v(n, d) WHERE n > 1", 'SELECT i FROM t WHERE i IN (VALUES (1), (3))', "SELECT (DATE '2020-01-31' + INTERVAL 1 MONTH)::DATE, DATE '2020-02-29' - DATE '2019-02-28'",
  'SELECT max(x) FROM (SELECT i + k AS x FROM t JOIN u ON i = k WHERE i IS NOT NULL)', 'SELECT DISTINCT b FROM t ORDER BY b',
];

async function main() {
  const seed = Number(options.seed);
  const count = Number(options.count);
  const counts = { equal: 0, differing: 0, refused: 0, both: 0 };
  if (options.texts) writeFileSync(options.texts, '');
  const dir = mkdtempSync(join(tmpdir(), 'analyzer-statements-'));
  try {
    for (let n = -1; n < count; n++) {
      const g = new Generator(seed * 10_007 + Math.floor(Math.max(n, 0) / 20));
      const connection = await tables(g, dir);
      const one = new Generator(seed * 7919 + n);
      for (const statement of n < 0 ? fixed : [one.statement()]) await hold(connection, dir, statement, `${seed}, statement ${n}`, counts);
      connection.closeSync();
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
  console.log(`seed ${seed}: ${JSON.stringify(counts)}`);
  process.exitCode = counts.differing > 0 ? 1 : 0;
}

async function tables(g, dir) {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
  for (const [name, schema] of Object.entries(schemas)) {
    const file = join(dir, `${name}.csv`);
    writeFileSync(file, g.table(schema));
    const columns = Object.entries(schema).map(([c, t]) => `'${c}': '${t}'`).join(', ');
    await connection.run(`CREATE TABLE ${name} AS FROM read_csv('${file}', header = true, quote = '"', delim = ',', columns = {${columns}})`);
  }
  return connection;
}

async function hold(connection, dir, statement, where, counts) {
  let ours;
  let theirs;
  let refusal = '';
  try {
    theirs = await duckdb(connection, statement);
  } catch (e) {
    theirs = e.message.split('\n')[0];
  }
  try {
    ours = analyzer(dir, statement);
  } catch (e) {
    refusal = (e.stderr ?? e.message).trim();
  }
  if (options.verbose) console.log(statement);
  if (options.texts) appendFileSync(options.texts, `${JSON.stringify(statement)}\n`);
  if (typeof theirs === 'string') {
    counts[refusal ? 'both' : 'refused']++;
    if (!refusal) console.log(`DuckDB alone refuses: ${statement}\n  ${theirs}`);
    return;
  }
  const why = refusal || difference(ours, theirs);
  if (!why) {
    counts.equal++;
    return;
  }
  counts.differing++;
  console.log(`seed ${where}:\n  ${statement}\n  ${why.replaceAll('\n', '\n  ')}`);
}

await main();
