package inputs

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
)

func source() *datasets.Source {
	return &datasets.Source{
		Name: "shop",
		Tables: []*columnar.Table{
			{Name: "goods", Files: []string{"goods.csv"}},
			{Name: "sales", Files: []string{"sales.csv", "sales_old.csv"}},
		},
		Samples: fstest.MapFS{"goods.csv": {Data: []byte("sample")}, "sales.csv": {Data: []byte("sample")}},
	}
}

func disk(t *testing.T, names ...string) *vfs.Mem {
	t.Helper()
	fs := vfs.NewMem()
	if err := fs.MkdirAll("/data"); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := fs.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, "in "+name); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return fs
}

func both() map[string]int { return map[string]int{"goods": 1, "sales": 2} }

func read(t *testing.T, in *Inputs, table string) (text, name string) {
	t.Helper()
	f, err := in.Open(context.Background(), table)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), f.Name()
}

func TestFind(t *testing.T) {
	tests := map[string]struct {
		files        []string
		tables       map[string]string
		dir          string
		goods, sales string
		total        int64
	}{
		"samples":     {goods: "sample", sales: "sample", total: 18},
		"directory":   {files: []string{"/data/goods.csv", "/data/sales.csv.zst"}, dir: "/data", goods: "in /data/goods.csv", sales: "in /data/sales.csv.zst", total: 62},
		"plain first": {files: []string{"/data/goods.csv", "/data/goods.csv.gz", "/data/sales_old.csv"}, dir: "/data", goods: "in /data/goods.csv", sales: "in /data/sales_old.csv", total: 62},
		"usual first": {files: []string{"/data/goods.csv.gz", "/data/sales.csv.gz", "/data/sales_old.csv"}, dir: "/data", goods: "in /data/goods.csv.gz", sales: "in /data/sales.csv.gz", total: 63},
		"one file":    {files: []string{"/x"}, tables: map[string]string{"sales": "/x"}, goods: "sample", sales: "in /x", total: 16},
	}
	for name, tt := range tests {
		in, err := Find(source(), both(), Options{Dir: tt.dir, Tables: tt.tables, FS: disk(t, tt.files...)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for table, want := range map[string]string{"goods": tt.goods, "sales": tt.sales} {
			got, file := read(t, in, table)
			if got != want {
				t.Errorf("%s: %s holds %q, want %q", name, table, got, want)
			}
			if in.TableOf(file) != table {
				t.Errorf("%s: %s is read from %s, which is said to hold %q", name, table, file, in.TableOf(file))
			}
		}
		if in.Total() != tt.total {
			t.Errorf("%s: there are %d bytes to read, want %d", name, in.Total(), tt.total)
		}
		if samples, all := in.Samples(); (len(samples) > 0) != (tt.dir == "") || all != (tt.dir == "" && len(tt.tables) == 0) {
			t.Errorf("%s: samples are %q, all: %v", name, samples, all)
		}
	}
}

func TestMissing(t *testing.T) {
	tests := map[string]struct {
		options Options
		times   map[string]int
		kind    fault.Kind
		says    []string
	}{
		"all files":     {Options{Dir: "/data"}, both(), fault.Input, []string{"no goods.csv in /data", "no sales.csv or sales_old.csv", "for table sales"}},
		"one file":      {Options{Dir: "/data"}, map[string]int{"goods": 1}, fault.Input, []string{"no goods.csv"}},
		"directory":     {Options{Dir: "/none"}, both(), fault.Input, []string{"/none"}},
		"table":         {Options{Tables: map[string]string{"sale": "/x"}}, both(), fault.Usage, []string{`no table "sale"`, "goods, sales"}},
		"file name":     {Options{Tables: map[string]string{"sales": ""}}, both(), fault.Usage, []string{"no file name"}},
		"second stream": {Options{Tables: map[string]string{"sales": "-", "goods": "-"}}, both(), fault.Usage, []string{"one table, not 2"}},
	}
	for name, tt := range tests {
		tt.options.FS = disk(t)
		_, err := Find(source(), tt.times, tt.options)
		var known *fault.Error
		if !errors.As(err, &known) || known.Kind != tt.kind {
			t.Errorf("%s: error %v, want one of kind %d", name, err, tt.kind)
			continue
		}
		for _, part := range tt.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %q does not say %q", name, err, part)
			}
		}
	}
	in, err := Find(source(), both(), Options{Tables: map[string]string{"sales": "/gone"}, FS: disk(t)})
	if err != nil {
		t.Fatal(err)
	}
	var known *fault.Error
	if _, err := in.Open(context.Background(), "sales"); !errors.As(err, &known) || known.Kind != fault.Input {
		t.Errorf("opening a file that is not there: %v", err)
	}
}

func TestStandardInput(t *testing.T) {
	fs := disk(t)
	find := func(times int) *Inputs {
		t.Helper()
		in, err := Find(source(), map[string]int{"sales": times}, Options{
			Tables: map[string]string{"sales": "-"}, FS: fs, Stdin: strings.NewReader("from a pipe"), Spool: "/data",
		})
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	in := find(1)
	if got, file := read(t, in, "sales"); got != "from a pipe" || in.TableOf(file) != "sales" {
		t.Errorf("standard input is %q, named %q", got, file)
	}
	if _, err := in.Open(context.Background(), "sales"); err == nil {
		t.Error("standard input was opened again")
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}

	in = find(3)
	for range 3 {
		if got, file := read(t, in, "sales"); got != "from a pipe" || in.TableOf(file) != "sales" {
			t.Errorf("the copy is %q, named %q", got, file)
		}
	}
	if in.Total() != 0 {
		t.Errorf("a pipe is said to have %d bytes", in.Total())
	}
	if names, err := fs.List("/data"); err != nil || len(names) != 1 {
		t.Errorf("while it is read the directory holds %q, %v", names, err)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if names, err := fs.List("/data"); err != nil || !slices.Equal(names, nil) {
		t.Errorf("afterwards the directory holds %q, %v", names, err)
	}
}

func TestSilentPipeStops(t *testing.T) {
	silent, other := io.Pipe()
	defer other.Close()
	for _, times := range []int{1, 2} {
		ctx, cancel := context.WithCancelCause(context.Background())
		in, err := Find(source(), map[string]int{"sales": times}, Options{
			Tables: map[string]string{"sales": "-"}, FS: disk(t), Stdin: silent, Spool: "/data",
		})
		if err != nil {
			cancel(nil)
			t.Fatal(err)
		}
		go cancel(errors.New("stopped"))
		f, err := in.Open(ctx, "sales")
		if err == nil {
			_, err = f.Read(make([]byte, 1))
		}
		if !errors.Is(err, context.Cause(ctx)) {
			t.Errorf("waiting for a pipe ended with %v", err)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
}
