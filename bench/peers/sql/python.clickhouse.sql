-- What ClickHouse lacks for these files, as in python.sql: years in free text, and Python literals. RE2 reads the same
-- patterns in both; $re$ begins and ends a text in which a backslash is one.

-- The first run of exactly four digits, or NULL.
CREATE OR REPLACE FUNCTION year_of AS (t) -> toInt32OrNull(extract(t, '(?:^|[^0-9])([0-9]{4})(?:[^0-9]|$)'));

-- A whole decimal integer, or NULL.
CREATE OR REPLACE FUNCTION integer_of AS (t) -> if(match(t, $re$^\s*[+-]?[0-9]+\s*$$re$), toInt64OrNull(trimBoth(t)), NULL);

CREATE OR REPLACE FUNCTION string_pattern AS () -> $re$(?s:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')$re$;
CREATE OR REPLACE FUNCTION atom_pattern AS () -> concat('(?:', string_pattern(), '|None|True|False|-?[0-9][0-9.eE+-]*)');
CREATE OR REPLACE FUNCTION sequence_pattern AS (item) -> concat('(?:', item, $re$(?:\s*,\s*$re$, item, $re$)*\s*,?\s*)?$re$);
CREATE OR REPLACE FUNCTION dict_pattern AS () ->
  concat($re$\{\s*$re$, sequence_pattern(concat(string_pattern(), $re$\s*:\s*$re$, atom_pattern())), $re$\}$re$);
CREATE OR REPLACE FUNCTION list_pattern AS (item) -> concat($re$^\s*\[\s*$re$, sequence_pattern(item), $re$\]\s*$$re$);

-- The character that one escape stands for. JSON knows those with digits, for which a code of two becomes one of four.
CREATE OR REPLACE FUNCTION escaped AS (e) -> multiIf(
  substring(e, 1, 1) != '\\' OR length(e) = 1, e,
  substring(e, 2, 1) IN ('\\', '''', '"'), substring(e, 2),
  substring(e, 2) = 'n', '\n',
  substring(e, 2) = 'r', '\r',
  substring(e, 2) = 't', '\t',
  substring(e, 2, 1) IN ('x', 'u') AND length(e) > 2,
    JSONExtractString(concat('"', '\\', 'u', leftPad(substring(e, 3), 4, '0'), '"')),
  e);

CREATE OR REPLACE FUNCTION unquoted AS (s) -> if(position(s, '\\') = 0, substring(s, 2, length(s) - 2),
  arrayStringConcat(arrayMap(e -> escaped(e), extractAll(substring(s, 2, length(s) - 2),
    $re$(?s)\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\.|[^\\]+$re$))));

-- ['a', "b's", None] → its strings: a, b's.
CREATE OR REPLACE FUNCTION python_strings AS (cell) -> if(match(cell, list_pattern(atom_pattern())),
  arrayMap(s -> unquoted(s), extractAll(cell, string_pattern())), []);

-- [{'id': 18, 'name': 'Drama'}] → the names of its dicts: Drama. A string that is not the value of 'name' is matched, and
-- so stepped over, but captures nothing.
CREATE OR REPLACE FUNCTION python_names AS (cell) -> if(match(cell, list_pattern(dict_pattern())),
  arrayMap(s -> unquoted(s), arrayFilter(s -> s != '',
    extractAll(cell, concat($re$['"]name['"]\s*:\s*($re$, string_pattern(), ')|', string_pattern())))), []);
