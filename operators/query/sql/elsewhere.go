package sql

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
	case wanted == ")" && t.is("LIMIT"):
		return "Next: write list(x ORDER BY y)[1:n]."
	}
	if next := insteadOf[t.upper()]; next != "" {
		return next
	}
	return insteadOf[before[0].upper()] // which was read as a name
}

const anyRegexp = "Next: write regexp_matches(text, 'pattern')."

// insteadOf says what to write for signs and words of other dialects.
var insteadOf = map[string]string{
	"`": "Next: write names as they are, or in double quotes.", "RLIKE": anyRegexp, "REGEXP": anyRegexp,
	"SEPARATOR": "Next: write string_agg(text, ', ' ORDER BY text).", "#": "Next: write json -> '$.a.b', or ->> for a text.",
	"TOP": "Next: write LIMIT n at the end.", "DIV": "Next: write a // b.", "XOR": "Next: write xor(a, b) of integers, and a <> b of truth values.",
	"PREWHERE": "Next: write WHERE.", "SETTINGS": "Next: leave it out; “analyzer sql --help” lists flags.", "FORMAT": "Next: give --format, or write COPY (…) TO 'file.json'.",
	"IS": "Next: write IS NOT DISTINCT FROM, by which two nulls are equal.", "R": "Next: leave the r out: backslashes in texts stay what they are.",
	"X": "Next: write '\\xAB'::BLOB.", "B": "Next: write 0b101, an integer.", "DISTRIBUTE": "Next: leave it out.",
}
