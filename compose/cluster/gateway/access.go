package gateway

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"

	"analyzer/columnar/vfs/remote"
	"analyzer/compose/cluster/protocol"
)

// Tokens holds the tokens of clients, each with the client's name. It may be used concurrently.
type Tokens struct {
	mu sync.Mutex
	// Keyed by hash, so that the time of a look-up does not reveal how much of a token
	// was guessed.
	grants map[[sha256.Size]byte]*grant
}

// grant is what a token gives.
type grant struct {
	owner   string
	below   []string        // places below which its files may be read; nil: all sources
	valid   context.Context // ends when the token is taken out
	takeOut context.CancelFunc
}

// errTakenOut ends the calls of a token that is no longer accepted.
var errTakenOut = protocol.Errorf(protocol.NoToken, "the token is no longer accepted here")

const (
	minToken = 16
	maxToken = 1 << 10
)

// ParseTokens reads lines of a name, a token and, if it may not read files below all sources, the
// places below which it may, separated by white space. It skips empty
// lines and lines that begin with #. A name may have several tokens; a token has one
// name. Errors give the number of the bad line, but never a token.
func ParseTokens(r io.Reader) (*Tokens, error) {
	t := &Tokens{grants: make(map[[sha256.Size]byte]*grant)}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := t.add(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("tokens: line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	if len(t.grants) == 0 {
		return nil, errors.New("tokens: there are none, so nobody could call")
	}
	return t, nil
}

func (t *Tokens) add(fields []string) error {
	if len(fields) < 2 {
		return fmt.Errorf("%d words; a line is a name and a token, and perhaps the places below which it may read files", len(fields))
	}
	name, token, below := fields[0], fields[1], fields[2:len(fields):len(fields)]
	if len(below) == 0 {
		below = nil
	}
	if i := slices.IndexFunc(below, func(place string) bool { return !filepath.IsAbs(place) && !remote.Is(place) }); i >= 0 {
		return fmt.Errorf("%q is no full path of a directory and no beginning of names of remote files", below[i])
	}
	if !isClientName(name) || name == protocol.Anyone {
		return fmt.Errorf("%q cannot be a client's name", name)
	}
	if len(token) < minToken || len(token) > maxToken {
		return fmt.Errorf("a token of %d characters; %d to %d are possible", len(token), minToken, maxToken)
	}
	key := sha256.Sum256([]byte(token))
	if other := t.grants[key]; other != nil && other.owner != name {
		return fmt.Errorf("%s and %s have the same token", other.owner, name)
	} else if other != nil && !slices.Equal(other.below, below) {
		return fmt.Errorf("a token of %s may read files below other places in a line before", name)
	}
	g := &grant{owner: name, below: below}
	g.valid, g.takeOut = context.WithCancel(context.Background())
	t.grants[key] = g
	return nil
}

// Replace accepts the tokens of another list, which it takes over, and no others. It ends the
// calls that came with a token that is not in that list, and reports how many tokens were
// added and taken out.
func (t *Tokens) Replace(by *Tokens) (added, taken int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	added = len(by.grants)
	for key, g := range t.grants {
		if again := by.grants[key]; again != nil && again.owner == g.owner && slices.Equal(again.below, g.below) {
			by.grants[key] = g
			added--
			continue
		}
		g.takeOut()
		taken++
	}
	t.grants = by.grants
	return added, taken
}

// isClientName reports whether a name can appear in logs and lists unescaped.
func isClientName(name string) bool {
	const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	return len(name) <= 64 && strings.Trim(name, alphanumeric+"._-") == "" &&
		strings.IndexAny(name, alphanumeric) == 0
}

// find returns what a token gives; nil: nothing.
func (t *Tokens) find(token string) *grant {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.grants[sha256.Sum256([]byte(token))]
}

const service = "/arrow.flight.protocol.FlightService/"

// served are the Flight methods that a gateway implements.
var served = map[string]bool{
	service + "DoPut": true, service + "DoGet": true, service + "DoAction": true, service + "ListActions": true,
}

// admit accepts or rejects a call when only its headers have been read, so that nobody
// without a token can make the gateway read a message. The returned context holds the
// caller's name.
func (g *Gateway) admit(ctx context.Context, info *tap.Info) (context.Context, error) {
	if !served[info.FullMethodName] {
		return nil, status.Error(codes.Unimplemented, "a gateway serves DoAction, DoPut and DoGet")
	}
	ctx, err := g.cfg.Tokens.Admit(ctx, info.Header.Get(protocol.AuthorizationKey))
	if err != nil {
		g.metrics.Refused.Add(1)
		return nil, err
	}
	return ctx, nil
}

// Admit checks the authorization headers of a call. The returned context holds the name of
// the caller: protocol.Anyone if there are no tokens, which means that t is nil. It ends with
// ctx, which must end with the call, or when the token is taken out.
//
// Errors: protocol.NoToken.
func (t *Tokens) Admit(ctx context.Context, shown []string) (context.Context, error) {
	if t == nil {
		return context.WithValue(ctx, ownerKey{}, protocol.Anyone), nil
	}
	token, ok := "", len(shown) == 1
	if ok {
		token, ok = protocol.TokenOf(shown[0])
	}
	if !ok {
		return nil, protocol.Errorf(protocol.NoToken, "show a token: authorization: Bearer …")
	}
	g := t.find(token)
	if g == nil {
		return nil, protocol.Errorf(protocol.NoToken, "the token is not known here")
	}
	ctx = context.WithValue(context.WithValue(ctx, ownerKey{}, g.owner), belowKey{}, g.below)
	ctx, cancel := context.WithCancelCause(ctx)
	forget := context.AfterFunc(g.valid, func() { cancel(errTakenOut) })
	context.AfterFunc(ctx, func() { forget() })
	return ctx, nil
}

type (
	ownerKey struct{}
	belowKey struct{}
)

// OwnerOf returns the name of the client that a context of Admit is for.
func OwnerOf(ctx context.Context) string {
	name, _ := ctx.Value(ownerKey{}).(string)
	return name
}

// PlacesOf returns the places below which the client that a context of Admit is for may have files read; nil: all
// sources.
func PlacesOf(ctx context.Context) []string {
	below, _ := ctx.Value(belowKey{}).([]string)
	return below
}

// checkAddress refuses to listen beyond this machine without tokens.
func (g *Gateway) checkAddress(addr net.Addr) error {
	tcp, ok := addr.(*net.TCPAddr)
	if g.cfg.Tokens != nil || !ok || tcp.IP.IsLoopback() {
		return nil
	}
	return fmt.Errorf("listen on %s: without a token file only this machine may call; bind 127.0.0.1", addr)
}
