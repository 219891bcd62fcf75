// Random statements of the whole dialect.
//
// A statement comes with the part of its answer's order that is determined: the columns it is ordered by, or the order of
// the file. Values of kind "inexact" are doubles in which the two programs may differ by a rounding error: they appear in
// answers, but statements do not compare, group or order by them.

import { collected, isList, listOf, ofLists } from './lists.mjs';
import { schemas, sqlTypes } from './tables.mjs';
import { windows } from './windows.mjs';

const compared = ['=', '<>', '<', '<=', '>', '>='];
const plain = ['int', 'text', 'date', 'dec', 'bool', 'float', 'time'];
const all = [...plain, 'big', 'wide', 'real'];
// A total is a sum of decimals: statements compare, group and order by it, but do little else with it.
const ordered = [...all, 'total'];
// The kinds that are converted to a kind when they appear beside it.
const narrower = { dec: ['int'], float: ['int', 'dec'], time: ['date'], total: ['dec', 'int'], wide: ['dec'], big: ['int'], real: ['float'] };

export class Generator {
  // files holds, by table, other texts for FROM that read the same table.
  constructor(choices, files = {}) {
    this.c = choices;
    this.files = files;
    this.aliases = 0;
    this.scope = []; // {table, name, kind}
    this.withs = []; // {name, columns}
    this.inner = 0; // how many more levels of nested queries are allowed
    this.mayQuery = false; // whether the current expression may contain queries
  }

  pick(list) { return this.c.pick(list); }

  chance(p) { return this.c.chance(p); }

  int(n) { return this.c.int(n); }

  alias() { return `a${this.aliases++}`; }

  times(least, most, f) { return Array.from({ length: least + this.int(most - least + 1) }, (_, i) => f(i)); }

  // statement returns one statement.
  statement() {
    this.inner = 3;
    const q = this.query(2);
    return q;
  }

  // --- values

  columns(kind) { return this.scope.filter((f) => f.kind === kind); }

  name(f) {
    const twice = (this.known ?? this.scope).filter((g) => g.name === f.name).length > 1 || this.outer?.some((g) => g.name === f.name);
    return twice || this.chance(0.3) ? `${f.table}.${f.name}` : f.name;
  }

  leaf(kind) {
    const columns = this.columns(kind);
    if (columns.length && !this.chance(kind === 'bool' ? 0.03 : 0.12)) return this.name(this.pick(columns));
    // A comparison tests more than a constant.
    if (kind === 'bool' && this.scope.length && this.chance(0.8)) return this.comparison((k) => this.leaf(k));
    return this.literal(kind);
  }

  // cell returns an unmodified text column of a table: DuckDB also reads parts of dates as dates.
  cell() {
    const columns = this.columns('text').filter((f) => f.cell);
    return columns.length ? this.name(this.pick(columns)) : "'2020-01-05'";
  }

  literal(kind) {
    switch (kind) {
      case 'int': return this.pick(['0', '1', '2', '3', '-1', '7']);
      case 'dec': return this.pick(['0.5', '1.25', '2.0', '-0.25']);
      case 'float': return this.pick(['1e0', '2.5e-1', '-2e0']);
      case 'big': return this.pick(['9223372036854775807', '0', '-9223372036854775807', '9007199254740993']);
      case 'total': return '0.5';
      case 'wide': return this.pick(['0.000001', '999999999999.999999', '-2.5']);
      case 'real': return this.pick(['1e308', '0.1e0', '5e-324', '-1e-300']);
      case 'text': return this.pick(["'a'", "'Ab'", "''", "'x,y'", "'né'", "'日本'", "'12'", "'it''s'"]);
      case 'bool': return this.pick(['true', 'false']);
      case 'time': return this.pick(["TIMESTAMP '2020-06-15 10:30:00'", "TIMESTAMP '2019-01-31 23:59:59.999999'", "TIMESTAMP '1969-12-31'"]);
      default: return this.pick(["DATE '2020-06-15'", "DATE '2019-01-31'", "DATE '2020-02-29'", "DATE '1969-12-31'"]);
    }
  }

  expr(kind, depth = 2) {
    if (depth <= 0 || this.chance(0.3)) return this.leaf(kind);
    if (this.chance(0.12)) return this.same(kind, depth - 1);
    const e = (k) => this.expr(k, depth - 1);
    const lists = this.chance(this.scope.some((f) => isList(f.kind)) ? 0.4 : 0.06) ? ofLists(this, kind, e) : [];
    return this.pick(lists.length ? lists : this.forms(kind, e))();
  }

  orNarrower(kind) { return narrower[kind] && this.chance(0.15) ? this.pick(narrower[kind]) : kind; }

  // same combines values of a kind into one of the same kind.
  same(kind, depth) {
    const e = (k) => this.expr(k === kind ? this.orNarrower(k) : k, depth);
    const forms = [
      () => `coalesce(${e(kind)}, ${e(kind)})`,
      () => `CASE WHEN ${e('bool')} THEN ${e(kind)} ELSE ${e(kind)} END`,
      () => `CASE WHEN ${e('bool')} THEN ${e(kind)} WHEN ${e('bool')} THEN ${e(kind)} END`,
      () => `nullif(${e(kind)}, ${e(kind)})`,
      () => `CASE ${e('int')} WHEN 1 THEN ${e(kind)} WHEN 2 THEN ${e(kind)} END`,
      () => `if(${e('bool')}, ${e(kind)}, ${e(kind)})`,
      () => `ifnull(${e(kind)}, ${this.literal(kind)})`,
      () => `coalesce(NULL, ${e(kind)}, ${e(kind)})`,
    ];
    if (kind !== 'bool') forms.push(() => `${this.pick(['greatest', 'least'])}(${this.times(2, this.chance(0.3) ? 6 : 2, () => e(kind)).join(', ')})`);
    return this.pick(forms)();
  }

