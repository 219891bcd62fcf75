package expr

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
)

// TestParts holds functions of parts of texts to what DuckDB makes of the same.
func TestParts(t *testing.T) {
	null := Null(columnar.Text)
	for _, tt := range []struct {
		e    *Expr
		want string
	}{
		{Call(OpPosition, Str("日本語"), Str("語")), "3"},
		{Call(OpPosition, Str("abc"), Str("")), "1"},
		{Call(OpPosition, Str("ab"), Str("abc")), "0"},
		{Call(OpPosition, null, Str("a")), "null::int"},
		{Call("left", Str("日本語"), Int(2)), "'日本'"},
		{Call("left", Str("abc"), Int(-1)), "'ab'"},
		{Call("left", Str("abc"), Int(math.MinInt64)), "''"},
		{Call("right", Str("日本語"), Int(2)), "'本語'"},
		{Call("right", Str("abc"), Int(-1)), "'bc'"},
		{Call("right", Str("abc"), Int(0)), "''"},
		{Call("right", Str("abc"), Int(math.MaxInt64)), "'abc'"},
		{Call("right", Str("abc"), Int(math.MinInt64)), "''"},
		{Call("right", Str("abc"), Null(columnar.Int)), "null::text"},
		{Call(OpSubstr, Str("日本語"), Int(-2), Int(2)), "'本語'"},
		{Call(OpSubstr, Str("abc"), Int(-2), Int(1)), "'b'"},
		{Call(OpSubstr, Str("abc"), Int(-5), Int(3)), "'a'"},
		{Call(OpSubstr, Str("abc"), Int(0), Int(2)), "'a'"},
		{Call(OpSubstr, Str("abc"), Int(3), Int(-2)), "'ab'"},
		{Call(OpSubstr, Str("abc"), Int(2), Int(-1)), "'a'"},
		{Call(OpSubstr, Str("abc"), Int(5), Int(-3)), "'bc'"},
		{Call(OpSubstr, Str("abc"), Int(0), Int(-1)), "''"},
		{Call(OpSubstr, Str("abc"), Int(2), Int(math.MinInt64)), "'a'"},
		{Call("split_part", Str("a,b,c"), Str(","), Int(2)), "'b'"},
		{Call("split_part", Str("a,b,c"), Str(","), Int(-1)), "'c'"},
		{Call("split_part", Str("a,b,c"), Str(","), Int(-3)), "'a'"},
		{Call("split_part", Str("a,b,c"), Str(","), Int(-4)), "''"},
		{Call("split_part", Str("a,b,c"), Str(","), Int(0)), "''"},
		{Call("split_part", Str("a,b,c"), Str(","), Int(9)), "''"},
		{Call("split_part", Str("aaa"), Str("aa"), Int(-1)), "'a'"},
		{Call("split_part", Str("日本"), Str(""), Int(-2)), "'日'"},
		{Call("split_part", Str("abc"), Str(""), Int(0)), "''"},
		{Call("split_part", Str(""), Str(","), Int(1)), "''"},
		{Call("reverse", Str("🤦🏼‍♂️ ok")), "'ko 🤦🏼‍♂️'"},
		{Call("reverse", Str("ne\u0301")), "'e\u0301n'"},
		{Call("reverse", Str("a\r\nb")), "'b\n\ra'"},
		{Call(OpRepeat, Str("né"), Int(2)), "'néné'"},
		{Call(OpRepeat, Str("ab"), Int(-1)), "''"},
		{Call(OpRepeat, Str(""), Int(math.MaxInt64)), "''"},
		{Call("lpad", Str("né"), Int(5), Str("xy")), "'xyxné'"},
		{Call("lpad", Str("日本語"), Int(2), Str("x")), "'日本'"},
		{Call("lpad", Str("a"), Int(-1), Str("x")), "''"},
		{Call("lpad", Str("a"), Int(1), Str("")), "'a'"},
		{Call("rpad", Str("a"), Int(4), Str("é日")), "'aé日é'"},
		{Call("rpad", Str("a"), Int(4), null), "null::text"},
		{Call(OpTrimOf, Str("éaé"), Str("é")), "'a'"},
		{Call(OpLeftTrimOf, Str("xyaxy"), Str("yx")), "'axy'"},
		{Call(OpRightTrimOf, Str("axy"), Str("")), "'axy'"},
		{Call(OpCodePoint, Str("日本")), "26085"},
		{Call(OpCodePoint, Str("")), "0"},
		{Call("chr", Int(128512)), "'😀'"},
		{Call("cbrt", Float(-27)), "-3e+00"},
		{Call("atan2", Float(1), Float(0)), "1.5707963267948966e+00"},
		{Call(OpSign, Float(-1e-300)), "-1"},
		{Call(OpSign, Dec(0)), "0"},
		{Call(OpTrunc, Dec(-15_700_000), Int(-1)), "-10.0"},
		{Call(OpTrunc, Dec(12_345_678), Int(3)), "12.345"},
		{Call(OpTrunc, Int(math.MinInt64), Int(-30)), "0"},
		{Call(OpTrunc, Float(-2.789), Int(1)), "-2.7e+00"},
		{Call(OpTrunc, Float(1e300), Int(20)), "1e+300"},
		{Call(OpRound, Int(-15), Int(-1)), "-20"},
		{Call(OpRound, Int(15), Int(2)), "15"},
		{Call(OpGreatest, Str("a"), null, Str("b"), Str("aa")), "'b'"},
		{Call(OpLeast, Null(columnar.Bool), Bool(true), Bool(false)), "false"},
		{Call(OpGreatest, Null(columnar.Date)), "null::date"},
		{Call(OpListSort, Texts("b", "a", "B"), Bool(false), Bool(false)), "['B', 'a', 'b']"},
		{Call(OpListSort, Texts("b", "a", "B"), Bool(true), Bool(false)), "['b', 'a', 'B']"},
		{Call(OpListDistinct, Call(OpListOf, Str("b"), null, Str("a"), Str("b"))), "['b', 'a']"},
		{Call("list_reverse", Texts("a", "b")), "['b', 'a']"},
		{Call(OpListConcat, Texts("a"), Texts("b", "c"), Bool(false)), "['a', 'b', 'c']"},
		{Call(OpListConcat, Texts("a"), Null(columnar.TextList), Bool(false)), "null::textlist"},
		{Call(OpListConcat, Null(columnar.TextList), Texts("a"), Bool(true)), "['a']"},
		{Call(OpListPosition, Texts("a", "b"), Str("b")), "2"},
		{Call(OpListPosition, Call(OpListOf, Int(1), Null(columnar.Int)), Null(columnar.Int)), "2"},
		{Call(OpListPosition, Texts("a"), null), "null::int"},
		{Call(OpListText, Call(OpListOf, Str("a"), null, Str("b")), Str("--")), "'a--b'"},
		{Call(OpListText, Call(OpListOf, Int(1), Int(-2)), Str(",")), "'1,-2'"},
		{Call(OpListText, Texts(), Str(",")), "''"},
		{Call(OpListText, Call(OpListOf, null), Str(",")), "null::text"},
		{Call("string_split", Str(""), Str("")), "['']"},
		{Call("string_split", Str(""), Str(",")), "['']"},
	} {
		got, err := tt.e.compute(nil)
		if err != nil || got.String() != tt.want {
			t.Errorf("%s is %s, want %s (%v)", tt.e, got, tt.want, err)
		}
	}
}

