package rabbit

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"analyzer/shuffle/rabbit/node"
	"analyzer/shuffle/rabbit/node/nodetest"
)

// lives asks the broker whether it is alive, with a URL of its own whose user, password and
// virtual host may be changed.
func lives(t *testing.T, n *node.Node, patience time.Duration, edit func(*url.URL)) bool {
	t.Helper()
	u, err := url.Parse(n.URL())
	must(t, err)
	address := u.Host
	u.Host = "somewhere.else:1"
	if edit != nil {
		edit(u)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return Lives(ctx, Config{URL: u.String()}, address)
}

// TestLives has a broker do what it is asked for, refuse it, and do it during an alarm.
func TestLives(t *testing.T) {
	n := shared.Node(t)
	if err := Try(t.Context(), Config{URL: n.URL()}); err != nil {
		t.Error(err)
	}
	for what, edit := range map[string]func(*url.URL){
		"is well":                  nil,
		"refuses the password":     func(u *url.URL) { u.User = url.UserPassword(u.User.Username(), "wrong") },
		"has no such virtual host": func(u *url.URL) { u.Path = "/nowhere" },
	} {
		if !lives(t, n, time.Minute, edit) {
			t.Errorf("a broker that %s is dead", what)
		}
	}
	must(t, nodetest.Alarm(soon(t), n, true))
	defer func() { must(t, nodetest.Alarm(soon(t), n, false)) }()
	if !lives(t, n, time.Minute, nil) {
		t.Error("a broker without memory is dead")
	}
}

// TestHangs asks a broker that is stopped: the time it is given bounds the question.
func TestHangs(t *testing.T) {
	n := shared.Node(t)
	thaw := freeze(t)
	began := time.Now()
	if lives(t, n, 300*time.Millisecond, nil) {
		t.Error("a broker that is stopped is alive")
	}
	if took := time.Since(began); took > dialPatience/2 {
		t.Errorf("it took %v to find out", took)
	}
	thaw()
	if !lives(t, n, time.Minute, nil) {
		t.Error("a broker that goes on is dead")
	}
}

// TestDeadDatabase ends the database of a broker, as a full disk does: its process and its
// port are still there.
func TestDeadDatabase(t *testing.T) {
	n, err := node.Start(t.Context(), node.Config{})
	must(t, err)
	defer func() { must(t, n.Stop()) }()
	if !lives(t, n, time.Minute, nil) {
		t.Error("it is dead to begin with")
	}
	if _, err := nodetest.Eval(soon(t), n, "mnesia:stop()"); err != nil && !strings.Contains(err.Error(), "no value") {
		t.Fatal(err)
	}
	if lives(t, n, 10*time.Second, nil) {
		t.Error("a broker without a database is alive")
	}
	select {
	case <-n.Done():
		t.Error("its server has ended")
	default:
	}
	if err := Try(t.Context(), Config{URL: n.URL()}); err == nil {
		t.Error("a broker without a database can be used")
	}
}
