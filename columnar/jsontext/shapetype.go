package jsontext

import (
	"analyzer/columnar"
	"analyzer/columnar/number"
)

// types are those that a number or a text can have besides that of its kind.
type types uint8

const (
	isInt types = 1 << iota
	isHuge
	isDecimal
	isFloat
	isDay
	isTimestamp
	isUTC
)

// maxFields is how many fields a struct that was found has at most. Objects with more members are keyed by values
// (https://duckdb.org/docs/stable/data/json/loading_json, map_inference_threshold).
const maxFields = 200

// Type returns the narrowest type that holds all values without loss, which is Text if there is none else.
func (s *Shape) Type() columnar.Type {
	t := columnar.Invalid
	switch {
	case s == nil:
	case s.kind == Array:
		t = columnar.ListOf(s.item.Type())
	case s.kind == Object && len(s.names) <= maxFields && s.fields[""] == nil: // fields without names go by their places
		fields := columnar.Each(s.names, func(name string) columnar.Field { return columnar.Field{Name: name, Type: s.fields[name].Type()} })
		t = columnar.StructOf(fields...)
	case s.kind == Boolean:
		t = columnar.Bool
	case s.kind == String:
		t = s.lost.of(isDay, isTimestamp, isUTC)
	case isNumber(s.kind):
		t = s.lost.of(isInt, isHuge, isDecimal, isFloat)
	}
	if t == columnar.Invalid {
		return columnar.Text
	}
	return t
}

// of returns the type of the first that was not lost, Invalid if there is none.
func (lost types) of(narrowest ...types) columnar.Type {
	for _, t := range narrowest {
		if lost&t == 0 {
			return map[types]columnar.Type{
				isInt: columnar.Int, isHuge: columnar.Huge, isDecimal: columnar.Decimal, isFloat: columnar.Float,
				isDay: columnar.Date, isTimestamp: columnar.Timestamp, isUTC: columnar.Timestamp,
			}[t]
		}
	}
	return columnar.Invalid
}

// lostBy returns what a number or a text is not.
func lostBy(kind string, text []byte) types {
	switch kind {
	case Boolean:
		return 0
	case String:
		return lostByText(text[1 : len(text)-1])
	}
	return lostByNumber(text)
}

func lostByText(text []byte) types {
	lost := isDay | isTimestamp | isUTC
	if len(text) < len("2006-01-02") || text[0]-'0' > 9 {
		return lost
	}
	if number.IsDay(text) {
		lost &^= isDay
	}
	if _, ok := number.ParseTimestamp(text); ok {
		lost &^= isTimestamp
	}
	if _, ok := number.ParseUTC(text); ok {
		lost &^= isUTC
	}
	return lost
}

func lostByNumber(text []byte) (lost types) {
	digits := len(text)
	if text[0] == '-' {
		digits--
	}
	if whole := pointOf(text); whole >= 0 {
		lost = isInt | isHuge
		fraction := len(text) - whole - 1
		exponent := text[whole] != '.' || pointOf(text[whole+1:]) >= 0
		if exponent || fraction > number.Scale || digits-fraction-1 > number.DecimalDigits {
			lost |= isDecimal
		}
		if _, ok := number.ParseFloat(text); !ok {
			lost |= isFloat
		}
		return lost
	}
	if digits > number.DecimalDigits {
		lost = isDecimal
	}
	if digits <= number.ExactDigits {
		return lost
	}
	v, isWhole := number.ParseInt(text)
	if !isWhole {
		lost |= isInt
	}
	if !isWhole || !number.IsFloat(v) {
		lost |= isFloat
	}
	if _, ok := number.ParseHuge(text); !ok {
		lost |= isHuge
	}
	return lost
}
