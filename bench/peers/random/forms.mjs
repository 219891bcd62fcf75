// Forms of calls and expressions, with words in braces for their arguments.

// written are the calls of which the line of help is no pattern.
const written = {
  position: ['position({part} IN {text})'],
  date_trunc: ['$({unit}, {date})'], date_part: ['$({unit}, {date})'], date_add: ['$({date}, {interval})'], time_bucket: ['time_bucket({interval}, {date})', 'time_bucket({interval}, {date}, {origin})'],
  list_filter: ['$({list}, lambda x: x > {item})', '$({list}, lambda x, n: n % 2 = 1)', '$({list}, lambda x: x IS NULL)'],
  list_transform: ['$({list}, lambda x: x = {item})', '$({list}, lambda x, n: n)', '$({list}, lambda x: [x, {item}])', '[coalesce(x, {item}) FOR x IN {list} IF x IS NOT NULL]'],
  list_reduce: ['$({list}, lambda a, x: greatest(a, x))', '$({list}, lambda a, x: a || x, {item})', '$({list}, lambda a, x, n: coalesce(x, a), {item})'],
  list_aggregate: ['sum', 'min', 'max', 'avg', 'count', 'mode', 'median', 'first', 'last', 'stddev_pop', 'list', 'bool_and', 'any_value', 'product', 'entropy', 'bit_xor', 'histogram', 'string_agg'].map((f) => `$({list}, '${f}')`),
  list_sort: ['$({list})', "$({list}, 'DESC')", "$({list}, 'ASC', 'NULLS FIRST')", "$({list}, 'DESC', 'NULLS LAST')"],
  list_grade_up: ['$({list})', "$({list}, 'DESC')", "$({list}, 'ASC', 'NULLS FIRST')"],
  list_zip: ['$({list}, {items})', '$({list}, {items}, true)'], generate_subscripts: [], unnest: [], regexp_split_to_table: [], grouping: [], alias: [], json_each: [], json_tree: [], hash: [], now: [], today: [], try: ['$({value})'],
  struct_insert: ['$({struct}, z := {other})', '$({struct}, z := {other}, y := 1)'], struct_update: ['$({struct}, a := {other})', '$({struct}, b := {other})'], struct_pack: ['$(z := {value}, y := {other})'],
  struct_extract: ["$({struct}, 'a')", "$({struct}, 'd')", '$({struct}, 1)', '$({struct}, 2)'], generate_series: ['$({last})', '$({rows}, {last})', '$({rows}, {last}, {step})'], range: ['$({last})', '$({rows}, {last})', '$({rows}, {last}, {step})'],
  concat: ['$({value}, {other})', "$({value}, '-', {other})"], concat_ws: ['$({separator}, {value}, {other})'], list_value: ['$({value}, {other})', '$({value}, NULL, {other})'], row: ['$({value}, {other})'], coalesce: ['$({value}, {value})', '$(NULL, {value}, {other})'], greatest: ['$({scalar}, {scalar})', '$({scalar}, NULL, {scalar})'], least: ['$({scalar}, {scalar})', '$({list}, {list})'],
  json_array: ['$({value}, {other})'], json_object: ["$('k', {value})", '$({text}, {other})'], json_transform: ["$({json}, '{\"a\":\"BIGINT\"}')", "$({json}, '[\"VARCHAR\"]')", "$({json}, '{\"a\":\"JSON\",\"x\":[\"BOOLEAN\"]}')"], format: ["$('{} {}', {value}, {other})", "$('{:>8}|{:<4}', {text}, {text})", "$('{:08.3f}', {x})", "$('{:,}', {number})", "$('{:x} {:+d} {:e}', {integer}, {integer}, {x})"], printf: ["$('%s %s', {value}, {other})", "$('%d|%5d|%-5d|%+d|%05d', {n}, {integer}, {n}, {n}, {n})", "$('%e %g %8.2f', {x}, {x}, {x})", "$('%x %5s|%-4s', {n}, {text}, {text})"],
  regexp_extract: ['$({text}, {pattern})', '$({text}, {=pattern}, {=group})', '$({text}, {=pattern}, 0, {=options})'], regexp_extract_all: ['$({text}, {pattern})', '$({text}, {=pattern}, {=group})', '$({text}, {=pattern}, 0, {=options})'],
  regexp_full_match: ['$({text}, {pattern})', '$({text}, {=pattern}, {=options})'], regexp_matches: ['$({text}, {pattern})', '$({text}, {=pattern}, {=options})'], string_split_regex: ['$({text}, {pattern})', '$({text}, {=pattern}, {=options})'], regexp_replace: ['$({text}, {pattern}, {new})', '$({text}, {=pattern}, {=new}, {=options})'], strptime: ['$({text}, {=form})', '$({=dated}, {=form})'], try_strptime: ['$({text}, {=form})'], strftime: ['$({date}, {=form})'],
  struct_contains: ['$({row}, {item})'], struct_position: ['$({row}, {item})'], struct_extract_at: ['$({struct}, 1)', '$({struct}, 2)'], round: ['$({number})', '$({number}, {=places})'], trunc: ['$({number})', '$({number}, {=places})'], round_even: ['$({number}, {=places})'],
  equi_width_bins: [], histogram: ['$({value})'], typeof: [], pg_typeof: [], current_schema: [], if: ['$({condition}, {value}, {other})'], map: ['$({keys}, {list})'], list_concat: ['$({list}, {items})', '$({list}, {items}, {list})'], array_to_string: ['$({list}, {separator})'], json_merge_patch: ['$({json}, {patch})'],
};

