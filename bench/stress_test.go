package bench

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// rating is a row in the form of the reference, with the rating in halves.
type rating struct{ user, movie, halves int64 }

// messyRatings makes a file in which users rate films several times and some
// rows lack a cell, and the rows that are whole.
func messyRatings(seed uint64, n int) (text string, whole []rating) {
	r := rand.New(rand.NewPCG(seed, 0))
	var b bytes.Buffer
	b.WriteString("userId,movieId,rating,timestamp\n")
	w := csv.NewWriter(&b)
	for range n {
		row := rating{r.Int64N(40), r.Int64N(60) * 1e9, 1 + r.Int64N(10)}
		cells := []string{fmt.Sprint(row.user), fmt.Sprint(row.movie), strconv.FormatFloat(float64(row.halves)/2, 'f', 1, 64), "0"}
		if r.IntN(20) == 0 {
			cells[r.IntN(3)] = ""
		} else {
			whole = append(whole, row)
		}
		_ = w.Write(cells) // into memory
	}
	w.Flush()
	return b.String(), whole
}

// reference computes the cells of the stress plans' answers row by row.
func reference(rows []rating) map[string]string {
	type pair struct{ user, movie int64 }
	groups, users := make(map[pair]int), make(map[int64]bool)
	var halves, movies, pairs, pairHalves int64
	for _, r := range rows {
		groups[pair{r.user, r.movie}]++
		users[r.user] = true
		halves += r.halves
		movies += r.movie
	}
	for _, r := range rows {
		n := int64(groups[pair{r.user, r.movie}])
		pairs += n
		pairHalves += n * r.halves
	}
	number := func(halves int64) string { return strconv.FormatFloat(float64(halves)/2, 'f', -1, 64) }
	return map[string]string{
		"groups":   fmt.Sprintf("%d, %d, %s", len(groups), len(rows), number(halves)),
		"selfjoin": fmt.Sprintf("%d, %s", pairs, number(pairHalves)),
		"listagg":  fmt.Sprintf("%d, %d, %d", len(users), len(rows), movies),
	}
}

func answerOf(t *testing.T, task Task) (string, *engine.Report) {
	t.Helper()
	var out bytes.Buffer
	set, err := answers.NewStream(&out, answers.Options{Format: answers.JSON})
	if err != nil {
		t.Fatal(err)
	}
	report, err := task.Run(t.Context(), vfs.OS(), set, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Finish(); err != nil {
		t.Fatal(err)
	}
	return out.String(), report
}

func TestStressPlansAnswerRight(t *testing.T) {
	for seed := range uint64(3) {
		text, rows := messyRatings(seed, 20_000)
		dir := writeRatings(t, text)
		for name, want := range reference(rows) {
			for _, memory := range []int64{0, 1 << 20} {
				got, _ := answerOf(t, Task{Workload: name, Dir: dir, Setting: Setting{Replicas: 3, Memory: memory}, SpillDir: t.TempDir()})
				if !strings.Contains(got, "["+want+"]") {
					t.Errorf("seed %d: %s in %d bytes answers %s, want %s", seed, name, memory, got, want)
				}
			}
		}
	}
}

// The point of the self join is its output: a planner that computes the sums
// without making the pairs would measure something else.
func TestSelfJoinMakesEveryPair(t *testing.T) {
	text, rows := messyRatings(7, 5_000)
	task := Task{Workload: "selfjoin", Dir: writeRatings(t, text)}
	_, report := answerOf(t, task)
	pairs, _, _ := strings.Cut(reference(rows)["selfjoin"], ",")
	selected, err := SelectWorkloads("selfjoin")
	if err != nil {
		t.Fatal(err)
	}
	physical, err := physical.New(nil, selected[0].Queries, plan.TablesOf(selected[0].Tables))
	if err != nil {
		t.Fatal(err)
	}
	joins := 0
	for _, n := range physical.Nodes {
		if n.Join == nil {
			continue
		}
		joins++
		if got := fmt.Sprint(report.Nodes[n.ID].RowsOut); got != pairs {
			t.Errorf("the join yields %s rows, want %s", got, pairs)
		}
	}
	if joins != 1 {
		t.Errorf("%d joins, want 1", joins)
	}
}

func TestSelectWorkloads(t *testing.T) {
	var names []string
	for _, w := range Workloads() {
		names = append(names, w.Name)
	}
	if !slices.Equal(names, WorkloadNames()) {
		t.Errorf("the names are %v, those of the workloads %v", WorkloadNames(), names)
	}
	got, err := SelectWorkloads("listagg", "movies")
	if err != nil || len(got) != 2 || got[0].Name != "movies" || got[1].Name != "listagg" {
		t.Errorf("selected %v, %v", got, err)
	}
	if _, err := SelectWorkloads("movies", "moves"); err == nil || !strings.Contains(err.Error(), `"moves"`) || !strings.Contains(err.Error(), "selfjoin") {
		t.Errorf("error %v", err)
	}
}
