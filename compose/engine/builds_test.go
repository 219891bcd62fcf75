package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// TestBuildSideOfReplicasThatFailed asks for the build side of a join while its replicas end:
// the reader of the probe side may be that late.
func TestBuildSideOfReplicasThatFailed(t *testing.T) {
	numbers := func(name string) *columnar.Table {
		return &columnar.Table{Name: name, Columns: []columnar.TableColumn{{Name: name, Header: name, Format: columnar.FormatInt}}}
	}
	o := Options{FS: vfs.NewMem(), SpillDir: "/", Replicas: 2, Tables: plan.Tables{"a": numbers("a"), "b": numbers("b")}}
	query := &plan.Query{Name: "q", Root: plan.From("a").Join(plan.From("b"), plan.On("a", "b"))}
	var err error
	if o.Plan, err = physical.New(nil, []*plan.Query{query}, o.Tables); err != nil {
		t.Fatal(err)
	}
	e := newEmbedded(o, newRuntime(o), 0, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var join *physical.Node
	for _, n := range e.plan.Nodes {
		if n.Join != nil {
			join = n
		}
	}
	err = e.compute(ctx, func(ctx context.Context) error {
		for range e.scanners {
			outlets, err := e.outlets(join.Inputs[0].Node)
			if err != nil {
				return err
			}
			if err := outlets[0].Finish(ctx); err != nil {
				return err
			}
		}
		if _, err := e.builds.await(ctx, join.ID); err != nil {
			return err
		}
		cancel()
		time.Sleep(10 * time.Millisecond) // replicas end meanwhile
		_, err := e.builds.share(context.WithoutCancel(ctx), join)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends with %v", err)
	}
	if err := e.close(); err != nil {
		t.Error(err)
	}
	if left := e.rt.Budget.Used(); left != 0 {
		t.Errorf("%d bytes are still reserved", left)
	}
}