  forms(kind, e) {
    const number = () => this.pick(['int', 'dec', 'float']);
    const forms = {
      int: [
        () => `(${e('int')} + ${e('int')})`, () => `(${e('int')} - ${e('int')})`, () => `${e('int')} * 3`, () => `(${e('int')} // ${this.pick(['2', '-3', e('int')])})`,
        () => `(${e('int')} % ${this.pick(['3', '-2', e('int')])})`, () => `mod(${e('int')}, 4)`, () => `length(${e('text')})`, () => `(- ${e('int')})`, () => `abs(${e('int')})`,
        () => `${this.pick(['year', 'month', 'day', 'quarter', 'dayofweek', 'dayofyear', 'isodow'])}(${e('date')})`,
        () => `date_part('${this.pick(['year', 'month', 'day', 'quarter', 'dow', 'doy', 'isodow'])}', ${e('date')})`,
        () => `extract(${this.pick(['year', 'month', 'day', 'doy', 'isodow', 'quarter'])} FROM ${e('date')})`,
        () => `CAST(${e('dec')} AS BIGINT)`, () => `${e('float')}::BIGINT`, () => `CAST(${e('bool')} AS BIGINT)`, () => `TRY_CAST(${e('text')} AS BIGINT)`,
        () => `${this.pick(['year', 'hour', 'minute', 'second', 'millisecond', 'microsecond', 'week', 'yearweek', 'decade', 'century', 'dayofweek', 'epoch_ms', 'epoch_us'])}(${e('time')})`,
        () => `extract(${this.pick(['hour', 'minute', 'second', 'isoyear', 'doy', 'microseconds'])} FROM ${e(this.pick(['time', 'date']))})`,
        () => `date_diff('${this.pick(['hour', 'minute', 'second', 'millisecond', 'day', 'week', 'month', 'year'])}', ${e('time')}, ${e(this.pick(['time', 'date']))})`,
        () => `date_part('${this.pick(['hour', 'minute', 'second', 'week', 'isoyear', 'decade', 'century', 'millisecond', 'microsecond', 'yearweek', 'epoch'])}', ${e('time')})::BIGINT`, () => `date_diff('${this.pick(['quarter', 'microsecond', 'decade', 'century'])}', ${e('time')}, ${e('time')})`,
        () => `(${e('date')} - ${e('date')})`, () => `date_diff('${this.pick(['day', 'week', 'month', 'quarter', 'year'])}', ${e('date')}, ${e('date')})`,
        () => `${this.pick(['round', 'floor', 'ceil', 'trunc'])}(${e('int')})::BIGINT`, () => `${this.pick(['round', 'trunc'])}(${e('int')} * 7, -1)`, () => `sign(${e(this.pick(['int', 'dec', 'float', 'big', 'real']))})::BIGINT`,
        () => `strpos(${e('text')}, ${e('text')})`, () => `position(${this.pick(["'a'", "'é'"])} IN ${e('text')})`, () => `ascii(${e('text')})::BIGINT`, () => `unicode(${e('text')})::BIGINT`,
      ],
      dec: [
        () => `(${e('dec')} + ${e('int')})`, () => `(${e('dec')} - ${e('dec')})`, () => `(${e('int')} - ${e('dec')})`, () => `abs(${e('dec')})`, () => `(- ${e('dec')})`,
        () => `(${e('dec')} * ${this.pick(['2', e('int')])})`, () => `(${e('dec')} % ${this.pick(['2', '1.5', e('dec')])})`, () => `CAST(${e('int')} AS DECIMAL(18,6))`,
        () => `TRY_CAST(${e('text')} AS DECIMAL(18,6))`,
        () => `CAST(TRY_CAST(${e(this.pick(['int', 'dec', 'float', 'text']))} AS ${this.pick(['DECIMAL(14,2)', 'DECIMAL(18,3)', 'NUMERIC(3,1)', 'DECIMAL(9)'])}) AS DECIMAL(18,6))`,
        () => `${this.pick(['round', 'trunc'])}(${e('dec')}, ${this.int(4)})`, () => `round(${e('dec')} * 8, -1)`,
      ],
      float: [
        () => `(${e('float')} + ${e('int')})`, () => `(${e('float')} - ${e('float')})`, () => `(${e('float')} * 2)`, () => `CAST(${e('int')} AS DOUBLE)`, () => `CAST(${e('dec')} AS DOUBLE)`,
        () => `abs(${e('float')})`, () => `${this.pick(['floor', 'ceil', 'round', 'trunc'])}(${e('float')})`, () => `TRY_CAST(left(${e('text')}, 4) AS DOUBLE)`, () => `(${e('int')} / ${this.pick(['2', '4', 'nullif(' + e('int') + ', 0)'])})`,
        () => `(- ${e('float')})`,
      ],
      text: [
        () => `${this.pick(['left', 'right'])}(${e('text')}, ${this.pick(['2', '-1', '0', e('int')])})`, () => `substr(${e('text')}, ${this.pick(['-1', '0', '2'])}, ${this.pick(['1', '-1', '3'])})`, () => `reverse(${e('text')})`,
        () => `repeat(${e('text')}, ${this.pick(['2', '0', '(' + e('int') + ' % 9)'])})`, () => `${this.pick(['lpad', 'rpad'])}(${e('text')}, ${this.pick(['3', '(' + e('int') + ' % 9)::INTEGER'])}, ${this.pick(["'é'", "'xy'"])})`,
        () => `split_part(${e('text')}, ${this.pick(["'a'", "' '", "''", e('text')])}, ${this.pick(['1', '2', '-1', e('int')])})`, () => `chr((abs(${e('int')}) + 230)::INTEGER)`,
        () => `concat_ws(${this.pick(["'-'", e('text')])}, ${this.times(1, 3, () => e(this.pick(['text', 'int', 'date', 'bool']))).join(', ')})`, () => `${this.pick(['trim', 'ltrim', 'rtrim'])}(${e('text')}, ${this.pick(["'a'", "'b é'", "''", e('text')])})`,
        () => `trim(${this.pick(['BOTH', 'LEADING', 'TRAILING'])} ${this.pick(["'a'", "' x'"])} FROM ${e('text')})`,
        () => `lower(${e('text')})`, () => `upper(${e('text')})`, () => `(${e('text')} || ${e('text')})`, () => `substr(${e('text')}, ${1 + this.int(4)}, ${this.int(4)})`, () => `substring(${e('text')} FROM 2)`,
        () => `trim(${e('text')})`, () => `ltrim(${e('text')})`, () => `rtrim(${e('text')})`, () => `replace(${e('text')}, ${this.pick(["'a'", "''", "'é'", e('text')])}, 'bc')`, () => `left(${e('text')}, ${this.int(4)})`,
        () => `regexp_replace(${e('text')}, '${this.pick(['b', '(a)(b)?', '^.', 'x*', '\\s', 'é'])}', '${this.pick(['', '-', '[\\0]', '\\\\'])}'${this.pick(['', ", 'g'", ", 'gi'"])})`,
        () => `regexp_extract(${e('text')}, '${this.pick(['[ab]+', '([a-z])(.)', '(x)|(.)$', '\\d+'])}'${this.pick(['', ', 0'])})`,
        () => `concat(${e('text')}, '-', ${e(this.pick(['text', 'int', 'date', 'bool', 'time']))})`, () => `CAST(${e(this.pick(['int', 'date', 'bool', 'big', 'time']))} AS VARCHAR)`,
        () => `strftime(${e(this.pick(['time', 'date']))}, '${this.pick(['%Y-%m-%d', '%d/%m/%y %H:%M:%S', '%a %b %-d', '%A %B %j', '%I:%M %p', '%f %g', '%U %W %V %G %u %w', '%c|%x|%X', '100%%'])}')`, () => `${this.pick(['dayname', 'monthname'])}(${e(this.pick(['time', 'date']))})`, () => `(${e('text')} || ${e('int')})`,
      ],
      bool: [
        () => this.comparison(e), () => this.comparison(e), () => this.comparison(e),
        () => `(${e('bool')} AND ${e('bool')})`, () => `(${e('bool')} OR ${e('bool')})`, () => `(NOT ${e('bool')})`, () => `(${e(this.pick(all))} IS ${this.pick(['', 'NOT '])}NULL)`,
        () => { const k = this.pick(['int', 'text', 'dec', 'date', 'big', 'time']); return `(${e(k)} ${this.pick(['', 'NOT '])}IN (${this.times(1, 3, () => e(this.orNarrower(k))).join(', ')}${this.chance(0.1) ? ', NULL' : ''}))`; },
        () => { const k = this.pick(['int', 'text', 'dec', 'date', 'float', 'real', 'wide', 'time']); return `(${e(k)} ${this.pick(['', 'NOT '])}BETWEEN ${e(this.orNarrower(k))} AND ${e(k)})`; },
        () => `(${e('text')} ${this.pick(['LIKE', 'NOT LIKE', 'ILIKE'])} '${this.pick(['a%', '%b', '%a%', '_b', 'a\\_b', '%', '', 'x,_', '%é', '__', '%É%', '日%', '%\n%', '100%%', 'a\\b'])}')`,
        () => `(${e('text')} LIKE '${this.pick(['a!_b', '100!%', '!!%'])}' ESCAPE '!')`,
        () => { const k = this.pick(all); return `(${e(k)} IS ${this.pick(['', 'NOT '])}DISTINCT FROM ${e(this.orNarrower(k))})`; },
        () => `contains(${e('text')}, ${this.pick(["'a'", "''", e('text')])})`, () => `starts_with(${e('text')}, ${e('text')})`, () => `ends_with(${e('text')}, ${this.pick(["'b'", e('text')])})`,
        () => `regexp_matches(${e('text')}, '${this.pick(['[ab]+$', '^.$', '\\d', '(?i)A', '^$', '\\s', 'é|日', '[^a-z]', '^a.*b$'])}')`, () => `(${e('bool')} IS ${this.pick(['', 'NOT '])}${this.pick(['TRUE', 'FALSE'])})`,
        () => `(${e('text')} ${this.pick(['~', '!~', 'SIMILAR TO', 'NOT SIMILAR TO'])} '${this.pick(['[ab]+', '.', 'a.*', 'é|日', '\\d+', ''])}')`,
        () => `regexp_full_match(${e('text')}, '${this.pick(['[ab]+', '.*', 'a|ab', '\\w+', '(?i)né'])}')`,
        () => `(${e('bool')} ${this.pick(['=', '<>', '<'])} ${e('bool')})`, () => `TRY_CAST(${e('text')} AS BOOLEAN)`, () => `(NULL = ${e('int')})`,
        () => `(${e('date')} ${this.pick(compared)} '${this.pick(['2019-06-01', '2020-02-29', '1970-01-01'])}')`,
      ],
      date: [
        () => `(${e('date')} ${this.pick(['+', '-'])} INTERVAL ${this.pick(['3 DAY', '1 MONTH', '2 YEAR', "'5' WEEK", '1 QUARTER', "'13 months'", `(${e('int')}) DAY`, `(${e('int')}) MONTH`])})::DATE`, () => `(${e('date')} - ${this.pick(['1', '40', this.days(e)])})`,
        () => `(${e('date')} + ${this.days(e)})`, () => `last_day(${e(this.pick(['date', 'time']))})`, () => `${e('time')}::DATE`, () => `date_trunc('${this.pick(['month', 'year', 'quarter', 'week', 'day'])}', ${e('date')})::DATE`, () => `TRY_CAST(${this.cell()} AS DATE)`,
        () => `make_date(${this.pick(['2020', '2019'])}, ${this.pick(['2', '(abs(' + e('int') + ') % 12) + 1'])}, ${this.pick(['28', '1', '(abs(' + e('int') + ') % 28) + 1'])})`,
        () => `CAST('${this.pick(['2020-01-05', '1999-12-31'])}' AS DATE)`,
      ],
      time: [
        () => `(${e(this.pick(['time', 'date']))} ${this.pick(['+', '-'])} INTERVAL ${this.pick(['3 DAY', '1 MONTH', '5 HOUR', "'90' MINUTE", '30 SECONDS', "'1 day 12 hours'", "'2 months 3 days 1 microsecond'", '1500 MILLISECOND', `(${e('int')}) HOUR`, `(${e('int')}) MONTH`, '1 DECADE'])})`,
        () => `date_trunc('${this.pick(['month', 'year', 'week', 'day', 'hour', 'minute', 'second', 'millisecond', 'decade'])}', ${e(this.pick(['time', 'date']))})`,
        () => `date_add(${e(this.pick(['time', 'date']))}, INTERVAL ${this.pick(['3 DAY', '1 MONTH', '5 HOUR'])})`, () => `make_timestamp(${e('int')} * 1000003)`, () => `date_trunc('${this.pick(['century', 'quarter', 'microsecond'])}', ${e('time')})`,
        () => `CAST(${e('date')} AS TIMESTAMP)`, () => `TRY_CAST(${this.cell()} AS TIMESTAMP)`, () => `try_strptime(${this.cell()}, '%Y-%m-%d')`,
        () => `strptime(strftime(${e('time')}, '%d.%m.%y %H:%M'), '%d.%m.%y %H:%M')`,
      ],
      big: [() => `CAST(${e('int')} AS BIGINT)`, () => `(${e('big')} // 2)`, () => `(${e('big')} % 1000)`, () => `(- ${e('big')})`, () => `abs(${e('big')})`],
      wide: [() => `abs(${e('wide')})`, () => `(- ${e('wide')})`, () => `(${e('wide')} % 1000)`, () => `round(${e('wide')}, ${this.int(6)})`, () => `(${e('wide')} - ${e('dec')})`],
      total: [() => `(${e('total')} + ${e(this.pick(['total', 'dec']))})`, () => `(${e('total')} - ${e('int')})`, () => `(- ${e('total')})`],
      real: [() => `(- ${e('real')})`, () => `abs(${e('real')})`, () => `CAST(${e(this.pick(['big', 'wide', 'int', 'dec']))} AS DOUBLE)`, () => `floor(${e('real')})`, () => `CAST(${number() && e('float')} AS DOUBLE)`],
    };
    if (kind === 'bool' && this.mayQuery && this.inner > 0) forms.bool.push(() => this.queried(), () => this.queried(), () => this.queried());
    if (this.mayQuery && this.inner > 0 && plain.includes(kind) && kind !== 'bool' && kind !== 'float') forms[kind].push(() => this.scalar(kind));
    return forms[kind];
  }

