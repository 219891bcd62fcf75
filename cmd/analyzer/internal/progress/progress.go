// Package progress shows on a terminal how far a run has come, on one line that
// is painted over and over.
package progress

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"analyzer/cmd/analyzer/internal/size"
)

// State is how far a run has come.
type State struct {
	What    string // being read or written, such as a table
	Rows    int64  // 0: not counted
	Bytes   int64  // done; 0 with no Total: not counted
	Total   int64  // to be done; 0 if it is not known
	Spilled int64
}

// A line is not painted before patience has passed, so that short runs leave
// the terminal alone, and then at most every period.
const (
	patience = 300 * time.Millisecond
	period   = 100 * time.Millisecond
)

// Line is the line. It may be used concurrently; a nil Line shows nothing.
type Line struct {
	mu      sync.Mutex
	w       io.Writer
	width   func() int
	now     func() time.Time
	began   time.Time
	painted time.Time
	visible bool
	held    bool
}

// New returns a line on a terminal; width says how many columns that has, now
// what time it is.
func New(w io.Writer, width func() int, now func() time.Time) *Line {
	return &Line{w: w, width: width, now: now, began: now()}
}

// Show paints the state unless it was painted a moment ago.
func (l *Line) Show(s State) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if l.held || now.Sub(l.began) < patience || now.Sub(l.painted) < period {
		return
	}
	l.painted, l.visible = now, true
	text := fit(describe(s, now.Sub(l.began)), l.width()-1)
	// Carriage return, text, erase to the end of the line (ECMA-48, EL).
	_, _ = fmt.Fprintf(l.w, "\r%s\x1b[K", text)
}

// Clear takes the line away, so that something else can be written.
func (l *Line) Clear() { l.Hold(false) }

// Hold takes the line away, and says whether it stays away until the next Hold or
// Clear.
func (l *Line) Hold(on bool) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = on
	if !l.visible {
		return
	}
	l.visible = false
	_, _ = io.WriteString(l.w, "\r\x1b[K")
}

// part is something that the line says. The higher its rank, the sooner it is left
// out where there is no room.
type part struct {
	text string
	rank int
}

// fit puts the parts that there is room for on one line.
func fit(parts []part, width int) string {
	for {
		var texts []string
		last := 0
		for i, p := range parts {
			texts = append(texts, p.text)
			if p.rank > parts[last].rank {
				last = i
			}
		}
		line := []rune(strings.Join(texts, "  "))
		if len(line) <= width {
			return string(line)
		}
		if len(parts) == 1 {
			return string(line[:max(width, 0)])
		}
		parts = slices.Delete(parts, last, last+1)
	}
}

func describe(s State, since time.Duration) []part {
	parts := []part{{s.What, 0}}
	if s.What == "" {
		parts[0].text = "finishing"
	}
	if s.Rows > 0 {
		parts = append(parts, part{size.Plural(s.Rows, "row"), 3})
	}
	rate := float64(s.Bytes) / since.Seconds()
	if s.Bytes > 0 || s.Total > 0 {
		parts = append(parts, part{size.Decimal(int64(rate)) + "/s", 5})
	}
	if s.Total > 0 {
		done := min(float64(s.Bytes)/float64(s.Total), 1)
		parts = append(parts, part{fmt.Sprintf("%.0f %%", 100*done), 1})
		if rate > 0 && done < 1 {
			left := time.Duration(float64(s.Total-s.Bytes) / rate * float64(time.Second))
			parts = append(parts, part{"ETA " + left.Round(time.Second).String(), 2})
		}
	}
	if s.Spilled > 0 {
		parts = append(parts, part{"spilled " + size.Binary(s.Spilled), 4})
	}
	return parts
}
