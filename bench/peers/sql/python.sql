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
  CASE WHEN regexp_full_match(t, '\s*[+-]?[0-9]+\s*') THEN TRY_CAST(trim(t) AS BIGINT) END;

-- The character that one escape stands for; an unknown escape stands for itself, as in Python.
CREATE MACRO python_escape(e) AS CASE
  WHEN e[1] <> '\' OR length(e) = 1 THEN e
  WHEN e[2] IN ('\', '''', '"') THEN e[2]
  WHEN e[2] = 'n' THEN chr(10)
  WHEN e[2] = 'r' THEN chr(13)
  WHEN e[2] = 't' THEN chr(9)
  WHEN e[2] IN ('x', 'u', 'U') AND length(e) > 2 THEN chr(CAST('0x' || e[3:] AS INTEGER))
  ELSE e END;

-- A quoted Python string as text. Nearly none has a backslash, and only those are taken to pieces.
CREATE MACRO python_text(s) AS CASE
  WHEN NOT contains(s, '\') THEN s[2:-2]
  ELSE array_to_string(list_transform(
    regexp_extract_all(s[2:-2], '\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\(?s:.)|[^\\]+'),
    lambda e: python_escape(e)), '') END;

-- ['a', "b's", None] → its strings.
CREATE MACRO python_strings(cell) AS CASE
  WHEN cell LIKE '[%]' AND regexp_full_match(cell,
    '(?s)\[\s*(?:(?:"(?:[^"\\]|\\.)*"|''(?:[^''\\]|\\.)*''|None|True|False|-?[0-9.]+)\s*(?:,\s*|(?:\])))*\]?\s*')
  THEN list_transform(regexp_extract_all(cell, '(?s)"(?:[^"\\]|\\.)*"|''(?:[^''\\]|\\.)*'''),
    lambda s: python_text(s))
  ELSE CAST([] AS VARCHAR[]) END;