  // days returns a number of days of the type that can be added to a date.
  days(e) { return `(${e('int')})::INTEGER`; }

  comparison(e) {
    const [a, b] = this.pick([['int', 'int'], ['text', 'text'], ['date', 'date'], ['time', 'time'], ['time', 'date'], ['date', 'time'], ['dec', 'dec'], ['float', 'float'], ['int', 'dec'], ['int', 'float'], ['dec', 'float'], ['big', 'big'], ['big', 'int'], ['wide', 'wide'],
      ['wide', 'int'], ['real', 'real'], ['real', 'int'], ['big', 'dec'], ['big', 'wide'], ...(this.columns('total').length ? [['total', 'total'], ['total', 'int'], ['total', 'dec']] : [])]);
    return `(${e(a)} ${this.pick(compared)} ${e(b)})`;
  }

  // inexact makes a value in which the programs may differ by a rounding error.
  inexact(depth) {
    const e = (k) => this.expr(k, depth - 1);
    return this.pick([
      () => `(${e('dec')} * ${e('dec')})`, () => `(${e('dec')} / nullif(${e('int')}, 0))`, () => `(${e('int')} / nullif(${e('dec')}, 0))`, () => `(${e('float')} * ${e('dec')})`, () => `(${e('float')} / 3)`,
      () => `(${e('big')} / 3)`, () => `(${e('wide')} / 7)`, () => `sqrt(abs(${e(this.pick(['int', 'dec', 'float', 'big']))}))`, () => `ln(abs(${e(this.pick(['int', 'dec', 'float']))}) + 1)`, () => `log10(abs(${e('int')}) + 1)`,
      () => `exp(${e('int')} % 5)`, () => `(${this.pick(['sin', 'cos', 'tan', 'atan', 'radians', 'degrees', 'cbrt'])}(${e(this.pick(['int', 'dec', 'float']))}) + 1000)`, () => `atan2(${e('dec')}, ${e('int')})`, () => `log2(abs(${e('int')}) + 1)`, () => `pow(abs(${e('float')}) + 1, ${this.pick(['2', '0.5', '-1', '3'])})`, () => `((${e('int')} % 4) ^ 2)`, () => `epoch(${e(this.pick(['time', 'date']))})`, () => `avg(${e('int')}) OVER ()`.replace(/^avg\((.*)\) OVER \(\)$/, '($1 / 6)'),
    ])();
  }

