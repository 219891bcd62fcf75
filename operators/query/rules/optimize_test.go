package rules_test

import (
	"strings"
	"testing"

	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
)

// A plan from elsewhere is made as good as one of a statement, or refused if it is wrong.
func TestOptimize(t *testing.T) {
	root := plan.From("films").Join(plan.From("ratings"), plan.On("id", "film")).Filter(over("user", 7))
	got, err := rules.Optimize(nil, root, films())
	if err != nil || !strings.Contains(plan.Text(got), "filter user > 7\n    scan ratings") {
		t.Errorf("the plan is\n%s, error %v", plan.Text(got), err)
	}
	for what, wrong := range map[string]*plan.Node{
		"there is no column": root.Filter(over("nothing", 1)), "there is no table": plan.From("nothing").Filter(over("x", 1)),
		"not a list": plan.From("films").Unnest("id", "x"),
	} {
		if _, err := rules.Optimize(nil, wrong, films()); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
}
