// Random window functions. Functions that depend on the order among peers are ordered by all columns, so that peers are
// equal rows.

import { isList } from './lists.mjs';

const kinds = ['int', 'text', 'date', 'dec', 'bool', 'float', 'big', 'wide', 'time'];

const rowFrames = [
  'ROWS UNBOUNDED PRECEDING', 'ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING', 'ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING', 'ROWS 3 PRECEDING', 'ROWS BETWEEN 1 FOLLOWING AND 4 FOLLOWING',
  'ROWS BETWEEN 5 PRECEDING AND 2 PRECEDING', 'ROWS BETWEEN CURRENT ROW AND 30 FOLLOWING', 'ROWS CURRENT ROW', 'ROWS BETWEEN 2 FOLLOWING AND 1 FOLLOWING',
];
const farFrames = ['ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'ROWS BETWEEN 3 FOLLOWING AND UNBOUNDED FOLLOWING', 'ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING'];
const whole = ['ROWS', 'RANGE'].map((u) => `${u} BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING`);
const growing = ['', 'RANGE UNBOUNDED PRECEDING', ...whole];
const peerFrames = ['RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING', 'RANGE CURRENT ROW'];

// windowed returns a window function and the kind of its value. g is the generator that makes the statement.
function windowed(g) {
  const e = (kind) => g.without(() => g.expr(kind, 1));
  const any = () => g.pick(kinds);
  // In DuckDB the type of a decimal literal has fewer decimal places, to which it would cut another value.
  const ofType = (kind, text) => (kind === 'dec' || kind === 'wide' ? `CAST(${text} AS DECIMAL(18,6))` : text);
  const direction = () => g.pick(['', ' DESC', ' ASC']) + g.pick(['', '', ' NULLS FIRST', ' NULLS LAST']);
  const keys = () => g.times(1, 2, () => `${e(any())}${direction()}`);
  const partition = g.chance(0.6) ? `PARTITION BY ${g.times(1, 2, () => e(any())).join(', ')} ` : '';
  const over = (order, frame = '') => ` OVER (${partition}${order.length ? `ORDER BY ${order.join(', ')}` : ''}${frame ? ` ${frame}` : ''})`;
  const total = () => [...(g.chance(0.5) ? keys() : []), ...g.scope.map((f) => (f.merged ? f.name : `${f.table}.${f.name}`) + direction())];
  const nulls = () => (g.chance(0.3) ? ' IGNORE NULLS' : '');
  const filter = () => (g.chance(0.15) ? ` FILTER (WHERE ${e('bool')})` : '');
  const sums = () => g.pick([
    () => ['int', 'count(*)'], () => ['int', `count(${e(any())})`], () => ['total', `sum(${e('dec')})`], () => ['float', `sum(${e('float')})`], () => ['int', `sum(${e('int')})`],
    () => ['inexact', `avg(${e(g.pick(['int', 'dec', 'float']))})`],
  ])();
  const extreme = () => { const k = any(); return [k, `${g.pick(['min', 'max'])}(${e(k)})`]; };
  const kept = () => g.pick([
    () => ['inexact', `median(${e(g.pick(['int', 'dec', 'float']))})`], () => { const k = g.pick(['int', 'dec', 'date']); return [k, `quantile_disc(${e(k)}, 0.3)`]; },
    () => ['inexact', `stddev(${e('int')})`], () => ['bool', `${g.pick(['bool_and', 'bool_or'])}(${e('bool')})`],
  ])();
  const value = (frames) => { const k = any(); return [k, `${g.pick([`first_value(${e(k)}${nulls()})`, `last_value(${e(k)}${nulls()})`, `nth_value(${e(k)}, ${1 + g.int(4)}${nulls()})`])}${over(total(), g.pick(frames))}`]; };
  // Any frame over a total order: by rows, groups or peers, with bounds that differ by row, without some rows.
  const frame = () => {
    const unit = g.pick(['ROWS', 'GROUPS']);
    // DuckDB 1.5 reads a bound that is NULL as whatever lies in memory.
    const n = () => g.pick(['1', '2', '0', '5', ...(unit === 'ROWS' ? [`coalesce(${e('int')}, 0)`] : []), `abs(coalesce(${e('int')}, 0))`]);
    const from = g.pick(['UNBOUNDED PRECEDING', 'CURRENT ROW', `${n()} PRECEDING`, `(${n()}) PRECEDING`, `${n()} FOLLOWING`]);
    const to = from.endsWith('FOLLOWING') ? g.pick(['UNBOUNDED FOLLOWING', `${n()} FOLLOWING`]) : g.pick(['CURRENT ROW', 'UNBOUNDED FOLLOWING', `${n()} FOLLOWING`, ...(from === 'CURRENT ROW' ? [] : [`${n()} PRECEDING`])]);
    const rows = g.pick(['RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW', `${unit} BETWEEN ${from} AND ${to}`, `${unit} BETWEEN ${from} AND ${to}`]);
    const excluded = g.pick(['', ' EXCLUDE CURRENT ROW', ' EXCLUDE GROUP', ' EXCLUDE TIES', ' EXCLUDE NO OTHERS']);
    // A frame may end before it begins if both bounds are on one side. Without ties DuckDB 1.5 has the row itself in it.
    return excluded === ' EXCLUDE TIES' && from.split(' ').at(-1) === to.split(' ').at(-1) ? rows : rows + excluded;
  };
  const distinct = () => g.pick([
    () => ['int', `count(DISTINCT ${e(any())})`], () => ['total', `sum(DISTINCT ${e('dec')})`], () => ['int', `sum(DISTINCT ${e('int')})`], () => ['float', `max(DISTINCT ${e('float')})`],
    () => { const s = e('text'); return ['text', `string_agg(DISTINCT ${s}, '-' ORDER BY ${s}${g.pick(['', ' DESC'])})`]; },
  ])();
  const aggregate = ([kind, call], order, frames) => [kind, `${call}${filter()}${over(order, g.pick(frames))}`];
  const ranged = () => {
    const k = g.pick(['int', 'dec', 'date', 'time']);
    const n = () => (k === 'date' || k === 'time' ? `INTERVAL ${g.pick(['30 DAY', '8 WEEK', '400 DAY', '0 DAY', '1 MONTH', '2 YEAR', "'1 month 3 days'", ...(k === 'time' ? ['36 HOUR', "'7 days 1 second'"] : [])])}` : g.pick(k === 'int' ? ['1', '2', '0'] : ['1', '0.5', '3.25']));
    const frame = g.pick([() => `${n()} PRECEDING`, () => `BETWEEN ${n()} PRECEDING AND ${n()} FOLLOWING`, () => `BETWEEN ${n()} FOLLOWING AND UNBOUNDED FOLLOWING`,
      () => `BETWEEN UNBOUNDED PRECEDING AND ${n()} PRECEDING`, () => `BETWEEN CURRENT ROW AND ${n()} FOLLOWING`])();
    return aggregate(sums(), [`${e(k)}${direction()}`], [`RANGE ${frame}`]);
  };
  const [kind, text] = g.pick([
    () => ['int', `row_number()${over(total())}`], () => ['int', `${g.pick(['rank', 'dense_rank'])}()${over(keys())}`], () => ['inexact', `${g.pick(['percent_rank', 'cume_dist'])}()${over(keys())}`],
    () => ['int', `ntile(${1 + g.int(5)})${over(total())}`],
    () => { const k = any(); return [k, `${g.pick(['lag', 'lead'])}(${ofType(k, e(k))}${g.pick(['', ', 2', ', 0', ', -1', `, 3, ${e(k)}`])}${nulls()})${over(total())}`]; },
    () => value([...growing, ...rowFrames, ...farFrames, ...peerFrames]), () => aggregate(sums(), keys(), [...growing, ...peerFrames]), () => aggregate(sums(), total(), [...rowFrames, ...farFrames]),
    () => aggregate(extreme(), keys(), growing), () => aggregate(extreme(), total(), rowFrames), () => aggregate(kept(), [], ['']), () => aggregate(kept(), total(), [whole[0], 'ROWS 4 PRECEDING']), ranged,
    () => aggregate(g.pick([sums, extreme, kept, distinct])(), total(), [frame()]), () => aggregate(g.pick([sums, extreme, kept, distinct])(), total(), [frame()]), () => value([frame()]),
    () => { const k = any(); return [k, `${g.pick(['lag', 'lead'])}(${ofType(k, e(k))}, ${e('int')}${g.pick(['', `, ${e(k)}`])})${over(total())}`]; },
  ])();
  return { kind, text: kind === 'int' && text.startsWith('sum') ? `(${text})::BIGINT` : text };
}

// windows returns SELECT items with window functions, which follow other items, their columns, and perhaps a QUALIFY. It
// returns none if a merged column cannot be named, or if there are lists.
export function windows(g, items, distinct) {
  const out = { items: [], columns: [], qualify: '' };
  if (g.scope.some((f) => isList(f.kind) || f.merged && g.scope.some((o) => o !== f && o.name === f.name))) return out;
  for (const w of g.times(1, 2, () => windowed(g))) {
    if (distinct && w.kind === 'inexact') continue;
    // Each window may put equal rows in a different order.
    if (out.items.length > 0 && /row_number|ntile|lag|lead|_value|ROWS|EXCLUDE/.test(w.text + out.items[0])) continue;
    const name = `c${items + out.items.length}`;
    if (w.kind === 'int' && !g.scope.some((f) => f.name === name) && g.chance(0.4)) out.qualify = ` QUALIFY ${name} ${g.pick(['=', '<=', '>', '<>'])} ${1 + g.int(3)}`;
    out.columns.push({ name, kind: w.kind });
    out.items.push(`${w.text} AS ${name}`);
  }
  const [first] = out.items;
  if (!out.qualify && first && g.chance(0.2)) {
    const call = first.slice(0, first.lastIndexOf(' AS '));
    out.qualify = ` QUALIFY (${call} ${g.pick(['IS NOT NULL', 'IS NULL'])}${g.chance(0.3) ? ` OR ${g.without(() => g.expr('bool', 1))}` : ''})`;
  }
  return out;
}
