package protocol

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// SourceFiles are the files of one table that gateways read, in the order of its rows. Most of many
// files are written alike, and how is said once. In JSON they are a text: a JSON object of them,
// compressed by zstd, in base64. Ten thousand files take about as much room as one message has.
type SourceFiles struct {
	All   []PartFile        `json:"all"`
	Forms []*columnar.Table `json:"forms"` // how files are written
}

// plainFiles are SourceFiles that are written as their fields.
type plainFiles SourceFiles

// MarshalJSON implements json.Marshaler.
func (s *SourceFiles) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal((*plainFiles)(s))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxSourceFiles {
		return nil, fmt.Errorf("%d files take %d bytes to describe; %d are possible", len(s.All), len(text), MaxSourceFiles)
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		return nil, err
	}
	packed := z.EncodeAll(text, nil)
	return json.Marshal(packed)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *SourceFiles) UnmarshalJSON(text []byte) error {
	var packed []byte
	if err := json.Unmarshal(text, &packed); err != nil {
		return err
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxSourceFiles))
	if err != nil {
		return err
	}
	defer z.Close()
	plain, err := z.DecodeAll(packed, nil)
	if err != nil {
		return fmt.Errorf("read the files of a table: %w", err)
	}
	return json.Unmarshal(plain, (*plainFiles)(s))
}

// PartFile is one of several files of a table.
type PartFile struct {
	SourceFile
	Form   int          `json:"form"`             // among SourceFiles.Forms
	Values []*expr.Expr `json:"values,omitempty"` // literals: what the columns of the table have in all its rows (columnar.TableColumn.OfFile)
}

// Scan returns the files for a scan. open opens file i.
func (s *SourceFiles) Scan(open func(ctx context.Context, i int) (vfs.File, error)) *scan.Files {
	return &scan.Files{
		Len: len(s.All),
		Open: func(ctx context.Context, i int) (vfs.File, *columnar.Table, error) {
			f, err := open(ctx, i)
			return f, s.Forms[s.All[i].Form], err
		},
		Values: func(i int) columnar.Rows {
			values := columnar.Rows{Len: 1}
			for _, v := range s.All[i].Values {
				values.Cols = append(values.Cols, v.Value.Vector())
			}
			return values
		},
	}
}

// check reports whether the files can be those of a table.
func (s *SourceFiles) check(t *columnar.Table) error {
	var own []columnar.Type
	types := make(map[string]columnar.Type)
	for _, c := range t.Columns {
		if types[c.Name] = c.Type(); c.OfFile {
			own = append(own, c.Type())
		}
	}
	for _, form := range s.Forms {
		if err := plan.CheckTable(form); err != nil {
			return err
		}
		for _, c := range form.Columns {
			if want, has := types[c.Name]; has && c.Type() != want {
				return fmt.Errorf("column %q is %s in a file, not %s", c.Name, c.Type(), want)
			}
		}
	}
	if len(s.All) == 0 {
		return errors.New("it has no file")
	}
	for i, f := range s.All {
		if f.Name == "" || f.Form < 0 || f.Form >= len(s.Forms) || len(f.Values) != len(own) {
			return fmt.Errorf("file %d is not described as one of it", i)
		}
		for k, v := range f.Values {
			if v == nil || v.Op != expr.OpLiteral || v.Validate() != nil || v.Value.Type != own[k] {
				return fmt.Errorf("file %d has no value of a column that is %s", i, own[k])
			}
		}
	}
	return nil
}

// checkEnds reports whether the ranges are some, one behind the other.
func (s *Source) checkEnds() error {
	last := int64(0)
	for _, end := range s.Ends {
		if end <= last {
			return fmt.Errorf("a range of a file ends before block %d, and the one before it before block %d", end, last)
		}
		last = end
	}
	if len(s.Ends) > maxSplits {
		return fmt.Errorf("%d ranges of a file; up to %d are possible", len(s.Ends), maxSplits)
	}
	return nil
}

// checkSources reports whether sources are those of tables.
func checkSources(sources map[string]Source, table func(string) *columnar.Table) error {
	for name, s := range sources {
		t := table(name)
		switch {
		case t == nil:
			return fmt.Errorf("a source is that of table %q, and there is none", name)
		case s.Files == nil:
			if err := s.checkEnds(); err != nil {
				return fmt.Errorf("table %s: %w", name, err)
			}
			continue
		}
		if err := s.Files.check(t); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	return nil
}