  // --- queries within expressions

  // nested runs f in the scope of a new source. The names of the enclosing queries are visible behind it.
  nested(f) {
    const { scope, outer, mayQuery } = this;
    this.inner--;
    this.outer = [...scope, ...(outer ?? [])];
    this.scope = [];
    const source = this.source(0);
    this.scope = source.fields;
    this.mayQuery = this.chance(0.25);
    const text = f(source, scope);
    Object.assign(this, { scope, outer, mayQuery });
    return text;
  }

  // link returns an equality of columns of the inner and the outer query, '' if none can be made.
  link(outer) {
    const kind = this.pick(['int', 'text', 'date', 'dec', 'bool', 'float', 'big', 'time']);
    const mine = this.columns(kind);
    const theirs = outer.filter((f) => f.kind === kind);
    if (!mine.length || !theirs.length) return '';
    const [m, o] = [this.pick(mine), this.pick(theirs)];
    const plus = kind === 'int' && this.chance(0.2) ? ' + 1' : '';
    return this.chance(0.5) ? `${m.table}.${m.name}${plus} = ${o.table}.${o.name}` : `${o.table}.${o.name}${plus} = ${m.table}.${m.name}`;
  }

  condition(...parts) {
    const some = parts.filter(Boolean);
    return some.length ? ` WHERE ${some.join(' AND ')}` : '';
  }

  own(p = 0.5) { return this.chance(p) ? this.operand('bool', 1) : ''; }

  // operand returns an expression that can be an operand of AND.
  operand(kind, depth) {
    const e = this.expr(kind, depth);
    return kind === 'bool' ? `(${e})` : e;
  }

  // queried returns a condition that contains a query.
  queried() {
    const kind = this.pick(['int', 'int', 'text', 'dec', 'date']);
    const value = this.without(() => this.expr(kind, 1));
    return this.nested((source, outer) => this.pick([
      () => `(${value} ${this.pick(['IN', 'NOT IN'])} (SELECT ${this.expr(kind, 1)} FROM ${source.text}${this.condition(this.own())}))`,
      () => `(${this.pick(['', 'NOT '])}EXISTS (SELECT 1 FROM ${source.text}${this.condition(this.link(outer), this.own())}))`,
      () => `(${value} ${this.pick(['IN', 'NOT IN'])} (SELECT ${this.expr(kind, 1)} FROM ${source.text}${this.condition(this.link(outer), this.own(0.3))}))`,
      () => `(${value} ${this.pick(compared)} (SELECT ${this.of(kind)} FROM ${source.text}${this.condition(this.own())}))`,
      () => `(${value} ${this.pick(compared)} (SELECT ${this.of(kind)} FROM ${source.text}${this.condition(this.link(outer), this.own(0.3))}))`,
      () => `(${value} ${this.pick(['= ANY', '<> ALL'])} (SELECT ${this.expr(kind, 1)} FROM ${source.text}${this.condition(this.own())}))`,
      () => `(${value} ${this.pick(compared)} ${this.pick(['ANY', 'ALL'])} (SELECT ${this.expr(kind, 1)} FROM ${source.text}${this.condition(this.chance(0.3) ? this.link(outer) : '', this.own())}))`,
      () => this.existsCompared(source, outer),
      () => `(${this.pick(['', 'NOT '])}EXISTS (FROM ${source.text}${this.condition(this.link(outer), this.link(outer))}))`,
      () => `(${value} ${this.pick(['IN', 'NOT IN'])} (SELECT ${this.expr(kind, 1)} AS c FROM ${source.text} GROUP BY c HAVING count(*) > ${this.int(3)}))`,
    ])());
  }

  existsCompared(source, outer) {
    const kind = this.pick(['int', 'text', 'dec', 'date']);
    const mine = this.columns(kind);
    const theirs = outer.filter((f) => f.kind === kind);
    if (!mine.length || !theirs.length) return `EXISTS (FROM ${source.text}${this.condition(this.own())})`;
    const [m, o] = [this.pick(mine), this.pick(theirs)];
    return `(${this.pick(['', 'NOT '])}EXISTS (FROM ${source.text}${this.condition(this.link(outer), `${m.table}.${m.name} ${this.pick(compared)} ${o.table}.${o.name}`, this.own(0.3))}))`;
  }

  // of returns an aggregate whose value has the given kind.
  of(kind) {
    const least = () => `${this.pick(['min', 'max'])}(${this.expr(kind, 1)})`;
    if (kind !== 'int') return least();
    return this.pick([least, () => 'count(*)', () => `sum(${this.expr('int', 1)})::BIGINT`, () => `count(DISTINCT ${this.expr('text', 1)})`])();
  }

  // scalar returns a scalar subquery.
  scalar(kind) {
    return this.nested((source, outer) => this.pick([
      () => `(SELECT ${this.of(kind)} FROM ${source.text}${this.condition(this.own())})`,
      () => `(SELECT ${this.of(kind)} FROM ${source.text}${this.condition(this.link(outer), this.own(0.3))})`,
      () => { const e = this.without(() => this.expr(kind, 1)); return `(SELECT ${e} AS c FROM ${source.text} ORDER BY 1${this.pick(['', ' DESC'])} LIMIT 1)`; },
    ])());
  }

  // without runs f with queries forbidden in expressions.
  without(f) {
    const { mayQuery } = this;
    this.mayQuery = false;
    const out = f();
    this.mayQuery = mayQuery;
    return out;
  }

  // --- aggregates

  // byId returns an aggregate with a value of the first or last row by id.
  byId(e) {
    const [id, ...others] = this.scope.filter((f) => f.name === 'id');
    if (!id || others.length || new Set(this.scope.map((f) => f.table)).size > 1) return ['int', `count(*)`];
    const kind = this.pick(['int', 'text', 'dec', 'date', 'bool', 'float', 'big', 'time']);
    return [kind, `${this.pick(['arg_min', 'arg_max', 'max_by'])}(${kind === 'dec' ? `CAST(${e(kind)} AS ${sqlTypes.dec})` : e(kind)}, ${this.pick(['', '-'])}${id.name})`];
  }

