package session_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	arrowmemory "github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote/remotetest"
	"analyzer/compose/session"
)

// groupsOf returns a Parquet file of many row groups whose columns are more or less in order.
func groupsOf(t *testing.T, rng *rand.Rand, rows, perGroup int) []byte {
	t.Helper()
	b := array.NewRecordBuilder(arrowmemory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "f", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "d", Type: arrow.PrimitiveTypes.Date32},
		{Name: "m", Type: &arrow.Decimal128Type{Precision: 9, Scale: 2}, Nullable: true},
		{Name: "u", Type: arrow.PrimitiveTypes.Uint32},
		{Name: "n", Type: &arrow.TimestampType{Unit: arrow.Nanosecond}},
	}, nil))
	defer b.Release()
	for i := range rows {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		switch f := b.Field(1).(*array.Float64Builder); rng.IntN(40) {
		case 0:
			f.AppendNull()
		case 1:
			f.Append(math.NaN())
		case 2:
			f.Append(math.Copysign(0, -1))
		default:
			f.Append(float64(i/100) + rng.Float64())
		}
		s := b.Field(2).(*array.StringBuilder)
		if rng.IntN(30) == 0 {
			s.AppendNull()
		} else {
			s.Append(fmt.Sprintf("%03d é %d", i/50, rng.IntN(9)))
		}
		b.Field(3).(*array.Date32Builder).Append(arrow.Date32(19_000 + i/20))
		b.Field(4).AppendNull()
		b.Field(5).(*array.Uint32Builder).Append(uint32(math.MaxUint32 - i))
		b.Field(6).(*array.TimestampBuilder).Append(arrow.Timestamp(int64(i)*3_600_000_000_000 + 999))
	}
	record := b.NewRecord()
	defer record.Release()
	var out bytes.Buffer
	w, err := pqarrow.NewFileWriter(record.Schema(), &out, parquet.NewWriterProperties(parquet.WithMaxRowGroupLength(int64(perGroup))), pqarrow.DefaultWriterProps())
	if err == nil {
		err = w.Write(record)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Row groups that cannot have a row are left out, and no others: conditions answer as they do in a
// form about which bounds tell nothing.
func TestRowGroupsAreSkipped(t *testing.T) {
	if testing.Short() {
		t.Skip("its rows are many for the race detector")
	}
	rng := rand.New(rand.NewPCG(5, 8))
	s := &remotetest.Server{Files: map[string][]byte{"bucket/t.parquet": groupsOf(t, rng, 6000, 300), "bucket/large.parquet": groupsOf(t, rng, 60_000, 3000)}}
	_, files := s.Start(t, vfs.OS())
	ses := sessionOver(t, files)
	from := " FROM 's3://bucket/t.parquet' WHERE "
	one := func() string {
		op := []string{"=", "<", "<=", ">", ">=", "<>"}[rng.IntN(6)]
		return []string{
			fmt.Sprintf("id %s %d", op, rng.IntN(6600)-300), fmt.Sprintf("%d %s id", rng.IntN(6000), op),
			fmt.Sprintf("f %s %d.5", op, rng.IntN(70)-5), fmt.Sprintf("f %s 0", op), fmt.Sprintf("s %s '%03d é 4'", op, rng.IntN(130)),
			fmt.Sprintf("d %s DATE '2022-01-08' + %d", op, rng.IntN(330)), fmt.Sprintf("m %s 5", op), fmt.Sprintf("u %s 4294967295 - %d", op, rng.IntN(6500)),
			fmt.Sprintf("n %s TIMESTAMP '1970-02-01 00:00:00'", op), fmt.Sprintf("id IN (%d, %d)", rng.IntN(9000), rng.IntN(9000)),
			fmt.Sprintf("id BETWEEN %d AND %d", rng.IntN(3000), 2000+rng.IntN(3000)), fmt.Sprintf("id = %d.5", rng.IntN(6000)),
			[]string{"id", "f", "s", "m"}[rng.IntN(4)] + " IS NULL", []string{"id", "f", "s", "m"}[rng.IntN(4)] + " IS NOT NULL",
		}[rng.IntN(14)]
	}
	for range 80 {
		where := one()
		switch rng.IntN(4) {
		case 0:
			where = fmt.Sprintf("(%s) AND (%s)", where, one())
		case 1:
			where = fmt.Sprintf("(%s) OR (%s) AND (%s)", where, one(), one())
		}
		what := "SELECT count(*) AS n, sum(id) AS i, min(s) AS s, max(f) AS f"
		got, err := answer(t, ses, what+from+where)
		want, other := answer(t, ses, what+from+"("+where+") IS TRUE")
		if err != nil || other != nil || got != want {
			t.Errorf("%s: %q, error %v, want %q, error %v", where, got, err, want, other)
		}
	}
	for _, where := range []string{"m IS NOT NULL", "m = 5 OR id IS NULL"} {
		before := s.Bytes.Load()
		if got, err := answer(t, ses, "SELECT count(f) AS n, min(s) AS s FROM 's3://bucket/large.parquet' WHERE "+where); err != nil || got != "n,s\n0,\n" {
			t.Errorf("%s: %q, error %v", where, got, err)
		}
		if read := s.Bytes.Load() - before; read > int64(len(s.Files["bucket/large.parquet"])/3) {
			t.Errorf("%s: %d bytes were read for no row", where, read)
		}
	}
	before := s.Bytes.Load()
	if got, err := answer(t, ses, "SELECT id, f, s, d FROM 's3://bucket/large.parquet' WHERE id = 43210"); err != nil || !strings.HasPrefix(got, "id,f,s,d\n43210,") {
		t.Errorf("%q, error %v", got, err)
	}
	if read, size := s.Bytes.Load()-before, int64(len(s.Files["bucket/large.parquet"])); read > size/3 {
		t.Errorf("%d bytes of %d were read for one row", read, size)
	}
}

// Of rows that are not among the first of a sort with a limit, only the first key is read, or nothing.
func TestRowsBehindTheFirstAreSkipped(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	s := &remotetest.Server{Files: map[string][]byte{"bucket/t.parquet": groupsOf(t, rng, 6000, 300)}}
	_, files := s.Start(t, vfs.OS())
	ses := sessionOver(t, files)
	statements := 40
	if testing.Short() {
		statements = 8
	}
	for range statements {
		column, way, limit := []string{"id", "f", "s", "d", "m", "u", "n"}[rng.IntN(7)], []string{"", " DESC", " NULLS FIRST", " DESC NULLS FIRST"}[rng.IntN(4)], 1+rng.IntN(40)
		all := fmt.Sprintf("SELECT * FROM 's3://bucket/t.parquet' WHERE id %% 3 < %d ORDER BY %s%s, id", 1+rng.IntN(3), column, way)
		got, err := answer(t, ses, fmt.Sprintf("%s LIMIT %d", all, limit))
		want, other := answer(t, ses, all)
		if want = strings.Join(strings.SplitAfter(want, "\n")[:limit+1], ""); err != nil || other != nil || got != want {
			t.Errorf("%s LIMIT %d: %.200q, error %v, want %.200q, error %v", all, limit, got, err, want, other)
		}
	}
	for by, least := range map[string]int64{"d, id": 5000, "d DESC": 5000, "n DESC, u": 5000, "s DESC NULLS LAST": 5000, "u": 5000, "f DESC NULLS LAST": 2000} {
		if left := leftOut(t, ses, "SELECT id, s FROM 's3://bucket/t.parquet' ORDER BY "+by+" LIMIT 1"); left < least || left >= 6000 {
			t.Errorf("of 6000 rows, by %s: %d were left out", by, left)
		}
	}
}

// leftOut returns how many rows a statement left out, of those that it would have had to read.
func leftOut(t *testing.T, ses *session.Session, text string) (rows int64) {
	t.Helper()
	_, report, err := ran(t, ses, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range report.Nodes {
		rows += n.LeftOut
	}
	return rows
}

// Of rows whose values nobody needs one by one, none are read: aggregates are what they are of rows that are.
func TestAggregatesByStatistics(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 8))
	s := &remotetest.Server{Files: map[string][]byte{"bucket/t.parquet": groupsOf(t, rng, 3000, 300), "bucket/large.parquet": groupsOf(t, rng, 60_000, 3000)}}
	_, files := s.Start(t, vfs.OS())
	ses := sessionOver(t, files)
	statements := 60
	if testing.Short() {
		statements = 12
	}
	for range statements {
		var all []string
		for i := range 1 + rng.IntN(4) {
			column := []string{"id", "f", "s", "d", "m", "u", "n"}[rng.IntN(7)]
			form := []string{"count(*)", "count(%s)", "min(%s)", "max(%s)", "sum(CAST(%s IS NULL AS INTEGER))", "max(%s) FILTER (id > 5)", "count(DISTINCT %s)"}[min(rng.IntN(14), 6)%7]
			if rng.IntN(3) > 0 {
				form = []string{"count(*)", "count(%s)", "min(%s)", "max(%s)"}[rng.IntN(4)]
			}
			all = append(all, fmt.Sprintf("%s AS a%d", strings.ReplaceAll(form, "%s", column), i))
		}
		statement := "SELECT " + strings.Join(all, ", ") + " FROM 's3://bucket/t.parquet'"
		got, err := answer(t, ses, statement)
		want, other := answer(t, ses, statement+" WHERE (id >= 0) IS TRUE")
		if err != nil || other != nil || got != want {
			t.Errorf("%s: %q, error %v, want %q, error %v", statement, got, err, want, other)
		}
	}
	if left := leftOut(t, ses, "SELECT min(s) AS s, count(*) AS n, min(id) AS i FROM 's3://bucket/t.parquet'"); left < 1000 || left >= 3000 {
		t.Errorf("of 3000 rows whose texts are known not to be less than that of the first: %d were left out", left)
	}
	before := s.Bytes.Load()
	got, err := answer(t, ses, "SELECT count(*) AS c, count(m) AS m, min(id) AS i, max(d) AS d, min(n) AS n, max(u) AS u FROM 's3://bucket/large.parquet'")
	if want := "c,m,i,d,n,u\n60000,0,0,2030-03-26,1970-01-01 00:00:00,4294967295\n"; err != nil || got != want {
		t.Errorf("%q, error %v, want %q", got, err, want)
	}
	if read := s.Bytes.Load() - before; read > int64(len(s.Files["bucket/large.parquet"])/4) {
		t.Errorf("%d bytes were read", read)
	}
}
