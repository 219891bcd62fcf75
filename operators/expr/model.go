package expr

import (
	"fmt"

	"analyzer/columnar"
)

// model makes the node of an operation that runs a text model.
func (c *compiler) model(e *Expr, args []operand) (node, error) {
	if c.env == nil {
		return nil, fmt.Errorf("compile %s: no text models are at hand", e.brief())
	}
	if e.Op == OpLanguage {
		detector, err := c.env.language()
		if err != nil {
			return nil, fmt.Errorf("compile %s: make the language detector: %w", e.brief(), err)
		}
		return &detectLanguage{text: args[0].node, detector: detector}, nil
	}
	name := args[1].value
	if name == nil {
		return nil, fmt.Errorf("compile %s: the model must be named by a literal, not by %s", e.brief(), e.Args[1].brief())
	}
	model, err := c.env.sentiment(name.Text)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", e.brief(), err)
	}
	if e.Op == OpPolarity {
		return &polarity{text: args[0].node, model: model}, nil
	}
	return &classify{text: args[0].node, model: model}, nil
}

// polarityScale makes ten-thousandths millionths.
const polarityScale = decimalOne / 10_000

// polarity scores texts.
type polarity struct {
	result
	text  node
	model SentimentModel
}

func (n *polarity) eval(in *input) (*columnar.Vector, error) {
	a, err := n.text.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Decimal, in.rows)
	n.nullsOf1(a)
	for i := range out.Ints {
		out.Ints[i] = 0
		if !a.IsNull(i) {
			out.Ints[i] = int64(n.model.Polarity(a.Bytes(i))) * polarityScale
		}
	}
	return out, nil
}

// classify tells positive from negative texts.
type classify struct {
	result
	text  node
	model SentimentModel
}

func (n *classify) eval(in *input) (*columnar.Vector, error) {
	a, err := n.text.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Text, in.rows)
	n.nullsOf1(a)
	for i := range in.rows {
		if !a.IsNull(i) {
			class := "positive"
			if n.model.Polarity(a.Bytes(i)) < 0 {
				class = "negative"
			}
			out.Data = append(out.Data, class...)
		}
		out.Offsets[i+1] = int32(len(out.Data))
	}
	return out, nil
}

// detectLanguage finds the languages of texts.
type detectLanguage struct {
	result
	text     node
	detector LanguageDetector
}

func (n *detectLanguage) eval(in *input) (*columnar.Vector, error) {
	a, err := n.text.eval(in)
	if err != nil {
		return nil, err
	}
	out := n.start(columnar.Text, in.rows)
	n.nullsOf1(a)
	for i := range in.rows {
		if !a.IsNull(i) {
			out.Data = append(out.Data, n.detector.Detect(a.Bytes(i))...)
		}
		out.Offsets[i+1] = int32(len(out.Data))
	}
	return out, nil
}