  // aggregate returns an aggregate and the kind of its value.
  aggregate() {
    const filter = this.chance(0.15) ? ` FILTER (WHERE ${this.expr('bool', 1)})` : '';
    const d = this.chance(0.25) ? 'DISTINCT ' : '';
    const e = (k) => this.expr(k, 1);
    const [kind, call] = this.pick([
      () => ['int', 'count(*)'], () => ['int', `count(${d}${e(this.pick(all))})`], () => ['int', `sum(${d}${e('int')})`], () => ['total', `sum(${d}${e('dec')})`], () => ['float', `sum(${d}${e('float')})`],
      () => ['inexact', `avg(${d}${e(this.pick(['int', 'dec', 'float', 'big', 'wide']))})`],
      () => { const k = this.pick(all); return [k, `${this.pick(['min', 'max'])}(${d}${e(k)})`]; },
      () => { const k = this.pick(all); return [k, `${this.pick(['min', 'max'])}(${e(k)})`]; },
      () => ['total', `sum(${e('wide')})`],
      () => ['inexact', `${this.pick(['stddev', 'stddev_samp'])}(${d}${e(this.pick(['int', 'dec', 'float']))})`], () => ['int', `count_if(${e('bool')})`], () => ['bool', `${this.pick(['bool_and', 'bool_or'])}(${e('bool')})`],
      () => ['inexact', `${this.pick(['median', 'quantile_cont'])}(${d}${e(this.pick(['int', 'float']))}, 0.3)`.replace(/(median.*), 0\.3\)$/, '$1)')],
      () => { const k = this.pick(['int', 'dec', 'date', 'float', 'big', 'time']); return [k, `quantile_disc(${d}${e(k)}, ${this.pick(['0.3', '0.5', '0', '1', '0.75'])})`]; },
      // Ties may be broken differently, so all rows of a tie must give the same value.
      () => { const k = this.pick(['int', 'text', 'dec', 'date', 'float', 'big', 'time', 'real', 'wide']); const by = e(k); return [k, `${this.pick(['arg_min', 'arg_max', 'max_by', 'min_by'])}(${by}, ${by})`]; },
      () => { const by = e(this.pick(['int', 'text', 'date', 'big', 'time'])); return ['text', `${this.pick(['arg_min', 'arg_max'])}(CAST(${by} AS VARCHAR), ${by})`]; },
      () => ['inexact', `${this.pick(['stddev_pop', 'var_pop', 'variance', 'var_samp'])}(${d}${e(this.pick(['int', 'dec', 'float']))})`],
      () => { const [x, y] = [e(this.pick(['int', 'dec', 'float'])), e(this.pick(['int', 'dec', 'float']))]; return ['inexact', `CASE WHEN stddev_pop(${x}) FILTER (WHERE ${y} IS NOT NULL) > 1e-3 AND stddev_pop(${y}) FILTER (WHERE ${x} IS NOT NULL) > 1e-3 THEN corr(${x}, ${y}) + 2 END`]; },
      () => this.byId(e), () => this.byId(e),
      () => ['int', `approx_count_distinct(${e('bool')})`],
      // In DuckDB a result that should be 0 is a rounding error, so covariances are added to 1000 and correlations to 2.
      () => { const k = () => e(this.pick(['int', 'dec', 'float'])); return ['inexact', `(${this.pick(['covar_pop', 'covar_samp'])}(${k()}, ${k()})${filter} + 1000)`]; },
      () => collected(this, e, filter), () => collected(this, e, filter), () => collected(this, e, filter),
      () => { const t = e('text'); return ['text', `string_agg(${d}${t}, ${this.pick(["'-'", "', '", "''"])} ORDER BY ${t})`]; },
    ])();
    // In DuckDB these are 128-bit integers, and decimals computed from them have other types.
    const narrow = kind === 'int' && /^(sum|count_if)/.test(call) ? '::BIGINT' : '';
    return { kind, text: /^[(C]/.test(call) ? call : call + filter + narrow };
  }

  // --- sources

  // source returns a table, a query or a name from WITH, under a new alias.
  source(depth) {
    const as = this.alias();
    const of = (columns, cell) => columns.map((f) => ({ table: as, name: f.name, kind: f.kind, cell }));
    const kinds = ['table', 'table', 'table', 'table', 'table', 'table', 'table', 'table', 'table'];
    if (this.withs.length) kinds.push('with', 'with', 'with', 'with', 'with', 'with');
    if (depth > 0) kinds.push('query', 'query', 'query', 'values');
    switch (this.pick(kinds)) {
      case 'with': {
        const w = this.pick(this.withs);
        return { text: `${w.name} AS ${as}`, fields: of(w.columns) };
      }
      case 'values': {
        const q = this.values();
        const fields = of(q.columns.map((f, n) => ({ ...f, name: `y${n}` })));
        return { text: `(${q.text}) AS ${as}(${fields.map((f) => f.name).join(', ')})`, fields };
      }
      case 'query': {
        const q = this.apart(() => this.query(depth - 1));
        return { text: `(${q.text}) AS ${as}`, fields: of(q.columns) };
      }
      default: {
        if (depth > 0 && this.chance(0.04)) {
          const item = this.pick(['int', 'text']);
          return { text: `unnest([${this.times(1, 4, () => this.pick([this.cast(item, this.literal(item)), 'NULL'])).join(', ')}, ${this.literal(item)}]) AS ${as}(x)`, fields: of([{ name: 'x', kind: item }]) };
        }
        if (depth > 0 && this.chance(0.03)) {
          const [call, ...args] = this.pick([['range', this.pick([0, 1, 4, 7])], ['range', -2, 3], ['range', 9, 1, -3], ['generate_series', 1, 5, 2], ['generate_series', 2, -2, -1]]);
          return { text: `${call}(${args.join(', ')}) AS ${as}(x)`, fields: of([{ name: 'x', kind: 'int' }]) };
        }
        if (this.files.lists && this.chance(0.06)) {
          return { text: `${this.files.lists} AS ${as}`, fields: of([...Object.entries(schemas.t).map(([name, kind]) => ({ name, kind })), { name: 'l', kind: 'list' }], true), file: true };
        }
        const name = this.pick(['t', 'u', 'v']);
        const fields = of(Object.entries(schemas[name]).map(([n, kind]) => ({ name: n, kind })), true);
        const text = this.files[name] && this.chance(0.1) ? this.pick(this.files[name]) : name;
        if (this.chance(0.05)) {
          const renamed = fields.map((f, n) => ({ ...f, name: `x${n}` }));
          return { text: `${text} AS ${as}(${renamed.map((f) => f.name).join(', ')})`, fields: renamed, file: true };
        }
        return { text: this.chance(0.06) ? `(FROM ${text} WHERE false) AS ${as}` : `${text} AS ${as}`, fields, file: true };
      }
    }
  }

  // apart runs f, which makes a query that does not see the enclosing one.
  apart(f) {
    const { scope, outer, mayQuery } = this;
    Object.assign(this, { scope: [], outer: undefined });
    const out = f();
    Object.assign(this, { scope, outer, mayQuery });
    return out;
  }

