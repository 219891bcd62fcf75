-- What DuckDB lacks for these files: years in free text, and Python literals.
--
-- A literal is checked as a whole by one linear regular expression, so that a cell that is cut off is the empty
-- list, as the specification asks. Its strings are then taken by a regular expression that walks over whole
-- strings, so that quotes, brackets and "'name':" inside a text mislead nobody.

-- The first run of exactly four digits, or NULL.
CREATE MACRO year_of(t) AS
  TRY_CAST(regexp_extract(t, '(?:^|[^0-9])([0-9]{4})(?:[^0-9]|$)', 1) AS INTEGER);

-- A whole decimal integer, or NULL: a plain cast would round '1.5' to 2.
CREATE MACRO integer_of(t) AS
  CASE WHEN regexp_full_match(t, '\s*[+-]?[0-9]+\s*') THEN TRY_CAST(t AS BIGINT) END;

-- Patterns. Flag s lets a text run over line breaks.
CREATE MACRO string_pattern() AS '(?s:"(?:[^"\\]|\\.)*"|''(?:[^''\\]|\\.)*'')';
CREATE MACRO atom_pattern() AS '(?:' || string_pattern() || '|None|True|False|-?[0-9][0-9.eE+-]*)';
CREATE MACRO sequence_pattern(item) AS '(?:' || item || '(?:\s*,\s*' || item || ')*\s*,?\s*)?';
CREATE MACRO dict_pattern() AS
  '\{\s*' || sequence_pattern(string_pattern() || '\s*:\s*' || atom_pattern()) || '\}';
CREATE MACRO list_pattern(item) AS '\s*\[\s*' || sequence_pattern(item) || '\]\s*';

-- The character that one escape stands for; an unknown escape stands for itself, as in Python.
CREATE MACRO escaped(e) AS CASE
  WHEN e[1] <> '\' OR length(e) = 1 THEN e
  WHEN e[2] IN ('\', '''', '"') THEN e[2]
  WHEN e[2] = 'n' THEN chr(10)
  WHEN e[2] = 'r' THEN chr(13)
  WHEN e[2] = 't' THEN chr(9)
  WHEN e[2] IN ('x', 'u', 'U') AND length(e) > 2 THEN chr(CAST('0x' || substring(e, 3) AS INTEGER))
  ELSE e END;

-- A quoted string as text. Nearly none has a backslash, and only those are taken to pieces.
CREATE MACRO unquoted(s) AS CASE
  WHEN NOT contains(s, '\') THEN substring(s, 2, length(s) - 2)
  ELSE array_to_string(list_transform(
    regexp_extract_all(substring(s, 2, length(s) - 2),
      '(?s)\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\.|[^\\]+'),
    lambda e: escaped(e)), '') END;

-- ['a', "b's", None] → its strings: a, b's.
CREATE MACRO python_strings(cell) AS CASE
  WHEN regexp_full_match(cell, list_pattern(atom_pattern()))
  THEN list_transform(regexp_extract_all(cell, string_pattern()), lambda s: unquoted(s))
  ELSE CAST([] AS VARCHAR[]) END;

-- [{'id': 18, 'name': 'Drama'}] → the names of its dicts: Drama. A string that is not the value of 'name' is
-- matched, and so stepped over, but captures nothing.
CREATE MACRO python_names(cell) AS CASE
  WHEN regexp_full_match(cell, list_pattern(dict_pattern()))
  THEN list_transform(list_filter(
    regexp_extract_all(cell, '[''"]name[''"]\s*:\s*(' || string_pattern() || ')|' || string_pattern(), 1),
    lambda s: s IS NOT NULL), lambda s: unquoted(s))
  ELSE CAST([] AS VARCHAR[]) END;
