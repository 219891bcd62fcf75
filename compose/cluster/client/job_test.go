package client

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
)

func TestAnswersAreThoseOfARun(t *testing.T) {
	c := startCluster(t, 2)
	cl := c.client(annToken, c.all()...)
	for _, name := range []string{"movies", "steam", "books"} {
		t.Run(name, func(t *testing.T) {
			d := dataset(t, name)
			want := run(t, d)
			j, err := cl.Open(t.Context(), request(d))
			if err != nil {
				t.Fatal(err)
			}
			u, moments := upload(d), 0
			u.Progress = func(Progress) { moments++ }
			report, err := j.Upload(t.Context(), u)
			if err != nil {
				t.Fatal(err)
			}
			checkReport(t, report, d.Name)
			checkAnswers(t, j, want)
			checkAnswers(t, j, want) // as often as one likes
			checkStages(t, cl, j.Spec)

			again, err := cl.Job(t.Context(), j.Spec.ID)
			if err != nil {
				t.Fatal(err)
			}
			checkAnswers(t, again, want)
			if err := cl.End(t.Context(), j.Spec.ID, "done"); err != nil {
				t.Fatal(err)
			}
			err = j.Fetch(t.Context(), Fetch{}, discard{})
			if protocol.CodeOf(err) != protocol.JobEnded {
				t.Errorf("after its end the job says %v", err)
			}
		})
	}
}

// checkReport compares what an upload read with what a run of the same tables
// reads.
func checkReport(t *testing.T, got *engine.Report, name string) {
	t.Helper()
	d := dataset(t, name)
	want, err := engine.Run(t.Context(), engine.Options{
		Queries: d.Queries, Tables: d.TableMap(), Open: openTable(d), MaxRejects: -1, FS: vfs.NewMem(), SpillDir: "/",
	}, discard{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want.Tables {
		at := slices.IndexFunc(got.Tables, func(g engine.TableReport) bool { return g.Table == w.Table })
		if at < 0 {
			t.Errorf("table %s was not read", w.Table)
			continue
		}
		g := got.Tables[at]
		if g.Stats.Rows != w.Stats.Rows || !slices.Equal(g.Stats.Rejected, w.Stats.Rejected) {
			t.Errorf("table %s: %d rows, rejected %v; a run has %d, %v", w.Table, g.Stats.Rows, g.Stats.Rejected, w.Stats.Rows, w.Stats.Rejected)
		}
	}
}

// checkStages awaits that every stage of a job whose answers are there is known to
// be done.
func checkStages(t *testing.T, cl *Client, spec *protocol.Spec) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s, err := cl.Status(t.Context(), spec.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Stages) > 0 && s.StagesDone() == len(s.Stages) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d of the stages are done: %+v", s.StagesDone(), s.Stages)
		}
	}
}

func TestWhoMayDoWhat(t *testing.T) {
	c := startCluster(t, 1)
	ann, bob, nobody := c.client(annToken, c.all()...), c.client(bobToken, c.all()...), c.client("", c.all()...)
	d := dataset(t, "movies")
	j, err := ann.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	id := j.Spec.ID
	for what, f := range map[string]func(cl *Client) error{
		"describe": func(cl *Client) error { _, err := cl.Job(t.Context(), id); return err },
		"status":   func(cl *Client) error { _, err := cl.Status(t.Context(), id); return err },
		"end":      func(cl *Client) error { return cl.End(t.Context(), id, "") },
		"upload": func(cl *Client) error {
			_, err := (&Job{client: cl, Spec: j.Spec}).Upload(t.Context(), upload(d))
			return err
		},
		"fetch": func(cl *Client) error { return (&Job{client: cl, Spec: j.Spec}).Fetch(t.Context(), Fetch{}, discard{}) },
	} {
		if err := f(bob); protocol.CodeOf(err) != protocol.NotOwner {
			t.Errorf("%s by another client: %v", what, err)
		}
		if err := f(nobody); protocol.CodeOf(err) != protocol.NoToken {
			t.Errorf("%s by nobody: %v", what, err)
		}
	}
	if l, err := bob.List(t.Context()); err != nil || len(l.Jobs) != 0 {
		t.Errorf("another client sees %v, %v", l, err)
	}
	l, err := ann.List(t.Context())
	if err != nil || len(l.Jobs) != 1 || l.Jobs[0].Job != id || l.Jobs[0].State != protocol.Running {
		t.Errorf("the owner sees %v, %v", l, err)
	}
}

func TestJobThatIsCancelledElsewhere(t *testing.T) {
	c := startCluster(t, 1)
	cl := c.client(annToken, c.all()...)
	d := dataset(t, "movies")
	j, err := cl.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	if err := cl.End(t.Context(), j.Spec.ID, "somebody else did"); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Upload(t.Context(), upload(d)); protocol.CodeOf(err) != protocol.JobEnded && protocol.CodeOf(err) != protocol.JobFailed {
		t.Errorf("the upload ends with %v", err)
	}
}

func TestBadInputEndsTheUpload(t *testing.T) {
	c := startCluster(t, 1)
	d := dataset(t, "movies")
	j, err := c.client(annToken, c.all()...).Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	u := upload(d)
	u.MaxRejects = 3
	var input *scan.InputError
	if _, err := j.Upload(t.Context(), u); !errors.As(err, &input) || input.Reason != scan.ReasonTooManyRejects {
		t.Errorf("the upload ends with %v", err)
	}
}

func TestRequestThatCannotBePlanned(t *testing.T) {
	c := startCluster(t, 1)
	d := dataset(t, "movies")
	r := request(d)
	r.Block = 1
	var refused *Error
	_, err := c.client(annToken, c.all()...).Open(t.Context(), r)
	if !errors.As(err, &refused) || protocol.CodeOf(err) != protocol.Refused || refused.Op != "open the job" {
		t.Errorf("opened: %v", err)
	}
}

func TestNoGateway(t *testing.T) {
	c := startCluster(t, 1)
	c.gateways[0].stop()
	told := 0
	cl, err := New(Config{Gateways: c.all(), Patience: 300 * time.Millisecond, Notice: func(string) { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if _, err := cl.List(t.Context()); !errors.Is(err, ErrCutOff) {
		t.Errorf("listed: %v", err)
	}
	if told > 1 {
		t.Errorf("people were told %d times, want once at most", told)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
	if _, err := cl.List(ctx); !errors.Is(err, why) {
		t.Errorf("interrupted: %v", err)
	}
}