  // from returns the text after FROM, and sets the scope.
  from(depth) {
    const { mayQuery } = this;
    this.mayQuery = false;
    let left = this.source(depth);
    let { text, file } = left;
    this.scope = left.fields;
    const where = [];
    for (let n = this.pick([0, 0, 0, 1, 1, 2]); n > 0; n--) {
      if (this.chance(this.scope.some((f) => isList(f.kind)) ? 0.3 : 0.05)) {
        const item = this.pick(['int', 'text']);
        const as = this.alias();
        const rows = item === 'int' && this.chance(0.2) ? `generate_series(${this.pick(['0', '1'])}, ${this.pick(['3', '-1'])})` : `unnest(${listOf(this, item, (k) => this.expr(k, 1))})`;
        text += this.chance(0.3) ? ` LEFT JOIN ${rows} AS ${as}(x) ON true` : ` CROSS JOIN ${rows} AS ${as}(x)`;
        this.scope = [...this.scope, { table: as, name: 'x', kind: item }];
        file = false;
        continue;
      }
      const right = this.chance(0.1) ? this.joined(depth) : this.source(depth);
      const kind = this.pick(['JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'SEMI JOIN', 'ANTI JOIN', ',', 'INNER JOIN', 'LEFT OUTER JOIN', 'USING', 'CROSS JOIN', 'any', 'ASOF']);
      file = false;
      if (kind === ',') {
        // After an explicit join a comma would bind differently for the joins that follow.
        text = `${text} CROSS JOIN ${right.text}`;
        where.push(this.equality(this.scope, right.fields));
        this.scope = [...this.scope, ...right.fields];
        continue;
      }
      if (kind === 'CROSS JOIN' || kind === 'any') {
        const fields = [...this.scope, ...right.fields];
        const of = this.scope;
        this.scope = fields;
        text += kind === 'any' ? ` JOIN ${right.text} ON ${this.expr('bool', 1)}` : ` CROSS JOIN ${right.text}`;
        if (kind === 'CROSS JOIN' && of.length > 20) where.push(this.expr('bool', 1));
        continue;
      }
      if (kind === 'USING') {
        const both = this.scope.filter((f) => !isList(f.kind) && this.scope.filter((g) => g.name === f.name).length === 1 && right.fields.filter((g) => g.name === f.name).length === 1 && right.fields.some((g) => g.name === f.name && g.kind === f.kind));
        if (both.length) {
          const common = this.scope.filter((f) => right.fields.some((g) => g.name === f.name));
          const natural = common.length === both.length && this.chance(0.3);
          const names = both.slice(0, natural ? both.length : 1 + this.int(2)).map((f) => f.name);
          const how = this.pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'SEMI JOIN', 'ANTI JOIN']);
          text += natural ? ` NATURAL ${how} ${right.text}` : ` ${how} ${right.text} USING (${names.join(', ')})`;
          const half = how === 'SEMI JOIN' || how === 'ANTI JOIN';
          // The merged columns belong to no table, so they can only be named without one.
          if (!half) this.scope = [...this.scope, ...right.fields].filter((f) => !names.includes(f.name)).concat(both.filter((f) => names.includes(f.name)).map((f) => ({ merged: true, ...f })));
          continue;
        }
      }
      const near = kind === 'ASOF' ? this.asof(right) : '';
      if (near) {
        // In DuckDB rows of the left side without a value may have a partner in RIGHT and FULL joins.
        const alone = this.scope.every((f) => f.table === this.scope[0].table);
        const how = this.pick(['', 'INNER ', 'LEFT ', 'SEMI ', 'ANTI ', ...(alone ? ['RIGHT ', 'FULL '] : [])]);
        text += ` ASOF ${how}JOIN ${right.text} ON ${near}`;
        if (how !== 'SEMI ' && how !== 'ANTI ') this.scope = [...this.scope, ...right.fields];
        continue;
      }
      const how = kind === 'USING' || kind === 'ASOF' ? 'JOIN' : kind;
      const conditions = this.chance(0.1) ? [] : [this.equality(this.scope, right.fields)];
      if (this.chance(0.15)) conditions.push(this.equality(this.scope, right.fields));
      const { scope } = this;
      if (!conditions.length || this.chance(0.3)) {
        this.known = [...scope, ...right.fields];
        this.scope = this.pick([[...scope, ...right.fields], scope, right.fields]).filter((f) => !isList(f.kind));
        conditions.push(`(${this.expr('bool', 1)})`);
        this.known = undefined;
      }
      text += ` ${how} ${right.text} ON ${conditions.join(' AND ')}`;
      this.scope = how.startsWith('SEMI') || how.startsWith('ANTI') ? scope : [...scope, ...right.fields];
    }
    this.mayQuery = mayQuery;
    return { text, where, file };
  }

  // asof returns the condition of an ASOF join: on a column of the right side of which no two rows are equal, since the
  // partner is any of them. It returns '' where there is none.
  asof(right) {
    const ids = (fields) => fields.filter((f) => f.name === 'id' && f.cell);
    const [[left], [other]] = [ids(this.scope), ids(right.fields)];
    if (!left || !other || right.fields.some((f) => f.table !== other.table)) return '';
    const both = [`${left.table}.id`, `${other.table}.id`];
    const [x, y] = this.chance(0.5) ? both : both.reverse();
    const keys = this.chance(0.6) ? [this.equality(this.scope, right.fields)] : [];
    return [...keys, `${x} ${this.pick(['<', '<=', '>', '>='])} ${y}`].join(' AND ');
  }

  // joined returns a join in parentheses.
  joined(depth) {
    const [a, b] = [this.source(depth), this.source(0)];
    return { text: `(${a.text} ${this.pick(['JOIN', 'LEFT JOIN', 'FULL JOIN'])} ${b.text} ON ${this.equality(a.fields, b.fields)})`, fields: [...a.fields, ...b.fields] };
  }

  // equality compares columns of two sides, or expressions of them.
  equality(left, right) {
    // A merged column can only be named if no other column has its name.
    left = left.filter((f) => !f.merged || !right.some((g) => g.name === f.name));
    const pairs = ['int', 'text', 'dec', 'date', 'float', 'big', 'bool', 'wide', 'real', 'time'].filter((k) => left.some((f) => f.kind === k) && right.some((f) => f.kind === k));
    const mixed = [['int', 'dec'], ['dec', 'int'], ['int', 'float'], ['big', 'int'], ['date', 'time'], ['time', 'date']].filter(([a, b]) => left.some((f) => f.kind === a) && right.some((f) => f.kind === b));
    const side = (fields, kind) => { const f = this.pick(fields.filter((g) => g.kind === kind)); return f.merged ? f.name : `${f.table}.${f.name}`; };
    if (mixed.length && (this.chance(0.1) || !pairs.length)) {
      const [a, b] = this.pick(mixed);
      return `${side(left, a)} = ${side(right, b)}`;
    }
    if (!pairs.length) return 'true';
    const kind = this.pick(pairs);
    const [l, r] = [side(left, kind), side(right, kind)];
    if (kind === 'int' && this.chance(0.15)) return `${l} + 1 = ${r}`;
    if (kind === 'text' && this.chance(0.15)) return `lower(${l}) = lower(${r})`;
    return this.chance(0.5) ? `${l} = ${r}` : `${r} = ${l}`;
  }

  // --- queries

  // query returns the text of a query, its columns, and what determines its order: by holds the positions and directions of
  // the columns it is ordered by; file is set if it keeps the order of the file.
  query(depth, kinds) {
    const kind = this.pick(['select', 'select', 'select', 'select', 'set', 'with', 'values']);
    if (kind === 'with' && depth > 0 && this.withs.length < 2) {
      const { withs } = this;
      const name = `w${this.aliases++}`;
      const q = this.apart(() => this.query(depth - 1));
      const renamed = this.chance(0.15) ? q.columns.map((f, n) => ({ ...f, name: `z${n}` })) : undefined;
      this.withs = [...withs, { name, columns: renamed ?? q.columns }];
      const out = this.query(depth - 1, kinds);
      this.withs = withs;
      return { ...out, text: `WITH ${name}${renamed ? `(${renamed.map((f) => f.name).join(', ')})` : ''} AS (${q.text})${out.withed ? `,${out.text.slice('WITH'.length)}` : ` ${out.text}`}`, withed: true };
    }
    if (kind === 'set') return this.setOperation(depth, kinds);
    if (kind === 'values' && this.chance(0.4)) return this.values(kinds);
    return this.select(depth, kinds);
  }