// ordered are the calls of aggregates whose value depends on the order of rows, which is that of n, and of functions of windows.
const ordered = {
  any_value: ['$({value} ORDER BY n)'], first: ['$({value} ORDER BY n)'], last: ['$({value} ORDER BY n)'], list: ['$({value} ORDER BY n)'], string_agg: ["$({text}, '-' ORDER BY n)"], mode: ['$({scalar})'], json_group_array: [], json_group_object: [], count: ['$(*)', '$({value})'],
  quantile_cont: ['$({number}, {=quantile})', '$({date}, {=quantile})'], quantile_disc: ['$({scalar}, {=quantile})', '$({number}, [0.1, 0.9])'], approx_quantile: ['$({number}, {=quantile})'], approx_top_k: [], histogram: ['$({scalar})'], histogram_exact: [], count_if: ['$({condition})'], bool_and: ['$({condition})'], bool_or: ['$({condition})'], median: ['$({number})', '$({date})'], mad: ['$({number})'], min: ['$({value})', '$({value}, 2)'], max: ['$({value})', '$({value}, 2)'], weighted_avg: ['$({x}, {x})'],
  arg_min: ['$({value}, n)', '$({value}, -n, 2)'], arg_max: ['$({value}, n)', '$({value}, -n, 2)'], arg_min_null: ['$({value}, n)'], arg_max_null: ['$({value}, n)'], arg_min_nulls_last: [], arg_max_nulls_last: [],
  first_value: ['$({value}) OVER ()', '$({value} IGNORE NULLS) OVER ()'], last_value: ['$({value}) OVER ()', '$({value} IGNORE NULLS) OVER ()'], nth_value: ['$({value}, 2) OVER ()', '$({value}, 1 IGNORE NULLS) OVER ()'], lag: ['$({value}) OVER ()', '$({value}, 2, {value}) OVER ()', '$({value}, 1 IGNORE NULLS) OVER ()'], lead: ['$({value}) OVER ()', '$({value}, -1, {value}) OVER ()'],
  fill: ['$({x}) OVER ()'], ntile: ['$(3) OVER ()'], rank: [], dense_rank: [], percent_rank: [], cume_dist: [], row_number: [],
};

