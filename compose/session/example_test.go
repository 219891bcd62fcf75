package session_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
)

const sales = "city,price\nOslo,3\nBergen,4\nOslo,5\n"

// memory returns a file system in memory with a file.
func memory(name, content string) vfs.FS {
	fs := vfs.NewMem()
	if err := errors.Join(fs.MkdirAll("/spill"), vfs.Replace(fs, name, []byte(content))); err != nil {
		panic(err)
	}
	return fs
}

// over returns a session over the file of sales in memory.
func over(fs vfs.FS) *session.Session {
	return session.New(session.Config{
		FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 2, MaxRejects: -1,
		Tables: map[string]string{"sales": "/sales.csv"},
	})
}

// A statement over a file, answered as a table of text. With vfs.OS and vfs.Private in place
// of files in memory, a session reads those of the machine.
func ExampleSession() {
	ctx := context.Background()
	ses := over(memory("/sales.csv", sales))
	asked, err := ses.Prepare(ctx, "SELECT city, sum(price) AS total FROM sales GROUP BY city ORDER BY city", nil)
	if err != nil {
		panic(err)
	}
	defer asked.Close()
	out, err := answers.NewStream(os.Stdout, answers.Options{Format: answers.CSV, Queries: 1})
	if err != nil {
		panic(err)
	}
	report, err := asked.Run(ctx, out)
	if err = errors.Join(err, out.Finish()); err != nil {
		panic(err)
	}
	fmt.Println(report.Rows, "rows were read")

	_, err = ses.Prepare(ctx, "SELECT city FRM sales", nil)
	var wrong *fault.Error
	if errors.As(err, &wrong) {
		at, _ := wrong.Place()
		fmt.Println(wrong.Kind == fault.Usage, at.Begin)
	}
	// Output:
	// city,total
	// Bergen,4
	// Oslo,8
	// 3 rows were read
	// true 16
}

// printer gets the rows of an answer, a batch at a time.
type printer struct{ out io.Writer }

func (p printer) Begin(_ string, columns columnar.Schema) error {
	for _, c := range columns {
		fmt.Fprintf(p.out, "%s is %s\n", c.Name, c.Type)
	}
	return nil
}

func (p printer) Write(rows columnar.Rows) error {
	for i := range rows.Len {
		line := make([]string, len(rows.Cols))
		for j, column := range rows.Cols {
			line[j] = string(column.AppendText(nil, i))
		}
		fmt.Fprintln(p.out, strings.Join(line, " "))
	}
	return nil
}

func (p printer) End() error { return nil }

// Rows come as columns, a batch at a time, and are borrowed until Write returns.
func ExamplePrepared_Run() {
	ctx := context.Background()
	asked, err := over(memory("/sales.csv", sales)).Prepare(ctx, "FROM sales WHERE price > $least", map[string]string{"least": "3"})
	if err != nil {
		panic(err)
	}
	defer asked.Close()
	if _, err := asked.Run(ctx, printer{os.Stdout}); err != nil {
		panic(err)
	}
	// Output:
	// city is text
	// price is int
	// Bergen 4
	// Oslo 5
}

// A cluster answers: it gets the two columns, but no file.
func ExamplePrepared_RunOn() {
	ctx := context.Background()
	gateway, stop := startCluster() // two workers and a gateway of this process
	defer stop()
	c, err := client.New(client.Config{Gateways: []string{gateway}})
	if err != nil {
		panic(err)
	}
	defer c.Close()
	asked, err := over(memory("/sales.csv", sales)).Prepare(ctx, "SELECT max(price) AS most FROM sales", nil)
	if err != nil {
		panic(err)
	}
	defer asked.Close()
	if _, err := asked.RunOn(ctx, c, printer{os.Stdout}); err != nil {
		panic(err)
	}
	// Output:
	// most is int
	// 5
}

// A query of a data set, over the samples that come with it.
func ExampleSession_Ask() {
	ctx := context.Background()
	movies, err := catalog.Find("movies", datasets.Settings{"from_year": "2008"})
	if err != nil {
		panic(err)
	}
	queries, err := movies.Select("q1")
	if err != nil {
		panic(err)
	}
	ses := session.New(session.Config{FS: vfs.OS(), Own: vfs.Private(), MaxRejects: -1})
	asked, err := ses.Ask(ctx, datasets.Selection{Source: &movies.Source, Queries: queries}, "")
	if err != nil {
		panic(err)
	}
	defer asked.Close()
	var rows counter
	if _, err := asked.Run(ctx, &rows); err != nil {
		panic(err)
	}
	fmt.Println(rows.query, "has", rows.n, "rows")
	// Output:
	// q1 has 2 rows
}

// counter counts rows.
type counter struct {
	query string
	n     int
}

var _ engine.Answers = new(counter)

func (c *counter) Begin(query string, _ columnar.Schema) error { c.query = query; return nil }
func (c *counter) Write(rows columnar.Rows) error              { c.n += rows.Len; return nil }
func (c *counter) End() error                                  { return nil }
