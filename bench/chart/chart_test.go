package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func sample() *Chart {
	return &Chart{
		Title: "groups: time over memory", X: "memory limit, MiB", Y: "seconds", Places: []string{"16", "64", "256", "unlimited"},
		Series: []Series{
			{Name: "one process, 1 replica", Values: []Value{{true, 3.9, 4, 4.4}, {true, 2.8, 3, 3.1}, Exactly(2), Exactly(1.8)}},
			{Name: "cluster & <broker>, 3 replicas", Values: []Value{Exactly(7), {}, Exactly(6), Exactly(5.5)}},
			{Name: "limit", Values: []Value{Exactly(5), Exactly(5), Exactly(5), Exactly(5)}},
		},
	}
}

func TestSVGIsWellFormedAndNamesItsWords(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	var words []string
	for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			words = append(words, string(text))
		}
	}
	for _, want := range []string{"groups: time over memory", "cluster & <broker>, 3 replicas", "memory limit, MiB", "unlimited", "seconds", "7"} {
		if !slices.Contains(words, want) {
			t.Errorf("no word %q", want)
		}
	}
}

// TestLegendIsClearOfTheData checks that every word of the legend is below the axis.
func TestLegendIsClearOfTheData(t *testing.T) {
	c := sample()
	for i := range 20 {
		c.Series = append(c.Series, Series{Name: strings.Repeat("x", i), Values: make([]Value, 4)})
	}
	s, err := c.layout()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.elements {
		for _, series := range c.Series {
			if e.word == "" || e.word != series.Name {
				continue
			}
			at := e.points[0]
			if at.y < top+plotHeight+below || at.y > s.height || at.x+wordWidth(e.word, e.size) > s.width {
				t.Errorf("%q stands at %v of %v × %v", e.word, at, s.width, s.height)
			}
		}
	}
}

// TestPlacesDoNotTouch checks that names of places that do not fit side by side are written
// upward, and that nothing overlaps them.
func TestPlacesDoNotTouch(t *testing.T) {
	for _, kind := range []Kind{Lines, Stacked} {
		for n := 1; n < 40; n++ {
			c := &Chart{Title: "time by stage", X: "cell", Y: "s", Kind: kind, Series: []Series{{Name: "scan", Values: make([]Value, n)}}}
			for i := range n {
				c.Places = append(c.Places, "cluster 16×"+strconv.Itoa(i))
			}
			s, err := c.layout()
			if err != nil {
				t.Fatal(err)
			}
			edge, lowest := 0.0, 0.0
			for _, e := range s.elements {
				across := wordWidth(e.word, e.size)
				switch at := e.points[0]; {
				case strings.HasPrefix(e.word, "cluster") && e.upward:
					if at.x-wordSize < edge && edge > 0 {
						t.Fatalf("%d places: %q lies on the one before", n, e.word)
					}
					edge, lowest = at.x, max(lowest, at.y+across)
				case strings.HasPrefix(e.word, "cluster"):
					if at.x-across/2 < edge {
						t.Fatalf("%d places: %q lies on the one before", n, e.word)
					}
					edge, lowest = at.x+across/2, max(lowest, at.y)
				case e.word == "cell" || e.word == "scan":
					if at.y-wordSize < lowest {
						t.Fatalf("%d places: %q at %v lies on places that end at %v", n, e.word, at.y, lowest)
					}
				}
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, tt := range []struct {
		highest float64
		want    string
	}{
		{0, "0 0.2 0.4 0.6 0.8 1.0"},
		{1, "0 0.2 0.4 0.6 0.8 1.0"},
		{0.037, "0.000 0.005 0.010 0.015 0.020 0.025 0.030 0.035 0.040"},
		{7, "0 1 2 3 4 5 6 7"},
		{928, "0 200 400 600 800 1000"},
		{12, "0 2 4 6 8 10 12"},
	} {
		all := ticks(tt.highest)
		var texts []string
		for _, v := range all {
			texts = append(texts, tickText(v, all[1]))
		}
		got := strings.Join(texts, " ")
		if strings.ReplaceAll(got, "0.0 ", "0 ") != strings.ReplaceAll(tt.want, "0.0 ", "0 ") {
			t.Errorf("%v: %s, want %s", tt.highest, got, tt.want)
		}
		if all[len(all)-1] < tt.highest {
			t.Errorf("%v is above the last tick", tt.highest)
		}
	}
}

func TestStackedBars(t *testing.T) {
	c := &Chart{
		Title: "time by stage", X: "cell", Y: "CPU seconds", Places: []string{"a", "b"}, Kind: Stacked,
		Series: []Series{{Name: "scan", Values: []Value{Exactly(3), Exactly(1)}}, {Name: "join", Values: []Value{Exactly(4), {}}}},
	}
	if got := c.Highest(); got != 7 {
		t.Errorf("the highest bar is %v, want the sum of its pieces, 7", got)
	}
	s, err := c.layout()
	if err != nil {
		t.Fatal(err)
	}
	area := make(map[string]float64) // of the bars, by colour
	for _, e := range s.elements {
		if e.width == 0 && e.word == "" && len(e.points) == 4 && e.points[0].y < top+plotHeight {
			area[hex(e.color)] += math.Abs((e.points[2].x - e.points[0].x) * (e.points[2].y - e.points[0].y))
		}
	}
	if scan, join := area[hex(seriesColor(0))], area[hex(seriesColor(1))]; scan == 0 || math.Abs(scan-join) > scan/100 {
		t.Errorf("areas of %v and %v for 4 seconds each", scan, join)
	}
}

func TestSeriesThatDoNotFit(t *testing.T) {
	c := sample()
	c.Series[0].Values = c.Series[0].Values[:2]
	if err := c.WriteSVG(io.Discard); err == nil || !strings.Contains(err.Error(), "2 values for 4 places") {
		t.Errorf("error %v", err)
	}
}
