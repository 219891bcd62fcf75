package node

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"analyzer/process"
)

// Vhost is a virtual host of a node: queues that share a server with those of others,
// and no names.
type Vhost struct {
	node *Node
	name string
}

// DefaultVhost returns the virtual host that every node has, which Node.URL is of.
func (n *Node) DefaultVhost() Vhost { return Vhost{n, "/"} }

// AddVhost makes a virtual host, whose name nothing else has. The caller calls Delete, if
// the node goes on longer than the virtual host is needed.
func (n *Node) AddVhost(ctx context.Context) (Vhost, error) {
	v := Vhost{n, rand.Text()}
	_, err := n.Eval(ctx, fmt.Sprintf(
		`begin ok = rabbit_vhost:add(<<"%[1]s">>, <<"%[2]s">>), `+
			`rabbit_auth_backend_internal:set_permissions(<<"%[2]s">>, <<"%[1]s">>, <<".*">>, <<".*">>, <<".*">>, <<"%[2]s">>) end`, v.name, user))
	if err != nil {
		return v, fmt.Errorf("add a virtual host: %w", err)
	}
	return v, nil
}

// Delete removes the virtual host, and closes all connections to it.
func (v Vhost) Delete(ctx context.Context) error {
	if _, err := v.node.Eval(ctx, fmt.Sprintf(`rabbit_vhost:delete(<<"%s">>, <<"%s">>)`, v.name, user)); err != nil {
		return fmt.Errorf("delete a virtual host: %w", err)
	}
	return nil
}

// URL is the connection string, with the password in it.
func (v Vhost) URL() string {
	u := url.URL{
		Scheme: "amqp", User: url.UserPassword(user, v.node.password),
		Host: process.Address(v.node.ports.Clients), Path: "/" + strings.TrimPrefix(v.name, "/"),
	}
	return u.String()
}

var quoted = regexp.MustCompile(`"([^"]*)"`)

// Queues returns the names of all queues, as they stand in the node's tables.
func (v Vhost) Queues(ctx context.Context) (names []string, err error) {
	list, err := v.node.Eval(ctx, fmt.Sprintf(`[binary_to_list(Name) || {resource, <<"%s">>, queue, Name} <- rabbit_amqqueue:list_names()]`, v.name))
	for _, m := range quoted.FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	return names, err
}
