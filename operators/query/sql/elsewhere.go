package sql

import "cmp"

// instead says what to write for what other dialects have where a token stands, "" if that is not known.
func (p *parser) instead(t token, wanted string) string {
	var before [2]token // the last of them first
	for i := range before {
		if at := p.at - 1 - i; at >= 0 {
			before[i] = p.tokens[at]
		}
	}
	switch {
	case wanted == aTable && t.isAny("/", ".", "~"):
		return "Next: write the file's name in single quotes, 'dir/file.csv'."
	case t.is(",") && before[1].is("LIMIT"):
		return "Next: write LIMIT " + p.ahead(1).text + " OFFSET " + before[0].text + "."
	case t.is("BY") && before[1].is("LIMIT"):
		return "Next: write QUALIFY row_number() OVER (PARTITION BY …) <= " + before[0].text + "."
	case t.is("WITH") && p.ahead(1).isAny("ROLLUP", "CUBE", "TOTALS"):
		return "Next: write GROUP BY ROLLUP (…), or CUBE (…)."
	case t.is("LATERAL") && p.ahead(1).is("VIEW"):
		return "Next: write FROM table, unnest(list) AS u(item)."
	case t.is("FOR") && p.ahead(1).isAny("UPDATE", "SHARE"):
		return "Next: leave it out: statements change no files."
	case wanted == ")" && t.is("AS"):
		return "Next: write CAST(x AS BIGINT) or TRY_CAST(x AS BIGINT), and {'name': x} for a struct."
	case wanted == ")" && t.is("HAVING") && p.ahead(1).isAny("MAX", "MIN"):
		return "Next: write arg_max(value, by) or arg_min(value, by)."
	case t.is("(") && before[0].is("KEEP"):
		return "Next: write arg_min(value, by) or arg_max(value, by)."
	case t.is("WITH") && p.ahead(1).is("OFFSET"):
		return "Next: write WITH ORDINALITY, before AS u(item, place)."
	case wanted == ")" && t.is("LIMIT"):
		return "Next: write list(x ORDER BY y)[1:n]."
	}
	if next := p.missing(t, before, wanted); next != "" {
		return next
	}
	if p.at > 0 && t.kind == text && before[0].at.End == t.at.Begin {
		return beforeText[before[0].upper()]
	}
	if next := insteadOf[t.upper()]; next != "" {
		return next
	}
	return cmp.Or(insteadOf[before[0].upper()], misspelt(before[0], t, wanted)) // which was read as a name
}

// missing says what is missing, or too much, where a token stands, "" if that is not known.
func (p *parser) missing(t token, before [2]token, wanted string) string {
	switch {
	case wanted == onOrUsing:
		return "Next: write ON a.key = b.key or USING (key), or CROSS JOIN for all pairs."
	case t.is("BY") && before[0].is("PARTITION"):
		return "Next: write OVER (PARTITION BY …)."
	case t.is("WITH") && before[0].is("START"):
		return insteadOf["CONNECT"]
	case t.is("ON") && wanted == theEnd:
		return "Next: write JOIN in place of the comma before it, or WHERE."
	case wanted == theEnd && t.isAny("WHERE", "GROUP", "HAVING"):
		return "Next: write the clauses in their order: FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT."
	case t.is(",") && wanted == theEnd && before[0].kind == number && len(p.ahead(1).text) == 3:
		return "Next: write a number without commas."
	case t.is("<") && before[0].is(">"):
		return "Next: write <>."
	case t.is(",") && wanted == anExpression:
		return "Next: leave the comma out."
	case wanted == anExpression && t.kind == endOfText && p.at > 0:
		return "Next: go on with a column or a value."
	case wanted == "AND":
		return "Next: write BETWEEN least AND greatest."
	case wanted == "END", wanted == "WHEN":
		return "Next: write CASE WHEN condition THEN value ELSE value END."
	case wanted == "(" && before[0].is("AS"):
		return "Next: write parentheses around the query."
	case wanted == "BY":
		return "Next: write " + before[0].upper() + " BY."
	case wanted == ")" && p.endsList():
		return "Next: close the parenthesis before it."
	case t.is("(") && before[0].is("OVER"):
		return "Next: write parentheses behind the name too, as in rank() OVER (…)."
	case t.is("NOT") && p.ahead(1).is("EXISTS"):
		return "Next: write x NOT IN (SELECT …), or NOT EXISTS (SELECT …) without a value before it."
	case t.is(")") && before[0].is("+") && before[1].is("("):
		return "Next: write a LEFT JOIN b ON a.key = b.key."
	case t.is(":") && wanted == anExpression:
		return "Next: write $name, and give --param name=value."
	case t.is("WITH") && p.ahead(1).is("("):
		return "Next: leave it out."
	case before[1].is("AS") && reserved(before[0].text):
		return "Next: write a name behind AS."
	}
	return ""
}

// misspelt says which word of clauses was meant by a name before a token, or that a comma is missing; "" if neither is
// likely.
func misspelt(name, t token, wanted string) string {
	if wanted != theEnd || name.kind != word {
		return ""
	}
	near := Nearest(name.text, []string{"FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "JOIN", "UNION", "EXCEPT", "QUALIFY", "WINDOW"})
	switch {
	case near != "":
		return "Did you mean " + near + "?"
	case t.isName():
		return "Next: write a comma before it, if it is another column or table."
	}
	return ""
}

const anyRegexp = "Next: write regexp_matches(text, 'pattern')."

// insteadOf says what to write for signs and words of other dialects.
var insteadOf = map[string]string{
	"`": "Next: write names as they are, or in double quotes.", "RLIKE": anyRegexp, "REGEXP": anyRegexp,
	"SEPARATOR": "Next: write string_agg(text, ', ' ORDER BY text).", "#": "Next: write json -> '$.a.b', or ->> for a text.",
	"TOP": "Next: write LIMIT n at the end.", "DIV": "Next: write a // b.", "XOR": "Next: write xor(a, b) of integers, and a <> b of truth values.",
	"PREWHERE": "Next: write WHERE.", "SETTINGS": "Next: leave it out; “analyzer sql --help” lists flags.", "FORMAT": "Next: give --format, or write COPY (…) TO 'file.json'.",
	"IS":    "Next: write IS NOT DISTINCT FROM, by which two nulls are equal.",
	"MINUS": "Next: write EXCEPT.", "?": "Next: write CASE WHEN … THEN … ELSE … END.", ":": "Next: write json->>'name' for a part of JSON, and x::BIGINT for a cast.",
	"DISTRIBUTE": "Next: leave it out.",
	"SAMPLE":     "Next: write TABLESAMPLE 10% behind a table, or USING SAMPLE 10% at the end.", "OUTER": "Next: write FULL JOIN, LEFT JOIN or RIGHT JOIN.",
	"APPLY": "Next: write CROSS JOIN LATERAL (SELECT …), or LEFT JOIN LATERAL (SELECT …) ON true.", "INTO": "Next: write CREATE TABLE x AS SELECT …, or COPY (SELECT …) TO 'file.csv'.",
	"=>": "Next: write >=.", "!": "Next: write NOT.", "CONNECT": "Next: write WITH RECURSIVE.",
}

// beforeText says what to write for letters of other dialects right before a text.
var beforeText = map[string]string{
	"R": "Next: leave the r out: backslashes in texts stay what they are.", "X": "Next: write '\\xAB'::BLOB.", "B": "Next: write 0b101, an integer.",
}

// What may be wanted where something else stands.
const (
	anExpression = "an expression"
	theEnd       = "the end of the statement"
)
