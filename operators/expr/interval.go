package expr

import (
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// Functions of intervals.
const (
	OpMakeInterval   Op = "make_interval"
	OpMonthsOf       Op = "months_of"
	OpDaysOf         Op = "days_of"
	OpMicrosOf       Op = "micros_of"
	OpIntervalTimes  Op = "interval_times"
	OpIntervalOver   Op = "interval_over"
	OpBetweenTimes   Op = "between_times"
	OpAge            Op = "age"
	OpIntervalMicros Op = "interval_micros"
)

// Interval is a literal interval in the bits of number.Interval.
func Interval(bits number.Int128) *Expr { return lit(wideValue(columnar.Interval, bits)) }

// Interval returns the value of an interval.
func (v *Value) Interval() number.Interval { return number.IntervalOf(v.wide()) }

func parseInterval(text []byte) (bits number.Int128, ok bool) {
	i, ok := number.ParseInterval(text)
	if !ok {
		return bits, false
	}
	return i.Bits()
}

func init() { functions.Add(intervalFunctions) }

func intervalFunctions() []function {
	part := func(op Op, of func(number.Interval) int64) function {
		return function{
			op: op, takes: "an interval", types: oneOf(columnar.Int, columnar.Interval), cost: costFixed,
			build: just(mapEach(ints, wides, func(bits number.Int128) int64 { return of(number.IntervalOf(bits)) })),
		}
	}
	scaled := func(op Op, factor func(by float64) float64) function {
		return function{
			op: op, takes: "an interval and a float", types: only(columnar.Interval, columnar.Interval, columnar.Float),
			cost: costText, canFail: true, build: just(func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					by := factor(args[1].Floats[i])
					if math.IsInf(by, 0) { // divided by 0
						out.setNull(i)
						continue
					}
					of, ok := number.IntervalOf(args[0].Wides[i]).Times(by)
					if err := out.setInterval(i, of, ok); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	}
	between := func(op Op, endless error, of func(later, earlier int64) number.Interval) function {
		return function{
			op: op, takes: "two timestamps", types: only(columnar.Interval, columnar.Timestamp, columnar.Timestamp),
			cost: costText, canFail: true, build: just(func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					later, earlier := args[0].Ints[i], args[1].Ints[i]
					if !number.IsFiniteTime(later) || !number.IsFiniteTime(earlier) {
						if endless != nil {
							return endless
						}
						out.setNull(i)
						continue
					}
					if err := out.setInterval(i, of(later, earlier), true); err != nil {
						return err
					}
				}
				return nil
			}),
		}
	}
	return []function{
		{
			op: OpMakeInterval, takes: "months, days and microseconds",
			types: only(columnar.Interval, columnar.Int, columnar.Int, columnar.Int),
			cost:  costFixed, canFail: true, build: just(func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					if err := out.setInterval(i, number.Interval{Months: args[0].Ints[i], Days: args[1].Ints[i], Micros: args[2].Ints[i]}, true); err != nil {
						return err
					}
				}
				return nil
			}),
		},
		part(OpMonthsOf, func(i number.Interval) int64 { return i.Months }),
		part(OpDaysOf, func(i number.Interval) int64 { return i.Days }),
		part(OpMicrosOf, func(i number.Interval) int64 { return i.Micros }),
		scaled(OpIntervalTimes, func(by float64) float64 { return by }),
		scaled(OpIntervalOver, func(by float64) float64 { return 1 / by }),
		between(OpBetweenTimes, overflow("a timestamp is infinite"), number.Between),
		between(OpAge, nil, number.Age),
		{
			op: OpIntervalMicros, takes: "an interval", types: oneOf(columnar.Huge, columnar.Interval), cost: costFixed,
			build: just(mapEach(wides, wides, number.IntervalLength)),
		},
	}
}

// setInterval makes value i an interval, unless it is not ok or too long.
func (r *result) setInterval(i int, of number.Interval, ok bool) error {
	bits, fits := of.Bits()
	if !ok || !fits {
		return overflow("an interval is too long")
	}
	r.Wides[i] = bits
	return nil
}
