package aggregate

import (
	"bytes"

	"analyzer/columnar"
)

// rowPicker makes the result of a group of its encoded rows, which it is shown in order.
type rowPicker interface {
	// begin begins the result of so many rows, whose values take about so many bytes, in out.
	begin(rows, size int64, out *columnar.Vector)
	// take takes further rows, borrowed.
	take(rows [][]byte) error
	// end ends the result, of which there may have been no rows.
	end() error
	// size is how many bytes the result takes so far, if it grows with the rows.
	size() int64
}

// pickedRows appends the results of groups of a form with pickRows.
func pickedRows(s *state, r records, out *columnar.Vector) error {
	return s.acc[0].(*rowList).pick(s.form.pickRows(s), s.nth, s.column(0, r), out)
}

// runs makes the result of a group of each of its values, in order, and how often it is there.
type runs interface {
	beginRuns(rows int64, out *columnar.Vector)
	runOf(row []byte, times int64) error
	endRuns(out *columnar.Vector) error
	size() int64
}

// inRuns makes pickers of what takes runs of equal rows.
func inRuns(of func(*state) runs) func(*state) rowPicker {
	return func(s *state) rowPicker { return &runsOfRows{runs: of(s)} }
}

// runsOfRows passes runs of equal rows on.
type runsOfRows struct {
	runs
	row   []byte // of the present run
	times int64  // it has come; 0: there is no run yet
	out   *columnar.Vector
}

func (r *runsOfRows) begin(rows, _ int64, out *columnar.Vector) {
	r.times, r.out = 0, out
	r.beginRuns(rows, out)
}

func (r *runsOfRows) take(rows [][]byte) error {
	for _, row := range rows {
		if r.times == 0 || !bytes.Equal(row, r.row) {
			if err := r.endRun(); err != nil {
				return err
			}
			r.row = append(r.row[:0], row...)
		}
		r.times++
	}
	return nil
}

// endRun ends the present run, if there is one.
func (r *runsOfRows) endRun() (err error) {
	if r.times > 0 {
		err = r.runOf(r.row, r.times)
	}
	r.times = 0
	return err
}

func (r *runsOfRows) end() error {
	if err := r.endRun(); err != nil {
		return err
	}
	return r.endRuns(r.out)
}
