// Package progress shows on a terminal how far a run is, on one line that is repainted.
package progress

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"analyzer/columnar/size"
)

// State is how far a run is.
type State struct {
	What    string // what is being read or written, such as a table
	Rows    int64  // 0: not counted
	Bytes   int64  // done; 0 with no Total: not counted
	Total   int64  // to be done; 0: unknown
	Spilled int64
}

// The line is not painted before patience has passed, so that short runs leave the terminal
// alone, and then at most once per period.
const (
	patience = 300 * time.Millisecond
	period   = 100 * time.Millisecond
)

// Line is the progress line. It may be used concurrently; a nil Line shows nothing.
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

// New returns a line on a terminal. width returns the terminal's columns, now the current
// time.
func New(w io.Writer, width func() int, now func() time.Time) *Line {
	return &Line{w: w, width: width, now: now, began: now()}
}

// Show paints the state, unless the line was painted less than a period ago.
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

// Clear erases the line, so that something else can be written.
func (l *Line) Clear() { l.Hold(false) }

// Hold erases the line. If on, the line stays away until the next Hold or Clear.
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

// part is one part of the line. Parts of higher rank are left out first if there is no room.
type part struct {
	text string
	rank int
}

// fit joins the parts that fit on one line.
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
