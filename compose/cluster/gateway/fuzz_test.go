package gateway

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/broker"
)

// allTypes is a table with a column of each type that a file can have.
var allTypes = &columnar.Table{Name: "all", Columns: []columnar.TableColumn{
	{Name: "i", Header: "i", Format: columnar.FormatInt},
	{Name: "t", Header: "t", Format: columnar.FormatText},
	{Name: "d", Header: "d", Format: columnar.FormatDecimal},
	{Name: "b", Header: "b", Format: columnar.FormatBool},
	{Name: "l", Header: "l", Format: columnar.FormatTexts},
}}

// allScan is a scan of all columns of all types.
func allScan(t testing.TB) *scatter.Scan {
	t.Helper()
	r := &protocol.OpenRequest{
		Tables: []*columnar.Table{allTypes}, Block: 1 << 16, TTL: 1e12,
		Queries: []*plan.Query{{Name: "q", Root: plan.From("all").Sort(plan.Asc("i"))}},
	}
	spec := testSpec(t, r)
	f, err := scatter.New(testRuntime(t), spec, scanOf(t, spec))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	if len(f.Schema()) != 5 {
		t.Fatalf("the scan reads %s", f.Schema())
	}
	return f
}

// allRows draws rows of all types.
func allRows(f *scatter.Scan, n int, text string, null func(i int) bool) columnar.Rows {
	rows := columnar.NewRows(f.Schema())
	for i := range n {
		for c, v := range rows.Cols {
			switch {
			case null(i + c):
				v.AppendNull()
			case v.Type == columnar.Text:
				v.AppendBytes([]byte(text))
			case v.Type == columnar.Bool:
				v.AppendBool(i%2 == 0)
			case v.Type == columnar.TextList:
				for range i % 3 {
					v.Child.AppendBytes([]byte(text))
				}
				v.EndList()
			default:
				v.AppendInt(int64(i))
			}
		}
		rows.Len++
	}
	return rows
}

func FuzzBatch(f *testing.F) {
	scan := allScan(f)
	for _, n := range []int{1, 3, 40} {
		message, err := ipc.Append(nil, scan.Schema(), allRows(scan, n, "täxt", func(i int) bool { return i%5 == 0 }))
		if err != nil {
			f.Fatal(err)
		}
		header, body, err := ipc.Split(message)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(header, body)
	}
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, header, body []byte) {
		messages, rows, err := scatterBytes(t.Context(), scan, 0, 7, &flight.FlightData{DataHeader: header, DataBody: bytes.Clone(body)})
		if err != nil {
			if reason := protocol.CodeOf(err); reason != protocol.BadBatch && reason != protocol.TooLarge {
				t.Fatalf("refused without a reason: %v", err)
			}
			return
		}
		if len(messages) != 1 || rows > 8*len(body) {
			t.Fatalf("%d messages, %d rows in %d bytes", len(messages), rows, len(body))
		}
	})
}

func FuzzFlightData(f *testing.F) {
	for _, d := range []*flight.FlightData{
		{},
		{AppMetadata: protocol.EncodeNumber(3)},
		{DataHeader: []byte("header"), DataBody: []byte("body")},
		{FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: []byte("{}")}},
		{FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorPATH, Path: []string{"a", "b"}}},
	} {
		data, err := proto.Marshal(d)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want flight.FlightData
		half := len(data) / 2
		if err := parseFlightData(mem.BufferSlice{mem.SliceBuffer(data[:half]), mem.SliceBuffer(data[half:])}, &got); err != nil {
			return
		}
		if err := proto.Unmarshal(data, &want); err != nil {
			t.Fatalf("read what is none: %v", err)
		}
		if !bytes.Equal(got.DataHeader, want.DataHeader) || !bytes.Equal(got.DataBody, want.DataBody) ||
			!bytes.Equal(got.AppMetadata, want.AppMetadata) || !bytes.Equal(got.FlightDescriptor.GetCmd(), want.FlightDescriptor.GetCmd()) {
			t.Fatalf("read %v, it is %v", &got, &want)
		}
	})
}

func TestWhatBatchesMayHold(t *testing.T) {
	f := allScan(t)
	encode := func(rows columnar.Rows) *flight.FlightData {
		message, err := ipc.Append(nil, f.Schema(), rows)
		if err != nil {
			t.Fatal(err)
		}
		header, body, err := ipc.Split(message)
		if err != nil {
			t.Fatal(err)
		}
		return &flight.FlightData{DataHeader: header, DataBody: body}
	}
	never := func(int) bool { return false }
	for name, text := range map[string]string{"Latin-1": "\xe9", "half a letter": "\xc3", "a surrogate": "\xed\xa0\x80"} {
		if _, _, err := scatterBytes(t.Context(), f, 0, 0, encode(allRows(f, 3, text, never))); protocol.CodeOf(err) != protocol.BadBatch {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Whatever stands in the slots of nulls, the message is the same.
	null := func(i int) bool { return i%3 == 0 }
	clean := encode(allRows(f, 9, "text", null))
	dirty := allRows(f, 9, "text", never)
	for c, v := range dirty.Cols {
		v.Valid = make([]bool, v.Len)
		for i := range v.Valid {
			v.Valid[i] = !null(i + c)
		}
	}
	want, _, err := scatterBytes(t.Context(), f, 0, 0, clean)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := scatterBytes(t.Context(), f, 0, 0, encode(dirty))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got[0].Body, want[0].Body) {
		t.Error("nulls with something in them make another message")
	}
}

// A batch without columns may say that it has any number of rows.
func TestRowsWithoutColumns(t *testing.T) {
	r := request()
	r.Queries[0].Root = plan.From("sales").Aggregate(nil, plan.Agg{Func: plan.Count, Name: "n"})
	spec := testSpec(t, r)
	f, err := scatter.New(testRuntime(t), spec, scanOf(t, spec))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(f.Schema()) != 0 {
		t.Fatalf("the scan reads %s", f.Schema())
	}
	message, err := ipc.Append(nil, f.Schema(), columnar.Rows{Len: 5})
	if err != nil {
		t.Fatal(err)
	}
	header, body, err := ipc.Split(message)
	if err != nil {
		t.Fatal(err)
	}
	if _, rows, err := scatterBytes(t.Context(), f, 0, 0, &flight.FlightData{DataHeader: header, DataBody: body}); err != nil || rows != 5 {
		t.Errorf("%d rows, %v", rows, err)
	}
	at := bytes.Index(header, binary.LittleEndian.AppendUint64(nil, 5))
	binary.LittleEndian.PutUint64(header[at:], protocol.MaxRows+1)
	if _, _, err := scatterBytes(t.Context(), f, 0, 0, &flight.FlightData{DataHeader: header, DataBody: body}); protocol.CodeOf(err) != protocol.TooLarge {
		t.Errorf("of %d rows: %v", protocol.MaxRows+1, err)
	}
}

// scatterBytes makes the messages of a batch from a client's bytes, and returns how many rows it has.
func scatterBytes(ctx context.Context, s *scatter.Scan, split int, k uint64, d *flight.FlightData) ([]broker.Message, int, error) {
	rows, err := decode(s.Schema(), d)
	if err != nil {
		return nil, 0, err
	}
	messages, err := scatterBatch(ctx, s, split, k, rows)
	return messages, rows.Len, err
}
