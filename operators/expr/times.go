package expr

import (
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The functions of timestamps that dates do not have.
const (
	OpAddMicros     Op = "add_micros"
	OpEpochMicros   Op = "epoch_us"
	OpMakeTimestamp Op = "make_timestamp"
	// OpAddClock moves a time of day, around midnight if need be.
	OpAddClock Op = "add_clock"
	// OpToTime is the time of day of a timestamp, or after so many microseconds, which a day has.
	OpToTime Op = "to_time"
)

func init() { functions.Add(timeFunctions) }

func timeFunctions() []function {
	return []function{
		{
			op: OpAddMicros, takes: "a timestamp and an int", types: only(columnar.Timestamp, columnar.Timestamp, columnar.Int),
			cost: costFixed, canFail: true, build: buildShift(addMicros),
		},
		{
			op: OpEpochMicros, takes: "a timestamp or a time", types: oneOf(columnar.Int, columnar.Timestamp, columnar.Time),
			cost: costFixed, build: just(func(out *result, args []*columnar.Vector) error {
				copy(out.Ints, args[0].Ints[:out.Len])
				out.nullOfInfinite(number.InfiniteTime, args...)
				return nil
			}),
		},
		{
			op: OpMakeTimestamp, takes: "an int", types: oneOf(columnar.Timestamp, columnar.Int),
			cost: costFixed, canFail: true, build: just(makeTimestamp),
		},
		{
			op: "make_time", takes: "two ints and a float", types: only(columnar.Time, columnar.Int, columnar.Int, columnar.Float),
			cost: costText, canFail: true, build: just(makeTime),
			doc: registry.Times.Doc("make_time", "(hour, minute, seconds)", "the time of day of an hour, a minute and seconds",
				"make_time(17, 30, 5.25)", "17:30:05.25"),
		},
		{
			op: OpAddClock, takes: "a time and an int", types: only(columnar.Time, columnar.Time, columnar.Int),
			cost: costFixed, build: just(mapPairs(ints, ints, ints, addClock)),
		},
		{
			op: OpToTime, takes: "a timestamp or an int", types: oneOf(columnar.Time, columnar.Timestamp, columnar.Int),
			cost: costFixed, canFail: true, build: buildToTime,
		},
	}
}

func buildToTime(b *build) (kernel, error) {
	if b.args[0].typ == columnar.Timestamp {
		return func(out *result, args []*columnar.Vector) error {
			each1(out.Ints, args[0].Ints, func(micros int64) int64 { _, clock := number.DayAndClock(micros); return clock })
			out.nullOfInfinite(number.InfiniteTime, args...)
			return nil
		}, nil
	}
	return func(out *result, args []*columnar.Vector) error {
		for i, n := range args[0].Ints[:out.Len] {
			if !out.IsNull(i) && (n < 0 || n > number.Day) {
				return overflow("it is not within a day")
			}
			out.Ints[i] = n
		}
		return nil
	}, nil
}

func addClock(clock, n int64) int64 {
	_, clock = number.DayAndClock(clock%number.Day + n%number.Day)
	return clock
}

func makeTime(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		hour, minute, second := args[0].Ints[i], args[1].Ints[i], args[2].Floats[i]
		if hour < 0 || hour > 24 || minute < 0 || minute > 59 || !(second >= 0 && second < 60) {
			return noTime(hour, minute, second)
		}
		out.Ints[i] = hour*number.Hour + minute*number.Minute + int64(math.Round(second*float64(number.Second)))
		if out.Ints[i] > number.Day {
			return noTime(hour, minute, second)
		}
	}
	return nil
}

func noTime(hour, minute int64, second float64) error {
	return fmt.Errorf("there is no time %d:%d:%g: %w", hour, minute, second, ErrCast)
}

// isTime reports whether a calculation may result in a timestamp.
func isTime(micros int64) bool {
	days, clock := number.DayAndClock(micros)
	_, ok := number.TimestampAt(days, clock)
	return ok
}

// noTimestamp is the error of a timestamp that has no number of microseconds.
func noTimestamp() error { return overflow("it is not in the years of timestamps") }

// addMicros moves a timestamp, but not an infinite one.
func addMicros(micros, n int64) (int64, bool) {
	if !number.IsFiniteTime(micros) {
		return micros, true
	}
	sum, fits := addInt(micros, n)
	return sum, fits && isTime(sum)
}

// addMonthsTo keeps the time of day.
func addMonthsTo(micros, n int64) (int64, bool) {
	if !number.IsFiniteTime(micros) {
		return micros, true
	}
	days, clock := number.DayAndClock(micros)
	return number.TimestampAt(number.AddMonths(days, n), clock)
}

func makeTimestamp(out *result, args []*columnar.Vector) error {
	for i, n := range args[0].Ints[:out.Len] {
		if !isTime(n) && !out.IsNull(i) {
			return noTimestamp()
		}
		out.Ints[i] = n
	}
	return nil
}
