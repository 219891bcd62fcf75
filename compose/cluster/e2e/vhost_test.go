package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"regexp"
	"testing"

	"analyzer/shuffle/rabbit/node"
	"analyzer/shuffle/rabbit/node/nodetest"
)

// Vhost is a virtual host of a node: queues that share a server with those of others,
// and no names.
type Vhost struct {
	t    testing.TB
	node *node.Node
	name string
	url  *url.URL
}

// NewVhost makes a virtual host of a node, whose name nothing else has, until the test
// ends.
func NewVhost(t testing.TB, n *node.Node) Vhost {
	t.Helper()
	u, err := url.Parse(n.URL())
	if err != nil {
		t.Fatal(err)
	}
	v := Vhost{t, n, rand.Text(), u}
	u.Path = "/" + v.name
	v.eval(`begin ok = rabbit_vhost:add(<<"%[1]s">>, <<"%[2]s">>), `+
		`rabbit_auth_backend_internal:set_permissions(<<"%[2]s">>, <<"%[1]s">>, <<".*">>, <<".*">>, <<".*">>, <<"%[2]s">>) end`, v.name, u.User.Username())
	t.Cleanup(func() { v.eval(`rabbit_vhost:delete(<<"%s">>, <<"%s">>)`, v.name, u.User.Username()) })
	return v
}

// eval has the node evaluate an Erlang expression.
func (v Vhost) eval(format string, args ...any) string {
	v.t.Helper()
	value, err := nodetest.Eval(context.Background(), v.node, fmt.Sprintf(format, args...))
	if err != nil {
		v.t.Fatal(err)
	}
	return value
}

// URL is the connection string, with the password in it.
func (v Vhost) URL() string { return v.url.String() }

var quoted = regexp.MustCompile(`"([^"]*)"`)

// Queues returns the names of all queues, as they stand in the node's tables.
func (v Vhost) Queues() (names []string) {
	v.t.Helper()
	list := v.eval(`[binary_to_list(Name) || {resource, <<"%s">>, queue, Name} <- rabbit_amqqueue:list_names()]`, v.name)
	for _, m := range quoted.FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	return names
}