  values(kinds) {
    const columns = (kinds ?? this.times(1, 3, () => this.pick(plain))).map((kind, c) => ({ name: `col${c}`, kind }));
    const { scope } = this;
    this.scope = [];
    const rows = this.times(1, 3, (r) => `(${columns.map((f) => (r > 0 && this.chance(0.15) ? 'NULL' : this.cast(f.kind, this.literal(f.kind)))).join(', ')})`);
    this.scope = scope;
    return { text: `VALUES ${rows.join(', ')}`, columns, bare: true };
  }

  // cast gives a literal the type of its kind: in DuckDB 2.0 is a DECIMAL(2, 1).
  cast(kind, text) { return kind === 'dec' || kind === 'wide' || kind === 'int' ? `${text}::${sqlTypes[kind]}` : text; }

  // placed casts a decimal to the scale that it has in the other query: in DuckDB products have 38 digits, some of which
  // would be cut off.
  placed(kind, text) { return kind === 'dec' || kind === 'wide' ? `CAST(${text} AS ${sqlTypes.dec})` : text; }

  setOperation(depth, kinds) {
    const types = kinds ?? this.times(1, 3, () => this.pick(all));
    const part = (nested) => {
      const own = types.map((kind) => (this.chance(0.3) ? this.orNarrower(kind) : kind));
      const q = this.apart(() => (depth > 0 && nested && this.chance(0.3) ? this.setOperation(depth - 1, types) : this.select(depth - 1, own, true)));
      return nested && (q.tail || q.set && !this.chance(0.4)) ? `(${q.text})` : q.text;
    };
    if (!kinds && types.length > 1 && this.chance(0.15)) return this.byName(types, depth);
    const first = part(true);
    const text = `${first} ${this.pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'INTERSECT ALL', 'EXCEPT ALL'])} ${part(true)}`;
    const columns = types.map((kind, c) => ({ name: `c${c}`, kind }));
    const tail = this.tail(columns, {});
    return { text: text + tail.text, columns, by: tail.by, set: true, tail: tail.text };
  }

  // byName makes a UNION BY NAME, in which the second query lacks the last column.
  byName(types, depth) {
    const one = this.apart(() => this.select(depth - 1, types, true));
    const other = this.apart(() => this.select(depth - 1, types.slice(0, -1), true));
    const part = (q) => (q.tail ? `(${q.text})` : q.text);
    return { text: `${part(one)} UNION ${this.pick(['ALL ', ''])}BY NAME ${part(other)}`, columns: types.map((kind, c) => ({ name: `c${c}`, kind })), set: true };
  }

  select(depth, kinds, bare = false) {
    const from = this.from(Math.max(0, depth));
    this.mayQuery = depth > 0;
    const conditions = [...from.where];
    if (this.chance(0.5)) conditions.push(`(${this.expr('bool', 2)})`);
    if (!kinds && this.chance(0.04)) {
      const first = this.without(() => this.distinctOn(from));
      if (first) return first;
    }
    const list = this.scope.find((f) => isList(f.kind));
    if (!kinds && this.chance(list ? 0.3 : 0.02)) {
      const item = this.pick(['text', 'int']);
      const unnested = this.without(() => listOf(this, item, (k) => this.expr(k, 1)));
      const columns = [{ name: 'c0', kind: item }, ...this.times(0, 2, (c) => ({ name: `c${c + 1}`, kind: this.pick(all) }))];
      const items = columns.slice(1).map((f) => `${this.without(() => this.expr(f.kind, 1))} AS ${f.name}`);
      const tail = this.tail(columns, {});
      return { text: `SELECT ${[`unnest(${unnested}) AS c0`, ...items].join(', ')} FROM ${from.text}${this.condition(...from.where)}${tail.text}`, columns, by: tail.by, tail: tail.text };
    }
    const made = this.pick(['rows', 'rows', 'group', 'group', 'all', 'distinct']);
    const out = made === 'rows' || kinds && made === 'all' ? this.rows(kinds) : made === 'distinct' ? this.rows(kinds, true) : this.groups(kinds, made === 'all');
    if (made === 'rows' && !out.windows && this.chance(0.1)) {
      const named = out.columns.find((f) => !this.scope.some((g) => g.name === f.name));
      if (named) conditions.push(`${named.name} IS NOT NULL`);
    }
    const where = this.condition(...conditions);
    let text = `SELECT ${out.distinct ? 'DISTINCT ' : ''}${out.items.join(', ')} FROM ${from.text}${where}${out.group ?? ''}${out.qualify ?? ''}`;
    if (made === 'rows' && !kinds && !/ c\d+ IS NOT NULL$/.test(where) && this.chance(0.06)) {
      const fields = this.scope.filter((f) => !f.merged);
      if (new Set(this.scope.map((f) => f.name)).size === this.scope.length && fields.length === this.scope.length && !list) {
        out.columns = fields.map((f) => ({ name: f.name, kind: f.kind }));
        text = `${this.pick(['', 'SELECT * '])}FROM ${from.text}${where}`;
        if (fields.length > 1 && this.chance(0.3)) {
          const [gone] = out.columns.splice(this.int(fields.length), 1);
          text = `SELECT * EXCLUDE (${gone.name}) FROM ${from.text}${where}`;
        } else if (this.chance(0.3) && out.columns.some((f) => ordered.includes(f.kind))) {
          const f = this.pick(out.columns.filter((g) => ordered.includes(g.kind)));
          text = `SELECT * REPLACE (${this.without(() => this.expr(f.kind, 1))} AS ${f.name}) FROM ${from.text}${where}`;
        }
      }
    }
    const fixed = from.file && made === 'rows' && !out.windows && !this.hasQuery(text);
    const tail = bare && this.chance(0.8) ? { text: '' } : this.tail(out.columns, { fixed, rows: made === 'rows' && !out.group });
    this.mayQuery = false;
    return { text: text + tail.text, columns: out.columns, by: tail.by, file: fixed && !tail.by, tail: tail.text };
  }

