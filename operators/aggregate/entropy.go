package aggregate

import (
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/registry"
)

// Entropy is the entropy of the shares of equal values, in bits; 0 for no values.
const Entropy Func = "entropy"

func init() { functions.Add(entropyFunctions) }

func entropyFunctions() []function {
	var forms []form
	for _, t := range wordTypes {
		f := ordered(t, columnar.Float, func(Agg) picker { return new(disorder) })
		f.value = neverNull(f.value)
		forms = append(forms, f)
	}
	texts := form{
		takes: []columnar.Type{registry.Any}, gives: columnar.Float, rows: &orderedRows{},
		state: []column{rowListColumn}, pickRows: inRuns(func(*state) runs { return new(disorder) }), value: pickedRows,
	}
	return []function{{
		name: Entropy, forms: append(forms, texts),
		doc: registry.Aggregates.Doc("entropy", "(value)", "the entropy of how often each value occurs, in bits; 0 if there is none",
			"entropy(s)", "0.9182958340544897"),
	}}
}

// disorder picks the entropy from values in order, which come in runs of equal ones.
type disorder struct {
	all, run, item int64
	terms          number.FloatSum // of run·log₂(run), for each run that has ended
}

func (d *disorder) begin(n int64) (first, last int64) {
	*d = disorder{all: n}
	return 0, n - 1
}

func (d *disorder) take(items []int64) {
	for _, item := range items {
		if item != d.item {
			d.end()
			d.item = item
		}
		d.run++
	}
}

// end ends the present run. It is empty before the first one.
func (d *disorder) end() {
	if d.run > 1 {
		d.terms.Add(float64(d.run) * math.Log2(float64(d.run)))
	}
	d.run = 0
}

func (d *disorder) append(out *columnar.Vector) { out.AppendFloat(d.entropy()) }

func (d *disorder) entropy() float64 {
	d.end()
	all := float64(d.all)
	return max(0, math.Log2(all)-d.terms.Float64()/all)
}

func (d *disorder) beginRuns(rows int64, _ *columnar.Vector) { d.begin(rows) }

func (d *disorder) runOf(_ []byte, times int64) error {
	d.run = times
	d.end()
	return nil
}

func (d *disorder) endRuns(out *columnar.Vector) error {
	if d.all == 0 {
		out.AppendFloat(0)
		return nil
	}
	d.append(out)
	return nil
}

func (*disorder) size() int64 { return 0 }

// neverNull makes a result 0, or a list without items, for groups without values, where it would be null.
func neverNull(value func(*state, records, *columnar.Vector) error) func(*state, records, *columnar.Vector) error {
	return func(s *state, r records, out *columnar.Vector) error {
		before := out.Len
		err := value(s, r, out)
		if out.Valid != nil {
			for i := before; i < out.Len; i++ {
				out.Valid[i] = true
			}
		}
		return err
	}
}
