package bind

import (
	"cmp"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// has reports whether like is true of a part of an expression, not looking into queries.
func has(e *sql.Expr, like func(*sql.Expr) bool) bool {
	found := false
	e.Walk(func(e *sql.Expr) bool {
		found = found || like(e)
		return !found
	})
	return found
}

// plainCall refuses clauses that only aggregates take, and aggregates where none are allowed.
func plainCall(e *sql.Expr, s *scope) {
	switch {
	case isAggregate(e.Text) && s.clause != "":
		panic(sql.Certainly(e.At, besidesAggregates(s.clause), "the aggregate %s cannot stand in %s", e.Text, s.clause))
	case isAggregate(e.Text):
		panic(sql.Certainly(e.At, "Next: compute the inner one in a query in FROM, or write OVER () behind the outer one.", "aggregates cannot stand within aggregates"))
	case e.IgnoreNulls:
		panic(ignoresNulls(e))
	case e.Distinct, e.Filter != nil, len(e.Order) > 0:
		panic(sql.Certainly(e.At, "", "%s is no aggregate: DISTINCT, ORDER BY and FILTER cannot stand with it", e.Text))
	}
}

// besidesAggregates says where aggregates may stand in place of a clause.
func besidesAggregates(clause string) string {
	if clause == "WHERE" {
		return "Next: write it in HAVING, behind GROUP BY."
	}
	return "Next: compute it in a query in FROM."
}

// absent are the functions of DuckDB that there are not, by what they need, and what to write instead.
var absent = []struct{ names, need, next string }{
	{"random setseed rand newid", "values by chance", "Next: USING SAMPLE 10 draws rows, and hash(…) spreads values, the same each time."},
	{"uuid uuidv4 uuidv7 gen_random_uuid", "values by chance", "Next: md5(…) or row_number() OVER () names rows, the same each time."},
	{"nextval currval", "sequences", "Next: row_number() OVER () counts rows."},
	{"union_value union_tag union_extract", "unions", "Next: write a struct with a field for each type, {'a': x, 'b': NULL}."},
	{"enum_first enum_last enum_range enum_range_boundary enum_code", "enums", "Next: list_position(['low', 'high'], x) is the place of a text in an order."},
	{"bitstring bitstring_agg get_bit set_bit bit_position", "bit strings", "Next: &, |, <<, >> and bit_count work on the bits of integers, and bin(…) shows them."},
	{"md5_number md5_number_lower md5_number_upper", "integers of 128 bits without sign", "Next: write md5(…), or hash(…)."},
	{"error", "errors that a statement makes", "Next: select the rows that are wrong, or write CAST(text AS BIGINT), which fails."},
	{"json_transform_strict from_json_strict", "JSON of which a part must have its type", "Next: json_transform(…) is NULL there, and CAST(json_extract_string(json, '$.a') AS BIGINT) fails."},
	{
		"current_setting current_user current_database current_catalog current_schemas current_query version txid_current",
		"databases, users and settings", "Next: SHOW TABLES lists what can be read.",
	},
	{"getenv", "values from around the program", "Next: give it by --param home=\"$HOME\", and write $home."},
	{"stats vector_type", "statistics of the parts of a column", "Next: SUMMARIZE says what columns hold."},
	{"can_cast_implicitly", "questions about casts", "Next: typeof(…) names a type, and CAST or TRY_CAST goes from one to another."},
	{"variant_extract variant_typeof variant_normalize", "variants", "Next: to_json(…) holds any value, and json_extract reads it."},
}

func unknownFunction(e *sql.Expr) error {
	for _, a := range absent {
		if slices.Contains(strings.Fields(a.names), e.Text) {
			return sql.Unsupported(e.At, a.next, a.need+" ("+e.Text+")")
		}
	}
	if f := windowFunctions.Find(e.Text); f != nil {
		return sql.Certainly(e.At, "Next: write "+f.Usage+" OVER (ORDER BY …).", "%s is a function of a window", e.Text)
	}
	near, hint := hereOf(e.Text), "“analyzer help functions” lists them."
	if e.Text == "isnull" && len(e.Args) == 2 { // as in SQL Server
		near = "ifnull"
	}
	if near == "" {
		near = sql.Nearest(e.Text, FunctionNames())
	}
	scalars, windows, aggregates := scalar.Functions.Find(near), windowFunctions.Find(near), aggregateFunctions.Find(near)
	switch {
	case scalars != nil:
		hint = "Did you mean " + scalars.Usage + "?"
	case windows != nil:
		hint = "Did you mean " + windows.Usage + " OVER (…)?"
	case aggregates != nil:
		hint = "Did you mean " + aggregates.Usage + "?"
	case near != "":
		hint = "Next: write " + near + "."
	}
	return sql.Certainly(e.At, hint, "there is no function %s", e.Text)
}

// sessionTables are the table functions that a session answers before a statement is bound.
var sessionTables = []string{"read_text", "read_blob", "glob", "sniff_csv", "parquet_schema", "parquet_metadata", "parquet_file_metadata", "parquet_kv_metadata", "read_ndjson_objects", "query", "query_table", "duckdb_tables", "duckdb_views", "duckdb_columns", "duckdb_functions", "pragma_table_info"}

// insteadOfTable says what to write for table functions of DuckDB that there are not.
var insteadOfTable = map[string]string{
	"parquet_bloom_probe": "Next: EXPLAIN ANALYZE says which row groups were left out of a query.", "parquet_full_metadata": "Next: parquet_metadata, parquet_schema and parquet_file_metadata give its parts.",
	"repeat_row":        "Next: SELECT value, other FROM range(n) has n equal rows.",
	"read_json_objects": asObjects, "read_json_objects_auto": asObjects,
	"histogram":        inBins,
	"histogram_values": inBins,
	"duckdb_settings":  "Next: “analyzer sql --help” lists the flags that stand for settings.",
	"sqlite_scan":      fromDatabase, "postgres_scan": fromDatabase, "postgres_query": fromDatabase, "mysql_scan": fromDatabase, "mysql_query": fromDatabase,
	"delta_scan": "Next: read_parquet('dir/**/*.parquet') reads its files, deleted rows too.", "iceberg_scan": "Next: read_parquet('dir/data/**/*.parquet') reads its files, deleted rows too.",
}

const inBins = "Next: SELECT histogram(x) FROM table counts values, and histogram(x, [10, 20]) those up to some bounds."

const asObjects = "Next: read_ndjson_objects('file.jsonl') has the JSON of each line; of one array, SELECT unnest(content -> '$[*]') FROM read_text('file.json') has the items."

const fromDatabase = "Next: export the table to a CSV or Parquet file."

// noTableFunction is the error for a table function that there is not, or not where no session is.
func noTableFunction(call *sql.Expr) error {
	next := "There are read_csv and the like, unnest, range, generate_series, repeat, json_each, json_tree, " + strings.Join(sessionTables, ", ") + "; “analyzer help functions” lists functions."
	if slices.Contains(sessionTables, call.Text) {
		next = "Next: ask it in a statement of “analyzer sql”; a data set reads the tables that it declares."
	}
	return sql.Unsupported(call.At, cmp.Or(insteadOfTable[call.Text], next), "table functions such as "+call.Text)
}

// FunctionNames returns the names of all aggregates, functions and window functions.
func FunctionNames() []string {
	return slices.Concat(columnar.Each(documentation(), func(d registry.Doc) []string { return d.Names })...)
}
