package expr

import (
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Functions of spans of time.
const (
	OpWholeMonths     Op = "whole_months"
	OpTimeBucket      Op = "time_bucket"
	OpMakeTimestampOf Op = "make_timestamp_of"
)

func init() { functions.Add(bucketFunctions) }

func bucketFunctions() []function {
	return []function{
		{
			op: OpWholeMonths, takes: "two timestamps", types: only(columnar.Int, columnar.Timestamp, columnar.Timestamp),
			cost: costText, build: just(func(out *result, args []*columnar.Vector) error {
				each2(out.Ints, args[0].Ints, args[1].Ints, wholeMonths)
				out.nullOfInfinite(number.InfiniteTime, args...)
				return nil
			}),
		},
		{
			op: OpTimeBucket, takes: "a timestamp, the months and microseconds of an interval, and a timestamp",
			types: only(columnar.Timestamp, columnar.Timestamp, columnar.Int, columnar.Int, columnar.Timestamp),
			cost:  costText, canFail: true, build: just(timeBucket),
		},
		{
			op: OpMakeTimestampOf, takes: "five ints and a float",
			types: only(columnar.Timestamp, columnar.Int, columnar.Int, columnar.Int, columnar.Int, columnar.Int, columnar.Float),
			cost:  costText, canFail: true, build: just(makeTimestampOf),
		},
	}
}

// wholeMonths is how many whole months lie between two timestamps. The last day of a month ends a
// month that began on a day which this month does not have.
func wholeMonths(from, to int64) int64 {
	if from > to {
		return -wholeMonths(to, from)
	}
	first, firstClock := number.DayAndClock(from)
	last, lastClock := number.DayAndClock(to)
	y1, m1, d1 := number.DateOf(first)
	y2, m2, d2 := number.DateOf(last)
	if _, _, next := number.DateOf(last + 1); next == 1 {
		d1 = min(d1, d2)
	}
	months := (y2-y1)*12 + m2 - m1
	if d2 < d1 || d2 == d1 && lastClock < firstClock {
		months--
	}
	return months
}

func timeBucket(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		at, months, width, origin := args[0].Ints[i], args[1].Ints[i], args[2].Ints[i], args[3].Ints[i]
		since, fits := subInt(at, origin)
		switch {
		case !number.IsFiniteTime(at), !number.IsFiniteTime(origin):
			out.Ints[i] = at
			continue
		case !fits:
			return noTimestamp()
		case months > 0:
			from := monthOf(origin)
			first := monthOf(at)
			first -= floorMod(first-from, months)
			at = number.TimestampOf(number.DayOf(1970+(first-floorMod(first, 12))/12, floorMod(first, 12)+1, 1))
		case width > 0:
			at, fits = subInt(at, floorMod(since, width))
		}
		if !fits || !isTime(at) {
			return noTimestamp()
		}
		out.Ints[i] = at
	}
	return nil
}

// monthOf counts months from the first of 1970.
func monthOf(micros int64) int64 {
	days, _ := number.DayAndClock(micros)
	y, m, _ := number.DateOf(days)
	return (y-1970)*12 + m - 1
}

// floorMod is that of a division that rounds down: it is from 0 on, for a positive divisor.
func floorMod(n, by int64) int64 { return (n%by + by) % by }

func makeTimestampOf(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		y, m, d := args[0].Ints[i], args[1].Ints[i], args[2].Ints[i]
		hour, minute, second := args[3].Ints[i], args[4].Ints[i], args[5].Floats[i]
		days, ok := number.AnyDay(y, m, d)
		if !ok || hour < 0 || hour > 23 || minute < 0 || minute > 59 || !(second >= 0 && second < 60) {
			return fmt.Errorf("there is no time %d-%d-%d %d:%d:%g: %w", y, m, d, hour, minute, second, ErrCast)
		}
		if out.Ints[i], ok = number.TimestampAt(days, hour*number.Hour+minute*number.Minute+int64(math.Round(second*float64(number.Second)))); !ok {
			return noTimestamp()
		}
	}
	return nil
}
