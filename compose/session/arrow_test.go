package session_test

import (
	"bytes"
	"errors"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/session"
)

// everyType has a column of each type that an answer can have, with values, nulls and empty lists.
const everyType = `SELECT i, i % 2 = 0 AS flag, i - 3 AS whole, i * 1.25 AS exact, i / 3::DOUBLE AS float,
 CASE WHEN i % 3 > 0 THEN 'text ' || i || ' über' END AS text, DATE '2024-02-28' + i::INT AS day, make_timestamp(1700000000000000 + i) AS moment,
 sum(i * 1.25) OVER () AS total, CASE WHEN i < 9 THEN range(i % 4) END AS ints, list_transform(range(i % 3), x -> x > 0) AS bools,
 list_transform(range(i % 3), x -> x * 0.5) AS decimals, list_transform(range(i % 3), x -> x / 3::DOUBLE) AS floats,
 list_transform(range(i % 3), x -> 't' || x) AS texts, list_transform(range(i % 3), x -> DATE '2024-01-01' + x::INT) AS days,
 list_transform(range(i % 3), x -> make_timestamp(x)) AS moments FROM range(40) r(i) ORDER BY i`

// TestArrowRoundTrip reads what COPY and --format arrow write, with all types, in both forms.
func TestArrowRoundTrip(t *testing.T) {
	fs := vfs.NewMem()
	for _, o := range []session.Config{{Memory: 16 << 20, Replicas: 3}, {Memory: 256 << 20, Replicas: 1}} {
		o.FS, o.Own, o.SpillDir, o.MaxRejects = fs, fs, "/spill", -1
		ses := session.New(o)
		want, err := answer(t, ses, everyType)
		if err != nil {
			t.Fatal(err)
		}
		var stream bytes.Buffer
		asStream, err := answers.NewStream(&stream, answers.Options{Format: answers.Arrow, Queries: 1})
		if err != nil {
			t.Fatal(err)
		}
		writeArrow(t, ses, asStream)
		if err := vfs.Replace(fs, "/x.arrows", stream.Bytes()); err != nil {
			t.Fatal(err)
		}
		asFile, err := answers.NewDir(fs, "/", answers.Options{Format: answers.Arrow, File: "x.arrow", Scratch: "/"})
		if err != nil {
			t.Fatal(err)
		}
		writeArrow(t, ses, asFile)
		for _, from := range []string{"'/x.arrow'", "'/x.arrows'", "read_arrow('/x.arrow')", "(SELECT * FROM read_arrow(['/x.arrow', '/x.arrows']) GROUP BY ALL)"} {
			if got, err := answer(t, ses, "FROM "+from+" ORDER BY i"); err != nil || got != want {
				t.Errorf("%s is\n%s not\n%s error %v", from, got, want, err)
			}
		}
		types, err := answer(t, ses, "DESCRIBE FROM '/x.arrow'")
		again, err2 := answer(t, ses, "DESCRIBE "+everyType)
		if err != nil || err2 != nil || types != again {
			t.Errorf("types %s not %s, errors %v, %v", types, again, err, err2)
		}
	}
}

// writeArrow writes the rows of everyType.
func writeArrow(t *testing.T, ses *session.Session, to answers.Set) {
	t.Helper()
	asked, err := ses.Prepare(t.Context(), everyType, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := asked.Run(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(to.Finish(), asked.Close()); err != nil {
		t.Fatal(err)
	}
}