  hasQuery(text) { return /\((SELECT|FROM|VALUES|WITH)\b/.test(text); }

  // distinctOn returns a query for the first row of each group, with a total order.
  distinctOn(from) {
    const columns = this.times(2, 4, (c) => ({ name: `c${c}`, kind: this.pick(all) }));
    const items = columns.map((f) => `${this.without(() => this.expr(f.kind, 1))} AS ${f.name}`);
    const on = this.times(1, 2, (n) => this.pick([`c${n}`, `${n + 1}`]));
    if (columns.some((f) => this.scope.some((g) => g.name === f.name))) return undefined;
    const order = columns.map((f, place) => ({ place, text: `${f.name}${this.pick(['', ' DESC'])}${this.pick(['', '', ' NULLS FIRST'])}` }));
    const where = this.condition(...from.where, this.chance(0.3) ? `(${this.expr('bool', 1)})` : '');
    const limit = this.pick(['', '', ' LIMIT 3']);
    return {
      text: `SELECT DISTINCT ON (${on.join(', ')}) ${items.join(', ')} FROM ${from.text}${where} ORDER BY ${order.map((o) => o.text).join(', ')}${limit}`, columns, by: order.map(({ place }) => ({ place })), tail: limit || ' ',
    };
  }

  rows(kinds, distinct = false) {
    const columns = [];
    const items = (kinds ?? this.times(1, 4, () => (!distinct && this.chance(0.12) ? 'inexact' : !distinct && this.chance(0.04) ? this.pick(['list', 'ints']) : this.pick(this.columns('total').length ? ordered : all)))).map((kind, c) => {
      columns.push({ name: `c${c}`, kind });
      const e = kind === 'inexact' ? this.inexact(2) : isList(kind) ? listOf(this, kind === 'list' ? 'text' : 'int', (k) => this.expr(k, 1)) : this.expr(kind, 3);
      return `${kinds ? this.placed(kind, e) : e} AS c${c}`;
    });
    if (kinds || !this.chance(0.25)) return { items, columns, distinct };
    const w = windows(this, items.length, distinct);
    return { items: [...items, ...w.items], columns: [...columns, ...w.columns], distinct, windows: w.items.length > 0, qualify: w.qualify };
  }

  groups(kinds, one) {
    const columns = [];
    const items = [];
    const keys = [];
    if (kinds) {
      kinds.forEach((kind, c) => {
        columns.push({ name: `c${c}`, kind });
        const key = this.chance(0.5) || !['int', 'dec', 'text', 'date'].includes(kind);
        items.push(`${this.placed(kind, key ? this.without(() => this.expr(kind, 1)) : this.of(kind))} AS c${c}`);
        if (key) keys.push(c);
      });
    } else {
      if (!one) for (const kind of this.times(1, 2, () => this.pick(all))) {
        keys.push(items.length);
        columns.push({ name: `k${keys.length}`, kind });
        items.push(`${this.without(() => this.expr(kind, 1))} AS k${keys.length}`);
      }
      const aggregates = this.times(1, 3, () => this.without(() => this.aggregate()));
      aggregates.forEach((a, n) => {
        columns.push({ name: `g${n}`, kind: a.kind });
        items.push(`${a.text} AS g${n}`);
      });
      if (this.chance(0.15)) {
        const by = aggregates.filter((a) => a.kind !== 'inexact' && !isList(a.kind)).map((a) => a.text + this.pick(['', ' DESC', ' NULLS FIRST']));
        const [kind, text] = this.pick([() => ['int', `${this.pick(['rank', 'dense_rank'])}() OVER (ORDER BY ${by.length ? this.pick(by) : 'count(*)'})`], () => ['int', 'sum(count(*)) OVER ()::BIGINT'], () => ['int', `max(${this.of('int')}) OVER (ORDER BY count(*))`]])();
        columns.push({ name: 'r0', kind });
        items.push(`${text} AS r0`);
      }
    }
    let group = '';
    if (keys.length) {
      group = this.pick([() => ' GROUP BY ALL', () => ` GROUP BY ${keys.map((k) => k + 1).join(', ')}`, () => ` GROUP BY ${keys.map((k) => (this.scope.some((f) => f.name === columns[k].name) ? k + 1 : columns[k].name)).join(', ')}`])();
      // If two keys have the same kind, one may be the other with a cast to its type.
      if (!kinds && this.chance(0.12) && new Set(keys.map((k) => columns[k].kind)).size === keys.length && columns.every((f) => !this.scope.some((g) => g.name === f.name))) group = this.groupingSets(keys.map((k) => columns[k].name), items, columns);
      const counted = columns.find((f) => /^g/.test(f.name) && ['int', 'total', 'inexact'].includes(f.kind) && !this.scope.some((g) => g.name === f.name));
      if (this.chance(0.3)) group += ` HAVING ${counted && this.chance(0.3) ? `${counted.name} > ${this.int(3)}` : this.having()}`;
      if (!kinds && !/[(]/.test(group) && this.chance(0.08)) {
        // The keys are not selected.
        group = ` GROUP BY ${keys.map((k) => items[k].replace(/ AS k\d+$/, '')).filter((e) => this.scope.some((f) => new RegExp(`\\b${f.name}\\b`).test(e))).join(', ')}`;
        if (group === ' GROUP BY ') group += this.name(this.pick(this.scope));
        return { items: items.slice(keys.length), columns: columns.slice(keys.length), group };
      }
    }
    return { items, columns, group, one };
  }

  groupingSets(names, items, columns) {
    if (this.chance(0.3)) {
      items.push(`grouping(${names.join(', ')}) AS q0`);
      columns.push({ name: 'q0', kind: 'int' });
    }
    return ` GROUP BY ${this.pick([`ROLLUP (${names.join(', ')})`, `CUBE (${names.join(', ')})`, `GROUPING SETS ((${names.join(', ')}), ())`, `GROUPING SETS (${names.join(', ')}, (${names.join(', ')}))`, `${names[0]}, ROLLUP (${names.at(-1)})`])}`;
  }

  having() {
    return this.without(() => this.pick([
      () => `count(*) ${this.pick(compared)} ${this.int(4)}`, () => `${this.of('int')} ${this.pick(compared)} ${this.int(5)}`, () => `${this.of('text')} ${this.pick(compared)} 'b'`,
      () => `count(*) > 1 AND ${this.of('dec')} IS NOT NULL`, () => `bool_or(${this.expr('bool', 1)})`,
    ])());
  }

  // tail returns ORDER BY and LIMIT of a query. With LIMIT the query is ordered by all its columns, so that the remaining
  // rows are determined.
  tail(columns, { fixed = false, rows = false }) {
    const exact = columns.every((f) => f.kind !== 'inexact' && !isList(f.kind));
    if (!this.chance(0.35)) return { text: '' };
    const slice = () => ` LIMIT ${this.pick([3, 1, 0, 10, 50])}${this.chance(0.3) ? ` OFFSET ${this.int(5)}` : ''}`;
    if (fixed && this.chance(0.2)) return { text: slice() };
    if (rows && this.chance(0.08)) return { text: ` ORDER BY ${this.name(this.pick(this.scope.filter((f) => !isList(f.kind))))}${this.pick(['', ' DESC'])}`, by: [] };
    const places = columns.map((_, c) => c).filter((c) => columns[c].kind !== 'inexact' && !isList(columns[c].kind));
    if (!places.length) return { text: '' };
    const order = places.map((c) => ({ c, swap: this.int(1000) })).toSorted((a, b) => b.swap - a.swap).map(({ c }) => c);
    const cut = exact && this.chance(0.6);
    const used = cut ? order : order.slice(0, 1 + this.int(order.length));
    if (exact && this.chance(0.2)) {
      const desc = this.chance(0.4);
      return { text: ` ORDER BY ALL${desc ? ' DESC' : ''}${cut ? slice() : ''}`, by: columns.map((_, place) => ({ place, desc })) };
    }
    const by = used.map((place) => ({ place, desc: this.chance(0.4) }));
    const keys = by.map(({ place, desc }) => `${this.chance(0.3) ? place + 1 : columns[place].name}${desc ? ' DESC' : this.pick(['', ' ASC'])}${this.pick(['', '', '', '', '', '', ' NULLS LAST', ' NULLS FIRST'])}`);
    return { text: ` ORDER BY ${keys.join(', ')}${cut ? slice() : ''}`, by, rows };
  }
}
