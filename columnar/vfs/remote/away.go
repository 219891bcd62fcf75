package remote

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"
)

// UnreachableError is the error of a server that cannot be reached as it is named: there is no
// such host, or nobody listens at the address.
type UnreachableError struct {
	Host  string // with the port, if the name has one
	store bool   // the environment says where it is
	err   error
}

// Error says what is wrong with the server.
func (e *UnreachableError) Error() string {
	if noHost(e.err) {
		return fmt.Sprintf("there is no host %s", e.Host)
	}
	return fmt.Sprintf("the server %s refuses the connection", e.Host)
}

// Hint says what to check.
func (e *UnreachableError) Hint() string {
	switch {
	case e.store:
		return "Next: check where the store is (AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION), and that it runs."
	case noHost(e.err):
		return "Next: check the name of the host, and that this machine finds the addresses of hosts (DNS)."
	}
	return "Next: check the host and the port, and that the server runs."
}

// Unwrap returns the error of the connection.
func (e *UnreachableError) Unwrap() error { return e.err }

// unreachable returns err as an UnreachableError, nil if it is none.
func unreachable(name string, err error) error {
	if !noHost(err) && !errors.Is(err, syscall.ECONNREFUSED) {
		return nil
	}
	host := serverOf(name)
	var asked *url.Error
	if errors.As(err, &asked) {
		host = serverOf(asked.URL)
	}
	_, _, store := cutS3(name)
	return &UnreachableError{Host: host, store: store, err: err}
}

func noHost(err error) bool {
	var lookup *net.DNSError
	return errors.As(err, &lookup) && lookup.IsNotFound
}

// serverOf returns the host in a name, with the port, or the bucket.
func serverOf(name string) string {
	_, rest, _ := strings.Cut(name, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host[strings.LastIndexByte(host, '@')+1:]
}

// firstAttempts is how often a server is asked that cannot be reached as it is named and has never
// answered: the name is likely to be wrong. One that did answer may be starting again.
const firstAttempts = 3

// attempts returns how often to send a request that fails with err.
func (s *shared) attempts(name string, err error) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if unreachable(name, err) != nil && !s.answered[serverOf(name)] {
		return min(firstAttempts, s.cfg.Attempts)
	}
	return s.cfg.Attempts
}

// heard notes that a server has answered if err, of a request, says so.
func (s *shared) heard(name string, err error) {
	var status *statusError
	if err != nil && !errors.As(err, &status) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answered[serverOf(name)] = true
}
