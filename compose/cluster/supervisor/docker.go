package supervisor

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Labels of containers: which cluster and which node they belong to.
const (
	LabelCluster = "analyzer.cluster"
	LabelNode    = "analyzer.node"
)

// DockerSocket is where Docker listens by default.
const DockerSocket = "/var/run/docker.sock"

// Docker runs nodes as containers that exist already. It starts and signals the containers
// with the labels of the cluster and of the node, and touches no others. It uses the Engine
// API, https://docs.docker.com/reference/api/engine/, in whatever version the daemon has.
type Docker struct {
	cluster string
	http    *http.Client
}

// dockerPatience is how long the daemon may take to answer: longer than it takes to
// start a container on a busy machine.
const dockerPatience = 20 * time.Second

// NewDocker returns a driver for the cluster of that name. The daemon listens on a Unix
// socket.
func NewDocker(socket, cluster string) *Docker {
	var dialer net.Dialer
	return &Docker{cluster: cluster, http: &http.Client{
		Timeout: dockerPatience,
		Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", socket)
		}},
	}}
}

// inspected is the part of a container's state that matters here.
type inspected struct {
	State struct {
		Running, OOMKilled bool
		Pid, ExitCode      int
		Error              string
		StartedAt          time.Time
		Health             struct { // of a container with a health check
			Status        string
			FailingStreak int
		}
	}
}

// Look reports the condition of a node's container.
func (d *Docker) Look(ctx context.Context, n Node) (Condition, error) {
	id, err := d.find(ctx, n)
	if err != nil {
		return Condition{}, err
	}
	var in inspected
	if err := d.call(ctx, http.MethodGet, "/containers/"+id+"/json", &in); err != nil {
		return Condition{}, fmt.Errorf("look at the container of %s: %w", n.Name, err)
	}
	s := in.State
	c := Condition{
		Runs: s.Running, PID: s.Pid, Since: s.StartedAt, Started: s.StartedAt.Year() > 1,
		Healthy: s.Running && s.Health.Status == "healthy" && s.Health.FailingStreak == 0,
	}
	if !s.Running && c.Started {
		c.Left = s.ExitCode == 0 && s.Error == ""
		c.Ending = "exit status " + strconv.Itoa(s.ExitCode)
		if s.OOMKilled {
			c.Ending = "killed for its memory"
		}
		if s.Error != "" {
			c.Ending = s.Error
		}
	}
	return c, nil
}

// Start starts the container of a node.
func (d *Docker) Start(ctx context.Context, n Node) error {
	return d.post(ctx, n, "start", "/start")
}

// Signal sends a signal to the container of a node.
func (d *Docker) Signal(ctx context.Context, n Node, s syscall.Signal) error {
	return d.post(ctx, n, "signal", "/kill?signal="+strconv.Itoa(int(s)))
}

// post performs an action on the container of a node. It is no error if the container is in
// the wanted state already.
func (d *Docker) post(ctx context.Context, n Node, what, path string) error {
	id, err := d.find(ctx, n)
	if err == nil {
		err = d.call(ctx, http.MethodPost, "/containers/"+id+path, nil)
	}
	if refused, ok := errors.AsType[*refusal](err); ok && (refused.status == http.StatusNotModified || refused.status == http.StatusConflict) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s the container of %s: %w", what, n.Name, err)
	}
	return nil
}

// wordBytes bounds how much of a log is read.
const wordBytes = 64 << 10

// Words returns the end of a container's log.
func (d *Docker) Words(ctx context.Context, n Node) string {
	id, err := d.find(ctx, n)
	if err != nil {
		return err.Error()
	}
	body, err := d.ask(ctx, http.MethodGet, fmt.Sprintf("/containers/%s/logs?stdout=1&stderr=1&tail=%d", id, wordLines))
	if err != nil {
		return err.Error()
	}
	defer func() { _ = body.Close() }() // it was only read
	text, _ := io.ReadAll(io.LimitReader(body, wordBytes))
	return strings.TrimRight(plainLog(text), "\n")
}

// plainLog removes Docker's frame headers from a log. Each frame begins with the number of
// its stream, three zero bytes, and its length.
func plainLog(text []byte) string {
	const header = 8
	var b strings.Builder
	for len(text) >= header {
		length := min(int(binary.BigEndian.Uint32(text[4:])), len(text)-header)
		b.Write(text[header : header+length])
		text = text[header+length:]
	}
	return b.String()
}

// find returns the ID of a node's container.
func (d *Docker) find(ctx context.Context, n Node) (id string, err error) {
	filters := fmt.Sprintf(`{"label": ["%s=%s", "%s=%s"]}`, LabelCluster, d.cluster, LabelNode, n.Name)
	var found []struct{ ID string }
	if err := d.call(ctx, http.MethodGet, "/containers/json?all=1&filters="+url.QueryEscape(filters), &found); err != nil {
		return "", fmt.Errorf("look for the container of %s: %w", n.Name, err)
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%d containers are labelled %s=%s and %s=%s, expected one", len(found), LabelCluster, d.cluster, LabelNode, n.Name)
	}
	return found[0].ID, nil
}

// call sends a request to the daemon, and decodes the answer into a value unless that is nil.
func (d *Docker) call(ctx context.Context, method, path string, into any) error {
	body, err := d.ask(ctx, method, path)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // it was only read
	if into == nil {
		return nil
	}
	return json.NewDecoder(body).Decode(into)
}

// ask returns the body of the daemon's answer, which the caller closes.
func (d *Docker) ask(ctx context.Context, method, path string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://docker"+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := d.http.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode < http.StatusMultipleChoices {
		return answer.Body, nil
	}
	var said struct{ Message string }
	_ = json.NewDecoder(io.LimitReader(answer.Body, wordBytes)).Decode(&said) // without a message, the status must do
	return nil, errors.Join(&refusal{answer.StatusCode, said.Message}, answer.Body.Close())
}

// refusal is an error that the daemon answers with.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("Docker says %d %s: %s", r.status, http.StatusText(r.status), r.message), ": ")
}
