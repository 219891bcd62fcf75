package bind

import (
	"slices"
	"strings"
)

// elsewhere says what functions of other databases are here: a function, or an expression.
var elsewhere = []struct{ names, here string }{
	// dates and times
	{"date_format format_date format_datetime format_timestamp formatdatetime", "strftime"},
	{"str_to_date date_parse parse_date parse_datetime parse_timestamp parsedatetime", "strptime"},
	{"getdate sysdate sysdatetime getutcdate utc_timestamp utc_date", "now"},
	{"curdate", "current_date"},
	{"dateadd adddate timestampadd", "date_add"},
	{"add_months", "date + INTERVAL (n) MONTH"},
	{"subdate", "date - INTERVAL (n) DAY"},
	{"timestampdiff timestamp_diff datetime_diff", "date_diff"},
	{"months_between", "date_diff('month', from_date, to_date)"},
	{"timestamp_trunc datetime_trunc", "date_trunc"},
	{"tostartofday", "date_trunc('day', x)"},
	{"tostartofhour", "date_trunc('hour', x)"},
	{"tomonday tostartofweek", "date_trunc('week', x)"},
	{"tostartofmonth", "date_trunc('month', x)"},
	{"tostartofyear", "date_trunc('year', x)"},
	{"tostartofinterval time_slice date_bin", "time_bucket"},
	{"toyear", "year"},
	{"tomonth", "month"},
	{"todayofmonth", "day"},
	{"todayofweek", "isodow"},
	{"tohour", "hour"},
	{"tominute", "minute"},
	{"datefromparts makedate", "make_date"},
	{"eomonth", "last_day"},
	{"julianday", "julian"},
	{"unix_timestamp tounixtimestamp", "epoch"},
	{"from_unixtime fromunixtimestamp timestamp_seconds", "to_timestamp"},
	{"convert_timezone from_utc_timestamp", "time AT TIME ZONE 'Europe/Berlin'"},
	{"make_interval", "to_days"},
	{"datetime todatetime to_timestamp_ntz", "CAST(x AS TIMESTAMP)"},
	{"todate try_to_date", "TRY_CAST(x AS DATE)"},
	// texts
	{"charindex locate patindex", "strpos"},
	{"mid", "substring"},
	{"btrim", "trim"},
	{"char", "chr"},
	{"replicate", "repeat"},
	{"substring_index strtok", "split_part"},
	{"splitbychar splitbystring", "string_split"},
	{"regexp_like regexp_contains rlike", "regexp_matches"},
	{"regexp_substr", "regexp_extract"},
	{"regexp_match", "regexp_extract_all"},
	{"regexp_count", "length(regexp_extract_all(x, 'pattern'))"},
	{"editdistance edit_distance levenshteindistance", "levenshtein"},
	{"jarowinkler_similarity", "jaro_winkler_similarity"},
	{"sha2", "sha256"},
	{"cityhash64 farm_fingerprint xxhash64 murmurhash3", "hash"},
	{"to_ascii", "strip_accents"},
	{"field", "list_position([a, b], x)"},
	{"elt", "list_extract([a, b], x)"},
	{"stuff", "overlay(x PLACING y FROM 2 FOR 3)"},
	{"find_in_set", "list_position(string_split(texts, ','), x)"},
	{"empty", "x = ''"},
	{"notempty", "x <> ''"},
	{"formatreadablequantity", "format('{:,}', x)"},
	// numbers, casts and choices
	{"truncate", "trunc"},
	{"div intdiv", "a // b"},
	{"modulo", "mod"},
	{"square", "x * x"},
	{"safe_divide div0 div0null ieee_divide", "a / b"},
	{"to_number tonumber try_to_number try_to_decimal isnumeric", "TRY_CAST(x AS DOUBLE)"},
	{"toint8 toint16 toint32 toint64 touint8 touint16 touint32 touint64", "CAST(x AS BIGINT)"},
	{"tofloat32 tofloat64", "CAST(x AS DOUBLE)"},
	{"tostring to_varchar", "CAST(x AS VARCHAR)"},
	{"convert astype", "CAST(x AS BIGINT)"},
	{"try_convert", "TRY_CAST(x AS BIGINT)"},
	{"isnull isna", "x IS NULL"},
	{"isnotnull notna notnull", "x IS NOT NULL"},
	{"fillna", "coalesce(x, y)"},
	{"isin", "x IN (a, b)"},
	{"nvl2", "if"},
	{"multiif", "CASE WHEN a > 1 THEN x ELSE y END"},
	{"zeroifnull", "ifnull(x, 0)"},
	{"nullifzero", "nullif(x, 0)"},
	// lists and structs
	{"size array_size array_upper", "length"},
	{"array array_construct", "list_value"},
	{"explode explode_outer arrayjoin", "unnest"},
	{"posexplode", "generate_subscripts"},
	{"sequence generate_array generate_date_array generate_timestamp_array", "generate_series"},
	{"transform arraymap", "list_transform"},
	{"arrayfilter", "list_filter"},
	{"arraysum", "list_sum"},
	{"arraycount", "list_count"},
	{"arraysort", "list_sort"},
	{"arraydistinct", "list_distinct"},
	{"arrayconcat", "list_concat"},
	{"has", "list_contains"},
	{"indexof", "list_position"},
	{"array_join", "array_to_string"},
	{"arrays_zip arrayzip", "list_zip"},
	{"array_remove", "list_filter(list, lambda item: item <> x)"},
	{"array_except", "list_filter(list, lambda item: NOT list_contains(other, item))"},
	{"array_union", "list_distinct(list_concat(list, other))"},
	{"struct named_struct tuple", "struct_pack"},
	{"map_from_arrays", "map"},
	// JSON
	{"get_json_object json_extract_scalar json_unquote jsonextractstring jsonextract jsonextractint", "json_extract_string"},
	{"jsonextractraw json_query jsonb_path_query", "json_extract"},
	{"json_build_object jsonb_build_object object_construct", "json_object"},
	{"json_build_array jsonb_build_array", "json_array"},
	{"json_agg jsonb_agg json_arrayagg", "json_group_array"},
	{"json_object_agg jsonb_object_agg object_agg json_objectagg", "json_group_object"},
	{"json_array_elements jsonb_array_elements json_array_elements_text jsonb_array_elements_text", "json_each"},
	{"json_object_keys jsonb_object_keys object_keys", "json_keys"},
	{"jsonb_array_length", "json_array_length"},
	{"jsonb_set json_set", "json_merge_patch"},
	{"to_jsonb", "to_json"},
	{"parse_json try_parse_json", "TRY_CAST(x AS JSON)"},
	// aggregates and windows
	{"collect_list grouparray", "list"},
	{"collect_set groupuniqarray", "list(DISTINCT x)"},
	{"uniq uniqexact count_distinct nunique", "count(DISTINCT x)"},
	{"value_counts", "histogram"},
	{"sumif", "sum(x) FILTER (WHERE a > 1)"},
	{"avgif", "avg(x) FILTER (WHERE a > 1)"},
	{"total", "coalesce(sum(x), 0)"},
	{"std", "stddev"},
	{"logical_or boolor_agg", "bool_or"},
	{"logical_and booland_agg", "bool_and"},
	{"percentile quantileexact", "quantile_cont"},
	{"percentile_approx approx_percentile approx_quantiles", "approx_quantile"},
	{"topk", "approx_top_k"},
	{"wm_concat", "string_agg"},
	{"ratio_to_report", "x / sum(x) OVER ()"},
	{"runningdifference diff", "x - lag(x) OVER (ORDER BY y)"},
	{"pct_change", "x / lag(x) OVER (ORDER BY y) - 1"},
	{"cumsum", "sum(x) OVER (ORDER BY y)"},
	{"cumcount", "row_number"},
	{"shift", "lag"},
	{"qcut", "ntile"},
}

// hereOf returns what a function of another database is here, "" if it is not known.
func hereOf(name string) string {
	for _, e := range elsewhere {
		if slices.Contains(strings.Fields(e.names), name) {
			return e.here
		}
	}
	return ""
}

// insteadOfColumn says what to write for what other databases have as if they were columns.
var insteadOfColumn = map[string]string{
	"rowid":   "Next: write row_number() OVER () - 1, which counts the rows of a file.",
	"rownum":  "Next: write LIMIT 10, or row_number() OVER () in a query in FROM.",
	"sysdate": "Next: write now().", "getdate": "Next: write now().", "curdate": "Next: write today().",
}

// insteadOfTables says the same of tables.
var insteadOfTables = map[string]string{"dual": "Next: leave FROM out: SELECT 1 needs none."}
