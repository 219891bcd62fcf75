package scan

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/vfs"
)

// allFormats has every format, required and not.
var allFormats = &columnar.Table{Name: "all", Columns: []columnar.TableColumn{
	{Name: "int", Header: "Int", Format: columnar.FormatInt, Required: true},
	{Name: "text", Header: "Text", Format: columnar.FormatText, Required: true},
	{Name: "decimal", Header: "Decimal", Format: columnar.FormatDecimal, Required: true},
	{Name: "bool", Header: "Bool", Format: columnar.FormatBool, Required: true},
	{Name: "date", Header: "Date", Format: columnar.FormatDate, Required: true},
	{Name: "year", Header: "Year", Format: columnar.FormatYear, Required: true},
	{Name: "day", Header: "Day", Format: columnar.FormatDay, Required: true},
	{Name: "moment", Header: "Moment", Format: columnar.FormatTimestamp, Required: true},
	{Name: "american", Header: "American", Format: columnar.FormatTimeMDY, Required: true},
	{Name: "names", Header: "Names", Format: columnar.FormatNames, Required: true},
	{Name: "int0", Header: "Int 0", Format: columnar.FormatInt},
	{Name: "text0", Header: "Text 0", Format: columnar.FormatText},
	{Name: "decimal0", Header: "Decimal 0", Format: columnar.FormatDecimal},
	{Name: "bool0", Header: "Bool 0", Format: columnar.FormatBool},
	{Name: "date0", Header: "Date 0", Format: columnar.FormatDate},
	{Name: "year0", Header: "Year 0", Format: columnar.FormatYear},
	{Name: "day0", Header: "Day 0", Format: columnar.FormatDay},
	{Name: "moment0", Header: "Moment 0", Format: columnar.FormatTimestamp},
	{Name: "american0", Header: "American 0", Format: columnar.FormatTimeMDY},
	{Name: "german0", Header: "German 0", Format: columnar.FormatDayDMY},
	{Name: "utc0", Header: "UTC 0", Format: columnar.FormatUTC},
	{Name: "clock", Header: "Clock", Format: columnar.FormatClock, Required: true},
	{Name: "texts0", Header: "Texts 0", Format: columnar.FormatTexts},
	{Name: "list0", Header: "List 0", Format: columnar.FormatCommaList},
}}

// good and bad are cells as they stand in the file.
var (
	good = map[columnar.Format][]string{
		columnar.FormatInt:       {"0", "7", "862", "12345678", "123456789012", "-5", "862.0", `"31"`, "007"},
		columnar.FormatDecimal:   {"0", "4.5", "19.99", "1234567", "0.000001", "-2.5", "373554033.0", `"2.5"`, "3.", ".5", "1e3", "12.345678"},
		columnar.FormatBool:      {"True", "False", "1", "0", "TRUE", `"false"`},
		columnar.FormatDate:      {"1995-10-30", `"2000-01-01"`},
		columnar.FormatDay:       {"1970-01-01", "2000-02-29", `"1969-12-31"`},
		columnar.FormatTimestamp: {"1970-01-01 00:00:01", "2000-02-29T23:59:59.5", `"1969-12-31"`, "2000-02-29 10:00"},
		columnar.FormatTimeMDY:   {"2/29/2000", "12/31/1969 3:04 PM", `"02/29/2000 15:04:05.5"`},
		columnar.FormatDayDMY:    {"29.2.2000", "31/12/1969", `"01-02-2003"`},
		columnar.FormatUTC:       {"2000-02-29T23:59:59.5Z", "1969-12-31 10:00:00+00:00", `"2000-02-29 10:00:00 UTC"`},
		columnar.FormatClock:     {"00:00", "9:05:07", `"23:59:59.999999"`},
		columnar.FormatYear:      {"1996", "2004-07", "1963*", `"Oct 21, 2008"`},
		columnar.FormatText:      {"x", "a longer text", `"quoted, with ""quotes"""`, "\"two\r\nlines\"", "é漢", "5\" pipe", `"a"b"c`, "bad\xffbyte", "\xe2\x82", `""" """`},
		columnar.FormatNames:     {`"[{'id': 18, 'name': 'Drama'}, {'id': 1, 'name': ""O'Neil""}]"`, "[]", `"[{'name': 'caf\xc3'}]"`},
		columnar.FormatTexts:     {`"['A', 'B C']"`, "['D']", `"[""it's""]"`},
		columnar.FormatCommaList: {`"Indie, ACTION ,É"`, "Casual", ",", `" a ,, b"`},
	}
	bad = map[columnar.Format][]string{
		columnar.FormatInt:       {"x", "1.5", "99999999999999999999", "1 2", "\xff"},
		columnar.FormatDecimal:   {"x", "nan", "1..2", "4,5", "1.2.3"},
		columnar.FormatBool:      {"yes", "2"},
		columnar.FormatDate:      {"10/30/1995", "1995", "1995-10-30T", `"""1995-10-30"""`},
		columnar.FormatDay:       {"1900-02-29", "1995-13-30", "1995-10-30T", "95-10-30"},
		columnar.FormatTimestamp: {"1900-02-29 00:00", "1995-10-30 24:00:00", "1995-10-30 10:00:00Z", "1995-10-30 10:00:00.1234567"},
		columnar.FormatTimeMDY:   {"29/2/2000", "2/29/2000 13:04 PM", "2/29/00", "2000-02-29"},
		columnar.FormatDayDMY:    {"2/29/2000", "29.2.2000 10:00", "29.2/2000", "2000-02-29"},
		columnar.FormatUTC:       {"2000-02-29", "2000-02-29 10:00", "2000-02-29T10:00:00+01:00"},
		columnar.FormatClock:     {"24:01", "9:5", "2000-02-29 10:00", "10:00:00.1234567", "noon"},
		columnar.FormatYear:      {"197?", "May", "12345"},
		columnar.FormatNames:     {"nonsense", "[{"},
		columnar.FormatTexts:     {"['A'", "None"},
		columnar.FormatText:      {`""`},
		columnar.FormatCommaList: {`""`},
	}
)

