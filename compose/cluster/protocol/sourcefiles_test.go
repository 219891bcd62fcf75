package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/expr"
)

// manyFiles are files of a table with a column of the files.
func manyFiles(n int) (*SourceFiles, *columnar.Table) {
	t := &columnar.Table{Name: "parts", Columns: []columnar.TableColumn{
		{Name: "id", Header: "id", Format: columnar.FormatInt}, {Name: "year", Header: "year", Format: columnar.FormatInt, OfFile: true},
	}}
	form := *t
	form.Columns = t.Columns[:1]
	s := &SourceFiles{Forms: []*columnar.Table{&form}}
	for i := range n {
		print := Fingerprint{Size: int64(i), Written: 1_790_000_000_000_000_000 + int64(i)*1_234_567, Sample: fmt.Sprintf("%016x", uint64(i)*0x9E3779B97F4A7C15)}
		name := fmt.Sprintf("s3://bucket/events/year=%d/part-%05d-of-10000.csv.gz", 2020+i%7, i)
		s.All = append(s.All, PartFile{SourceFile: SourceFile{name, print}, Values: []*expr.Expr{expr.Int(int64(2020 + i%7))}})
	}
	return s, t
}

// Ten thousand files fit into a request.
func TestSourceFilesInJSON(t *testing.T) {
	s, table := manyFiles(10_000)
	if err := s.check(table); err != nil {
		t.Error(err)
	}
	text, err := json.Marshal(s)
	if err != nil || len(text) > MaxRequest*9/10 {
		t.Fatalf("%d bytes, error %v", len(text), err)
	}
	var again SourceFiles
	if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(&again, s) {
		t.Errorf("they are others, or %v", err)
	}
	for _, wrong := range []string{`"!"`, `"AAAA"`, `5`, `"KLUv/QBYUQAAeyJhbGwi"`} {
		if err := json.Unmarshal([]byte(wrong), &again); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}

func TestSourceFilesAreChecked(t *testing.T) {
	for name, spoil := range map[string]func(s *SourceFiles, t *columnar.Table){
		"no file":       func(s *SourceFiles, _ *columnar.Table) { s.All = nil },
		"no name":       func(s *SourceFiles, _ *columnar.Table) { s.All[1].Name = "" },
		"a form beyond": func(s *SourceFiles, _ *columnar.Table) { s.All[1].Form = 1 },
		"a form before": func(s *SourceFiles, _ *columnar.Table) { s.All[1].Form = -1 },
		"no form":       func(s *SourceFiles, _ *columnar.Table) { s.Forms[0] = nil },
		"two columns alike": func(s *SourceFiles, _ *columnar.Table) {
			s.Forms[0].Columns = append(s.Forms[0].Columns, s.Forms[0].Columns...)
		},
		"another type": func(s *SourceFiles, t *columnar.Table) {
			t.Columns[0].Format = columnar.FormatFloat
			s.Forms[0].Columns = []columnar.TableColumn{{Name: "id", Format: columnar.FormatInt}}
		},
		"no value":          func(s *SourceFiles, _ *columnar.Table) { s.All[0].Values = nil },
		"a value of a text": func(s *SourceFiles, _ *columnar.Table) { s.All[0].Values[0] = expr.Str("2020") },
		"no literal":        func(s *SourceFiles, _ *columnar.Table) { s.All[0].Values[0] = expr.Col("id") },
		"nil":               func(s *SourceFiles, _ *columnar.Table) { s.All[0].Values[0] = nil },
	} {
		s, table := manyFiles(2)
		table.Columns = append([]columnar.TableColumn(nil), table.Columns...)
		if spoil(s, table); s.check(table) == nil {
			t.Errorf("%s: nothing is wrong", name)
		}
	}
	s, table := manyFiles(2)
	if err := checkSources(map[string]Source{"other": {Files: s}}, (&Spec{Tables: []*columnar.Table{table}}).Table); err == nil {
		t.Error("a source of no table is taken")
	}
}
