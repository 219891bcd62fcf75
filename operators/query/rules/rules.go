package rules

import (
	"fmt"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/query/plan"
)

// Rule rewrites plans into equivalent ones.
type Rule struct {
	Name string
	Does string // what it does, and why it stands where it stands
	// rewrite returns the new plan. It copies the nodes that it changes.
	rewrite func(*rewriting, *plan.Node) *plan.Node
}

// List returns the rules in the order in which they rewrite a plan.
func List() []Rule { return slices.Concat(runnable(), better(), last()) }

// runnable are the rules that make a plan that can run of one that was bound.
func runnable() []Rule {
	return []Rule{
		{"remove applies", "Queries that depend on rows around them become joins. All other rules know only plans that can run.", removeApplies},
		{"name scans", "The names that a statement gives to columns of tables become projections, like all other names.", nameScans},
		{"push filters", "Conditions above outer joins, aggregations and unions move to the inner joins below, before those are ordered by what they cost.", pushFilters},
		{"divide alternatives", "Products with one equality or another become several with one of them each, before those become joins.", divideAlternatives},
		{"order joins", "Products of tables with conditions above them become joins, while each column still has a name of its own.", orderJoins},
		{"choose columns", "Projections that only rename go, and columns that nobody reads: the rules below look at what stands next to each other.", chooseColumns},
	}
}

// better are the rules that make a better plan of any that can run.
func better() []Rule {
	filters := Rule{"push filters", "Conditions move down to where their columns come from. Costly ones then show what they cost.", pushFilters}
	again := filters
	again.Does = "The conditions that the rule before has added move down as well."
	return []Rule{
		{"fold constants", "Expressions of constants become values, before conditions are looked at.", fold},
		filters,
		{"bound costly", "Rows that cannot matter are kept away from costly conditions. Those stand right above their table now.", boundCostly},
		again,
		{"limit products", "Of products of which only the first rows are wanted, both sides are cut to theirs. No condition moves below them any more.", limitProducts},
	}
}

// last are the rules that may add to a plan each time they are applied.
func last() []Rule {
	return []Rule{
		{"bound products", "What conditions above a product compute of one side becomes a column of it, and by comparisons of columns the product finds rows. Only conditions that stay above it are left.", boundProducts},
	}
}

// Step is called for each rule that has changed a plan, with the plan before and after it. With
// a Step, every single rule is checked.
type Step func(rule Rule, before, after *plan.Node)

// Rewrite applies all rules to a plan over tables. The plan that is given may have Apply nodes, and
// scans that give columns other names; the result has neither. Its columns are the same. step
// may be nil.
//
// Where work must stop, the error is its. Any other error says that the plan is wrong, or that a
// rule is.
func Rewrite(work *budget.Work, root *plan.Node, tables plan.Tables, step Step) (rewritten *plan.Node, err error) {
	defer budget.Catch(&err)
	return newRewriting(work, tables).apply(List(), root, nil, step)
}

// Optimize is Rewrite for a plan that can run, such as one from another program: it applies the
// rules that the plan was perhaps made without.
func Optimize(work *budget.Work, root *plan.Node, tables plan.Tables) (rewritten *plan.Node, err error) {
	defer budget.Catch(&err)
	r := newRewriting(work, tables)
	yields, err := r.schemas.Of(root)
	if err != nil {
		return nil, err
	}
	return r.apply(better(), root, yields, nil)
}

// apply applies rules to a plan. yields are its columns, nil if they are not known before the first
// rule.
func (r *rewriting) apply(list []Rule, root *plan.Node, yields columnar.Schema, step Step) (*plan.Node, error) {
	for i, rule := range list {
		after := rule.rewrite(r, root)
		if i == 0 || i == len(list)-1 || step != nil { // each check takes as long as a rule
			if err := r.check(after, &yields); err != nil {
				return nil, fmt.Errorf("%s: %w", rule.Name, err)
			}
		}
		if step != nil && plan.Text(root) != plan.Text(after) {
			step(rule, root, after)
		}
		root = after
	}
	return root, nil
}

// rewriting is what rules share while they rewrite one plan.
type rewriting struct {
	plans
	schemas *plan.Schemas
}

func newRewriting(work *budget.Work, tables plan.Tables) *rewriting {
	return &rewriting{plans: newPlans(work, tables, nil, nil), schemas: plan.NewSchemas(work, tables)}
}

// check makes sure that a plan is well formed, and yields the same columns as the one before.
func (r *rewriting) check(n *plan.Node, yields *columnar.Schema) error {
	now, err := r.schemas.Of(n)
	if err != nil {
		return err
	}
	if *yields != nil && now.String() != yields.String() {
		return fmt.Errorf("the rule has made the columns %s of %s", now, yields)
	}
	*yields = now
	return nil
}