// TestPartsThatFail holds errors, which a null argument does not make.
func TestPartsThatFail(t *testing.T) {
	s := columnar.Schema{{Name: "n", Type: columnar.Int}, {Name: "s", Type: columnar.Text}}
	for e, want := range map[*Expr]string{
		Call("chr", Col("n")):                                "the character of code point -1",
		Call("lpad", Str("a"), Int(2), Col("s")):             "lpad is given nothing to fill a text with",
		Call(OpRepeat, Str("ab"), Sub(Int(1<<62), Col("n"))): ErrMuchText.Error(),
		Call("asin", ToFloat(Sub(Int(1), Col("n")))):         "asin of 2: there is no such number",
		Call("rpad", Str("ab"), Int(1<<62), Str("x")):        ErrMuchText.Error(),
	} {
		ev := mustCompile(t, e, s)
		_, cols := columnsOf([]columnar.Type{columnar.Int, columnar.Text}, [][]datum{{num(-1), ""}})
		if _, err := ev.Eval(cols, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", e, err, want)
		}
	}
	ev := mustCompile(t, Call("chr", Col("n")), s)
	_, cols := columnsOf([]columnar.Type{columnar.Int, columnar.Text}, [][]datum{{nil, nil}})
	if v, err := ev.Eval(cols, 1); err != nil || !v.IsNull(0) {
		t.Errorf("of null: %v, %v", v, err)
	}
}

// TestSplitPartIsAPartOfSplit compares parts with strings.Split, counted from both ends.
func TestSplitPartIsAPartOfSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, by := rapid.StringMatching(`[abé]{0,9}`).Draw(t, "text"), rapid.StringMatching(`[aé]{0,2}`).Draw(t, "by")
		n := rapid.IntRange(-6, 6).Draw(t, "n")
		parts, want := strings.Split(text, by), ""
		at := n - 1
		if n < 0 {
			at = len(parts) + n
		}
		if at >= 0 && at < len(parts) {
			want = parts[at]
		}
		if got := string(splitPart([]byte(text), []byte(by), int64(n))); got != want {
			t.Fatalf("part %d of %q by %q is %q, want %q", n, text, by, got, want)
		}
	})
}

// TestSortedLists compares list_sort with slices.Sort over nulls and many lists.
func TestSortedLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := rapid.SliceOf(rapid.SliceOf(rapid.Int64Range(-3, 3))).Draw(t, "lists")
		values := make([][]datum, len(lists))
		for i, list := range lists {
			items := []datum{nil}
			for _, n := range list {
				items = append(items, num(n))
			}
			values[i] = []datum{items}
		}
		s, cols := columnsOf([]columnar.Type{columnar.IntList}, values)
		ev, err := Compile(Call(OpListSort, Col("a"), Bool(true), Bool(false)), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := ev.Eval(cols, len(lists))
		if err != nil {
			t.Fatal(err)
		}
		for i, list := range lists {
			slices.Sort(list)
			slices.Reverse(list)
			lo := int(v.Offsets[i])
			if got := v.Child.Ints[lo : lo+len(list)]; !slices.Equal(got, list) || !v.Child.IsNull(lo+len(list)) {
				t.Fatalf("list %d is %v, want %v and null", i, got, list)
			}
		}
	})
}
