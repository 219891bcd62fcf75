package expr

import (
	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// The functions of timestamps that dates do not have.
const (
	OpAddMicros     Op = "add_micros"
	OpEpochMicros   Op = "epoch_us"
	OpMakeTimestamp Op = "make_timestamp"
)

func init() { functions.Add(timeFunctions) }

func timeFunctions() []function {
	return []function{
		{
			op: OpAddMicros, takes: "a timestamp and an int", types: []registry.Signature{sig(columnar.Timestamp, columnar.Timestamp, columnar.Int)},
			cost: costFixed, canFail: true, build: buildShift(addMicros),
			example: Call(OpAddMicros, Timestamp(0), Int(1_500_000)),
		},
		{
			op: OpEpochMicros, takes: "a timestamp", types: oneOf(columnar.Int, columnar.Timestamp),
			cost: costFixed, build: eachInt(func(micros int64) int64 { return micros }),
			example: Call(OpEpochMicros, Timestamp(1_500_000)),
		},
		{
			op: OpMakeTimestamp, takes: "an int", types: oneOf(columnar.Timestamp, columnar.Int),
			cost: costFixed, canFail: true, build: just(makeTimestamp),
			example: Call(OpMakeTimestamp, Int(1_500_000)),
		},
	}
}

// The first and last timestamp that a calculation may result in.
var firstTime, lastTime = firstDay * number.Day, (lastDay+1)*number.Day - 1

func isTime(micros int64) bool { return micros >= firstTime && micros <= lastTime }

func addMicros(micros, n int64) (int64, bool) {
	sum, fits := addInt(micros, n)
	return sum, fits && isTime(sum)
}

// addMonthsTo keeps the time of day.
func addMonthsTo(micros, n int64) (int64, bool) {
	days, clock := number.DayAndClock(micros)
	days, fits := addMonths(days, n)
	return days*number.Day + clock, fits
}

func makeTimestamp(out *result, args []*columnar.Vector) error {
	for i, n := range args[0].Ints[:out.Len] {
		if !isTime(n) && !out.IsNull(i) {
			return overflow("it is not in the years 1 to 9999")
		}
		out.Ints[i] = n
	}
	return nil
}