// randomTable makes a file of the table: columns in any order, some unknown, with
// the given number of faults in a thousand cells.
func randomTable(rng *rand.Rand, t *columnar.Table, rows, faults int) []byte {
	var b bytes.Buffer
	columns := slices.Clone(t.Columns)
	columns = append(columns, columnar.TableColumn{Header: "Unknown"}, columnar.TableColumn{Header: "Other \"one\""})
	rng.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	lineEnd := []string{"\n", "\r\n", "\r"}[rng.IntN(3)]
	if rng.IntN(3) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for i, c := range columns {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(c.Header)
	}
	pick := func(s []string) string { return s[rng.IntN(len(s))] }
	for range rows {
		b.WriteString(lineEnd)
		n := len(columns)
		if rng.IntN(1000) < faults {
			n = rng.IntN(2*n + 1)
		}
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			c := columns[i%len(columns)]
			switch {
			case rng.IntN(1000) >= faults:
				b.WriteString(pick(good[c.Format]))
			case rng.IntN(3) > 0:
				b.WriteString(pick(bad[c.Format]))
			}
		}
	}
	switch rng.IntN(5) {
	case 0:
		b.WriteString(lineEnd)
	case 1:
		b.WriteString(lineEnd + `1,"never closed` + lineEnd)
	case 2:
		b.WriteString(lineEnd + strings.Repeat("1,", len(columns)-1) + `"never closed` + lineEnd)
	}
	return b.Bytes()
}

// collected is what a scan yields, put into the order of the file.
type collected struct {
	rows    [][]string
	rejects []Reject
	stats   Stats
}

