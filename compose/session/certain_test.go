package session_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"analyzer/columnar/vfs"
)

// A plan, and a mistake that has nothing to do with the types of columns, take a look at samples, however large the file
// is. One that other types might mend takes all of it.
func TestReadsSamplesForMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("its rows are many for the race detector")
	}
	const size = 16 << 20
	file := "id,price\n" + strings.Repeat("123456,1.25\n", size/12)
	for _, c := range []struct {
		text  string
		wrong string // "": the plan is asked for
		all   bool   // of the file is read
	}{
		{"SELECT sum(price) AS s FROM sales GROUP BY id", "", false},
		{"SELECT nothing, price FROM sales", `there is no column "nothing"`, false},
		{"SELECT s.price FROM sales", `there is no table "s"`, false},
		{"SELECT summ(price) AS s FROM sales", "there is no function summ", false},
		{"SELECT left(id) AS s FROM sales", "left takes other arguments", false},
		{"SELECT price FROM sales GROUP BY id", "must be in GROUP BY", false},
		{"SELECT price FROM sales ORDER BY 2", "there is no column 2", false},
		{"SELECT id FROM sales WHERE sum(price) > 1", "cannot stand in WHERE", false},
		{"SELECT random() AS r, price FROM sales", "are not supported", false},
		{"SELECT id FROM sales WHERE price = 'dear'", "is no DECIMAL", true},
	} {
		var read atomic.Int64
		ses := over(vfs.Inject(memory("/sales.csv", file), func(op vfs.Op) error {
			if (op.Kind == vfs.OpRead || op.Kind == vfs.OpReadAt) && op.Name == "/sales.csv" {
				read.Add(int64(op.Bytes))
			}
			return nil
		}))
		asked, err := ses.Prepare(t.Context(), c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = asked.Plan(t.Context()); c.wrong != "" && !c.all {
			_, err = asked.Selection(t.Context())
		}
		if c.wrong == "" && err != nil || c.wrong != "" && !strings.Contains(fmt.Sprint(err), c.wrong) {
			t.Errorf("%s: %v, want %q", c.text, err, c.wrong)
		}
		if all := read.Load() >= size; all != c.all {
			t.Errorf("%s: %d bytes of %d were read", c.text, read.Load(), size)
		}
		if err := asked.Close(); err != nil {
			t.Error(err)
		}
	}
}
