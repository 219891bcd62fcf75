// Random lists of texts and of integers, and expressions over them.

// isList reports whether a kind is a list, whose values are not compared, grouped or ordered by.
export const isList = (kind) => kind === 'list' || kind === 'ints';

// listOf returns a list of items of a kind, int or text.
export function listOf(g, item, e, depth = 1) {
  const columns = g.columns(item === 'int' ? 'ints' : 'list');
  const inner = () => listOf(g, item, e, depth - 1);
  const forms = [
    () => `[${g.times(1, 3, () => e(item)).join(', ')}]`,
    () => `[${e(item)}, NULL, ${g.literal(item)}]`,
    ...columns.map((f) => () => g.name(f)), ...columns.map((f) => () => g.name(f)),
  ];
  if (item === 'text') forms.push(() => `string_split(${e('text')}, ${g.pick(["' '", "'a'", "','", "''"])})`);
  if (depth > 0) {
    forms.push(
      () => `coalesce(${inner()}, ${inner()})`, () => `CASE WHEN ${e('bool')} THEN ${inner()} ELSE ${inner()} END`, () => `if(${e('bool')}, ${inner()}, NULL)`,
      item === 'int' ? () => `CAST([CAST(${e('int')} AS VARCHAR), CAST(${g.literal('int')} AS VARCHAR), NULL] AS BIGINT[])` : () => `${listOf(g, 'int', e, depth - 1)}::VARCHAR[]`,
      item === 'int' ? () => `range(${g.pick(['0', '-1', '2'])}, ${g.pick(['3', '5', '-3'])}, ${g.pick(['1', '2', '-2'])})` : inner,
      item === 'int' ? () => `TRY_CAST(${listOf(g, 'text', e, depth - 1)} AS BIGINT[])` : inner,
      () => `list_sort(${inner()}${g.pick(['', ", 'DESC'", ", 'ASC', 'NULLS FIRST'", ", 'desc', 'nulls last'"])})`, () => `list_reverse_sort(${inner()})`, () => `list_reverse(${inner()})`,
      () => `list_concat(${inner()}, ${inner()})`, () => `(${inner()} || ${inner()})`, () => `list_append(${inner()}, ${e(item)})`, () => `list_prepend(${e(item)}, ${inner()})`,
      () => `(${inner()})[${g.pick(['1', '2', '-2', ''])}:${g.pick(['2', '3', '-1', ''])}]`, () => `list_slice(${inner()}, ${g.pick(['1', '2', '-2'])}, ${g.pick(['2', '-1'])})`, () => `list_sort(list_distinct(${inner()}))`,
    );
  }
  return g.pick(forms)();
}

// ofLists returns the forms of expressions of a kind that take a list.
export function ofLists(g, kind, e) {
  const texts = () => listOf(g, 'text', e);
  const ints = () => listOf(g, 'int', e);
  const any = () => (g.chance(0.5) ? texts() : ints());
  const some = () => g.pick(["['a']", "['', 'b']", "['b', 'né', '']"]);
  const place = () => g.pick(['1', '2', '-1', '0', '9', e('int')]);
  return {
    int: [
      () => `length(${any()})`, () => `(${ints()})[${place()}]`, () => `${g.pick(['list_min', 'list_max'])}(${ints()})`, () => `list_unique(${any()})::BIGINT`,
      () => `list_sum(${ints()})::BIGINT`, () => `list_count(${any()})::BIGINT`, () => `list_any_value(${ints()})`, () => `${g.pick(['list_first', 'list_last'])}(${ints()})`,
      () => `list_position(${texts()}, ${e('text')})::BIGINT`, () => `list_position(${ints()}, ${e('int')})::BIGINT`,
    ],
    text: [
      () => `(${e('text')})[${place()}]`, () => `(${e('text')})[${g.pick(['1', '2', '-2', '', '0'])}:${g.pick(['2', '3', '-1', ''])}]`, () => `list_any_value(${texts()})`,
      () => `(${texts()})[${place()}]`, () => `list_extract(${texts()}, ${g.pick(['1', '-1'])})`, () => `${g.pick(['list_min', 'list_max'])}(${texts()})`, () => `array_to_string(${any()}, ${g.pick(["'-'", "''", "'né'"])})`,
    ],
    float: [() => `list_avg(${ints()})`],
    bool: [
      () => `list_contains(${texts()}, ${e('text')})`, () => `list_contains(${ints()}, ${e('int')})`, () => `list_has_any(${texts()}, ${some()})`, () => `list_has_all(${texts()}, ${some()})`, () => `(${e('text')} IN [${e('text')}, 'b'])`, ...g.columns('list').map((f) => () => `(${e('text')} IN ${g.name(f)})`),
      () => `(${any()} IS NULL)`,
    ],
  }[kind] ?? [];
}

// collected returns aggregates that return lists, or expressions over such lists. Ordered lists are ordered by their items
// last, so that only equal items can change places; unordered lists are used only where order does not matter.
export function collected(g, e, filter) {
  const name = () => g.pick(['list', 'array_agg']);
  const item = g.pick(['int', 'text']);
  const x = e(item);
  const order = () => `ORDER BY ${g.pick(['', `${e(g.pick(['int', 'text', 'dec', 'date', 'bool']))}${g.pick(['', ' DESC', ' NULLS FIRST'])}, `])}${x}${g.pick(['', ' DESC', ' DESC NULLS FIRST'])}`;
  const list = () => `${name()}(${x} ${order()})${filter}`;
  const unordered = () => `${name()}(${g.pick(['', 'DISTINCT '])}${x})${filter}`;
  return g.pick([
    () => [item === 'int' ? 'ints' : 'list', `(${list()})`], () => [item === 'int' ? 'ints' : 'list', `(list_sort(${unordered()}))`],
    () => [item, `((${list()})[${g.pick(['1', '2', '-1'])}])`], () => ['int', `(length(${unordered()}))`], () => ['int', `(list_unique(${unordered()})::BIGINT)`],
    () => ['text', `(array_to_string(${list()}, '-'))`], () => ['bool', `(list_contains(${unordered()}, ${g.literal(item)}))`], () => [item, `(list_max(${unordered()}))`],
    () => ['text', `(array_to_string((${list()})[${g.pick(['2:3', ':-2', '-2:'])}], ','))`],
  ])();
}