// collect scans with several workers, materialising columns in two steps with
// some rows selected in between when split is set.
func collect(f vfs.File, t *columnar.Table, opts Options, workers int, split *rand.Rand) (collected, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out collected
	opts.OnReject = func(r Reject) error {
		r.Record = bytes.Clone(r.Record)
		out.rejects = append(out.rejects, r)
		return nil
	}
	s, err := Open(ctx, f, t, t.Schema().Names(), opts)
	if err != nil {
		return out, err
	}
	defer s.Close()
	chunks := map[int64][][]string{}
	var mu sync.Mutex
	var first error
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			w := s.NewWorker()
			for {
				c, err := w.Next(ctx)
				if errors.Is(err, io.EOF) {
					return
				}
				var rows [][]string
				if err == nil {
					rows, err = materialiseAll(s, c)
				}
				mu.Lock()
				if err != nil {
					if first == nil {
						first = err
					}
					cancel()
					mu.Unlock()
					return
				}
				if split != nil {
					err = checkSelection(s, c, rows, split)
					if first == nil {
						first = err
					}
				}
				part, of := c.Part()
				chunks[c.Index()*int64(of)+int64(part)] = rows
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for k := range int64(len(chunks)) {
		rows, ok := chunks[k]
		if !ok && first == nil {
			return out, fmt.Errorf("block %d is missing", k)
		}
		out.rows = append(out.rows, rows...)
	}
	out.stats = s.Stats()
	return out, first
}

func materialiseAll(s *Scan, c Chunk) ([][]string, error) {
	columns := make([]int, len(s.Schema()))
	for i := range columns {
		columns[i] = i
	}
	rows, err := c.Materialise(columns, nil)
	if err != nil {
		return nil, err
	}
	return texts(rows), nil
}

// checkSelection materialises some columns of some rows, without counting
// warnings twice in what collect compares: it takes numbers only.
func checkSelection(s *Scan, c Chunk, rows [][]string, rng *rand.Rand) error {
	var sel []int32
	for r := range rows {
		if rng.IntN(3) == 0 {
			sel = append(sel, int32(r))
		}
	}
	if sel == nil {
		sel = []int32{}
	}
	columns := []int{9, 0, 3, 2, 10, 7}
	chosen, err := c.Materialise(columns, sel)
	if err != nil {
		return err
	}
	for i, got := range texts(chosen) {
		for j, k := range columns {
			if want := rows[sel[i]][k]; got[j] != want {
				return fmt.Errorf("row %d of block %d: column %d is %s, not %s", sel[i], c.Index(), k, got[j], want)
			}
		}
	}
	return nil
}

// texts shows rows as text.
func texts(all columnar.Rows) [][]string {
	rows := make([][]string, all.Len)
	for _, v := range all.Cols {
		for i := range rows {
			cell := "null"
			if v.IsNull(i) {
				if v.Offsets != nil && v.Offsets[i] != v.Offsets[i+1] {
					cell = "a null that holds something"
				}
			} else {
				switch v.Type.Kind() {
				case columnar.KindInt64:
					cell = fmt.Sprint(v.Ints[i])
				case columnar.KindBool:
					cell = fmt.Sprint(v.Bools[i])
				case columnar.KindBytes:
					cell = fmt.Sprintf("%q", v.Bytes(i))
				case columnar.KindList:
					list := []string{}
					for k := v.Offsets[i]; k < v.Offsets[i+1]; k++ {
						list = append(list, string(v.Child.Bytes(int(k))))
					}
					cell = fmt.Sprintf("%q", list)
				}
			}
			rows[i] = append(rows[i], cell)
		}
	}
	return rows
}

func TestAgainstReference(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 60
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 7))
		data := randomTable(rng, allFormats, rng.IntN(60), []int{0, 5, 30, 200}[rng.IntN(4)])
		f := memFile(t, "all.csv", data)
		switch rng.IntN(4) {
		case 0:
			f = vfs.Stdin(bytes.NewReader(data))
		case 1:
			f = memFile(t, "all.csv.gz", compressed(data))
		}
		opts := Options{CSV: csv.Options{BlockSize: 1 + rng.IntN(1+rng.IntN(4000))}, Parts: 1 + rng.IntN(4)}
		opts.CSV.BlockSize *= opts.Parts
		if err := compare(f, data, opts, 1+rng.IntN(4), rng); err != nil {
			t.Fatalf("seed %d: %v\n%q", seed, err, data)
		}
	}
}

// compare scans a file and compares all of it with the reference.
func compare(f vfs.File, data []byte, opts Options, workers int, rng *rand.Rand) error {
	got, err := collect(f, allFormats, opts, workers, rng)
	if err != nil {
		return err
	}
	want := refScan(data, allFormats)
	for i := range min(len(got.rows), len(want.rows)) {
		if !slices.Equal(got.rows[i], want.rows[i]) {
			return fmt.Errorf("row %d is\n%v, not\n%v", i, got.rows[i], want.rows[i])
		}
	}
	if len(got.rows) != len(want.rows) || got.stats.Rows != int64(len(want.rows)) {
		return fmt.Errorf("%d rows, counted %d, not %d", len(got.rows), got.stats.Rows, len(want.rows))
	}
	for i := range want.rejects {
		want.rejects[i].File = f.Name()
		if i >= len(got.rejects) || !reflect.DeepEqual(got.rejects[i], want.rejects[i]) {
			return fmt.Errorf("rejects\n%+v, not\n%+v", got.rejects, want.rejects)
		}
	}
	if len(got.rejects) != len(want.rejects) || got.stats.RejectedRows() != int64(len(want.rejects)) {
		return fmt.Errorf("%d rejects, counted %d, not %d", len(got.rejects), got.stats.RejectedRows(), len(want.rejects))
	}
	return compareCounts(got.stats, want)
}

func compareCounts(got Stats, want refResult) error {
	rejected := map[Count]int64{}
	for _, r := range want.rejects {
		rejected[Count{What: r.Reason, Column: r.Column}]++
	}
	if want.blank > 0 {
		rejected[Count{What: RejectBlank}] = want.blank
	}
	for _, counts := range []struct {
		got  []Count
		want map[Count]int64
	}{{got.Rejected, rejected}, {got.Warnings, want.warnings}} {
		n := map[Count]int64{}
		for _, c := range counts.got {
			n[Count{What: c.What, Column: c.Column}] = c.Count
		}
		if !reflect.DeepEqual(n, counts.want) {
			return fmt.Errorf("counted %v, not %v", n, counts.want)
		}
	}
	return nil
}

func compressed(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