// operators are expressions that are written with signs and words.
export const operators = [
  ...['+', '-', '*', '/', '//', '%', '^'].flatMap((o) => [`({number} ${o} {number})`, `({integer} ${o} {number})`]), ...['+', '-'].map((o) => `({date} ${o} {interval})`), '({date} - {date})', '({date} + {days})', '({date} - {days})', '({interval} * {x})', '({interval} / {x})', '({interval} + {date})', '({date} + {time})', '(- {number})', '(- {interval})', '(~ {integer})', '({integer} & {integer})', '({integer} | {integer})', '({integer} << {shift})', '({integer} >> {shift})',
  ...['=', '<>', '<', '<=', 'IS DISTINCT FROM'].flatMap((o) => [`({scalar} ${o} {scalar})`, ...['list', 'struct', 'map', 'blob', 'uuid'].map((w) => `({${w}} ${o} {${w}})`)]), '({scalar} BETWEEN {scalar} AND {scalar})', '({scalar} IN ({scalar}, {scalar}))', '({scalar} NOT IN ({scalar}, NULL))',
  ...['LIKE', 'NOT LIKE', 'ILIKE', 'GLOB', 'SIMILAR TO', '~', '^@'].map((o) => `({text} ${o} {pattern})`), "({text} LIKE {pattern} ESCAPE '!')", '({value} || {other})', '({list} || {items})', '({item} = ANY ({list}))', '({item} < ALL ({list}))', '({list} && {items})', '({list} @> {items})', '({item} IN {list})', '({list})[{position}]', '({text})[{position}]', '({list})[{position}:{n}]', '({list})[{n}:{position}:{step}]', '({text})[{position}:{n}]', '({map})[{key}]', '({struct}).a', '({struct})[1]',
  'CASE WHEN {condition} THEN {value} ELSE {other} END', 'CASE {scalar} WHEN {scalar} THEN 1 WHEN NULL THEN 2 ELSE 3 END', '({value} IS NULL)', '({condition} IS NOT TRUE)', '({condition} AND {condition})', '({condition} OR {condition})', '(NOT {condition})', '({json} -> {path})', '({json} ->> {path})', '({date} AT TIME ZONE {zone})', '({text} COLLATE NOCASE = {text})', '(({scalar}, {scalar}) = ({scalar}, NULL))', '(({n}, {scalar}) IN ((1, {scalar}), (2, NULL)))',
];

// formsOf returns the forms of a function: those above, or those of its line of help, with and without what it leaves open.
export function formsOf({ name, usage, kind }) {
  const key = usage.slice(0, usage.indexOf('('));
  const of = kind === 'scalar' ? written : ordered;
  const given = of[name] ?? of[key];
  if (given) return given.map((f) => f.replace('$', name));
  const [, inner] = /^[^(]*\((.*?)\)(,|$)/s.exec(usage) ?? [];
  if (inner === undefined) return [];
  const open = inner.replace(/\s*\[ORDER BY …\]/, '').replace(/, …/, '');
  const parts = open.split('[');
  return parts.map((_, n) => parts.slice(0, n + 1).join('').replaceAll(']', '')).filter((p, n) => p !== '' || n === 0)
    .map((p) => `${name}(${p.split(/,\s*/).filter(Boolean).map((w) => (/^'|^\d/.test(w) ? w : `{${w}}`)).join(', ')})`);
}

// choices are differences that docs/sql-differences.md declares: by the form, its values, and the two answers.
export const choices = [
  { form: /'mode'|list_mode|^mode/ }, { form: /regexp_extract_all|regexp_split_to_array|(string|str)_split_regex/ }, { form: / GLOB / }, { form: /current_local|get_current_time/ }, { form: /^upper|^ucase/, values: /ß/ },
  { form: /^printf/, theirs: /null|an error/ }, { form: /^printf\('%[xd]/, values: /'-/ }, { form: /^(list|array)_aggr|^aggregate/, ours: /^"\[.*\]"$/ }, { form: /concat|\|\||printf|format|string_agg/, values: /AS DOUBLE|AS DECIMAL/ },
  { form: /%|\/|fdiv|fmod|^mod\(/, ours: /null/ }, { form: /^bar/, values: /nan|inf/ }, { form: /bit_count|~ / }, { form: /^uuid_extract/ }, { form: /^to_|\* \{x/, values: /9007199254740993|1e15/ }, { form: /^parse_/, values: /NULL/ },
  { form: /json|->/, values: /\*/ }, { form: /^approx_count_distinct/ }, { form: /median|quantile|^mad/, values: /DECIMAL/ }, { form: /^(fsum|favg|kahan_sum|sumkahan|sum_kahan|weighted_avg|wavg|corr|regr_|skewness|avg|mean|stddev|var|covar|sem|kurtosis|geo|product)/, values: /inf|nan|e308|HUGEINT|AS BIGINT|weighted|AS DOUBLE/ },
  { form: /-/, values: /TIME ZONE/, ours: /days/ }, { form: /^round|^trunc/, values: /DECIMAL/ }, { form: /^regexp_replace/, ours: /null/ }, { form: /^list_select|^array_select/, theirs: /an error/ },
];
