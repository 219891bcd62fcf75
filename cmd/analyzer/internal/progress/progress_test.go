package progress

import (
	"strings"
	"testing"
	"time"
)

func TestLine(t *testing.T) {
	var out strings.Builder
	now := time.Unix(1000, 0)
	width := 200
	line := New(&out, func() int { return width }, func() time.Time { return now })
	painted := func(s State) string {
		out.Reset()
		line.Show(s)
		return out.String()
	}
	at := State{What: "ratings", Rows: 1_234_567, Bytes: 50e6, Total: 200e6, Spilled: 3 << 20}

	now = now.Add(200 * time.Millisecond)
	if got := painted(at); got != "" {
		t.Errorf("a short run paints %q", got)
	}
	line.Clear()
	if out.String() != "" {
		t.Errorf("a line that was never painted is cleared with %q", out.String())
	}
	now = now.Add(800 * time.Millisecond)
	want := "\rratings  1,234,567 rows  50.0 MB/s  25 %  ETA 3s  spilled 3.00 MiB\x1b[K"
	if got := painted(at); got != want {
		t.Errorf("painted %q, want %q", got, want)
	}
	now = now.Add(50 * time.Millisecond)
	if got := painted(at); got != "" {
		t.Errorf("painted again at once: %q", got)
	}
	now = now.Add(950 * time.Millisecond)
	if got, want := painted(State{What: "ratings", Bytes: 50e6}), "\rratings  25.0 MB/s\x1b[K"; got != want {
		t.Errorf("without a total painted %q, want %q", got, want)
	}
	now = now.Add(time.Second)
	if got, want := painted(State{Bytes: 3e6, Total: 3e6}), "\rfinishing  1.00 MB/s  100 %\x1b[K"; got != want {
		t.Errorf("at the end painted %q, want %q", got, want)
	}
	for narrow, want := range map[int]string{ // four more seconds have gone by
		50: "\rratings  1,234,567 rows  25 %  ETA 12s\x1b[K",
		40: "\rratings  1,234,567 rows  25 %  ETA 12s\x1b[K",
		30: "\rratings  25 %  ETA 12s\x1b[K",
		10: "\rratings\x1b[K",
		5:  "\rrati\x1b[K",
	} {
		now, width = time.Unix(1004, 0), narrow
		line.painted = time.Time{}
		if got := painted(at); got != want {
			t.Errorf("in %d columns painted %q, want %q", narrow, got, want)
		}
	}
	out.Reset()
	line.Clear()
	line.Clear()
	if got, want := out.String(), "\r\x1b[K"; got != want {
		t.Errorf("cleared with %q, want %q", got, want)
	}
	var none *Line
	none.Show(at)
	none.Clear()
}
