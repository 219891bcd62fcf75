package expr

import (
	"bytes"
	"fmt"
	"time"
	_ "time/tzdata" // for machines without a database of zones

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The functions of moments and time zones.
const (
	// OpToInstant is the moment at which a clock in UTC shows a timestamp.
	OpToInstant Op = "to_instant"
	OpZone      Op = "timezone"
)

func init() { functions.Add(zoneFunctions) }

func zoneFunctions() []function {
	return []function{
		{
			op: OpToInstant, takes: "a timestamp", types: oneOf(columnar.Instant, columnar.Timestamp),
			cost: costFixed, build: just(mapEach(ints, ints, same)),
		},
		{
			op: OpZone, takes: "the name of a time zone and a timestamp, with time zone or without",
			types: []registry.Signature{sig(columnar.Instant, columnar.Text, columnar.Timestamp), sig(columnar.Timestamp, columnar.Text, columnar.Instant)},
			cost:  costText * 10, canFail: true, check: knownZone, build: buildZone,
		},
	}
}

// CheckZone returns an error unless there is a time zone of that name.
func CheckZone(name string) error {
	_, err := zoneNamed(name)
	return err
}

func zoneNamed(name string) (*time.Location, error) {
	if zone, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
		return zone, nil
	}
	return nil, fmt.Errorf("there is no time zone %q: names are such as Europe/Berlin and UTC", name)
}

// knownZone checks the name of a zone before anything is done.
func knownZone(args []*Expr) error {
	name := args[0].Literal()
	if name == nil || name.Type != columnar.Text {
		return nil // which build refuses
	}
	return CheckZone(name.Text)
}

func buildZone(b *build) (kernel, error) {
	name, err := b.pattern(0)
	if err != nil {
		return nil, err
	}
	zone, err := zoneNamed(name)
	if err != nil {
		return nil, err
	}
	shown, moved := b.typ == columnar.Timestamp, func(micros int64) int64 { return momentOf(micros, zone) }
	if shown {
		moved = func(micros int64) int64 { return micros + aheadOf(micros, zone) }
	}
	b.keep(1)
	return eachRow(func(out *result, args []*columnar.Vector, i int) error {
		at := args[0].Ints[i]
		if !number.IsFiniteTime(at) {
			out.Ints[i] = at
			return nil
		}
		const ahead = 2 * number.Day // what clocks of any zone are ahead at most, and a day to look at
		if !isTime(at-ahead) || !isTime(at+ahead) {
			return noTimestamp()
		}
		out.Ints[i] = moved(at)
		return nil
	}), nil
}

// aheadOf is how far clocks of a zone are ahead of UTC at a moment.
func aheadOf(micros int64, zone *time.Location) int64 {
	_, seconds := time.UnixMicro(micros).In(zone).Zone()
	return int64(seconds) * number.Second
}

// momentOf is the moment at which clocks of a zone show a time. Of two such moments it is the later
// one. If clocks skip the time, it is shown by clocks that were not put forward.
func momentOf(shown int64, zone *time.Location) int64 {
	before, after := aheadOf(shown-number.Day, zone), aheadOf(shown+number.Day, zone)
	if before == after || aheadOf(shown-after, zone) == after {
		return shown - after
	}
	return shown - before
}

// buildInstant builds the cast of texts to moments, behind which the name of a zone may stand.
func buildInstant(try bool) func(*build) (kernel, error) {
	return func(*build) (kernel, error) {
		zones := make(map[string]*time.Location) // nil: there is none
		return castTextBy(func(out *result, i int, text []byte) bool {
			return out.setText(i, text) || out.setInZone(i, text, zones)
		}, try), nil
	}
}

// setInZone parses a timestamp with the name of a zone behind it into value i, and reports whether it could.
func (r *result) setInZone(i int, text []byte, zones map[string]*time.Location) bool {
	text = bytes.TrimSpace(text)
	behind := bytes.LastIndexByte(text, ' ') + 1
	shown, ok := columnar.Timestamp.ParseTime(text[:behind])
	if !ok || !number.IsFiniteTime(shown) {
		return false
	}
	zone, known := zones[string(text[behind:])]
	if !known && len(zones) < mostZones {
		zone, _ = zoneNamed(string(text[behind:]))
		zones[string(text[behind:])] = zone
	}
	if zone != nil {
		r.Ints[i] = momentOf(shown, zone)
	}
	return zone != nil
}

// mostZones is how many names of zones are looked up; there are some 600.
const mostZones = 10_000
