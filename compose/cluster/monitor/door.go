package monitor

import (
	"context"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"analyzer/compose/cluster/protocol"
)

// Door decides by the headers of a request whether its caller may ask.
type Door struct {
	// Admit checks the Authorization headers of a request, and returns the context for what is
	// done for it. nil: there are no tokens. Then everybody on this machine may ask, and nobody
	// else.
	Admit func(ctx context.Context, shown []string) (context.Context, error)
	// Owner returns whom Admit has returned a context for; nil with Admit.
	Owner func(ctx context.Context) string
	// TLS says that clients can encrypt. Clients on other machines must do so then.
	TLS bool
}

// Enter returns the context for what is done for a request. It reads nothing but headers.
//
// Errors: protocol.NoToken and protocol.NotOwner.
func (d Door) Enter(r *http.Request) (context.Context, error) {
	switch {
	case d.Admit == nil && !(isHere(r) && askedAsHere(r)):
		return nil, protocol.Errorf(protocol.NoToken, "this process has no token file, so only this machine may ask, as 127.0.0.1 or localhost")
	case d.Admit == nil:
		return r.Context(), nil
	case d.TLS && r.TLS == nil && !isHere(r):
		return nil, protocol.Errorf(protocol.NotOwner, "this process encrypts: ask with https://, and take another token, since this one could be read on its way")
	}
	return d.Admit(r.Context(), r.Header.Values("Authorization"))
}

// owner returns whose a context of Enter is.
func (d Door) owner(ctx context.Context) string {
	if d.Owner == nil {
		return protocol.Anyone
	}
	return d.Owner(ctx)
}

// isHere reports whether a request comes from this machine.
func isHere(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}

// askedAsHere reports whether a request addresses this machine by a name that nobody
// elsewhere can have given to it, such as localhost.
func askedAsHere(r *http.Request) bool {
	name := r.Host
	if host, _, err := net.SplitHostPort(name); err == nil {
		name = host
	}
	asked, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return name == "localhost" || err == nil && asked.IsLoopback()
}

// members is the owner of connections on which members of the cluster ask. No client can have
// a name with a blank.
const members = "other members"

// Enter lets a request in by the server's Door, and notes whose its connection is.
//
// Errors: as of Door.Enter; protocol.Busy, if the caller has too many connections.
func (s *Server) Enter(r *http.Request) (context.Context, error) {
	ctx, err := s.cfg.Door.Enter(r)
	if err == nil {
		err = s.connections.Known(r.RemoteAddr, s.cfg.Door.owner(ctx))
	}
	return ctx, err
}

// enterAsMember is Enter for what members of the cluster ask each other as well.
func (s *Server) enterAsMember(r *http.Request) (context.Context, error) {
	shown, _ := protocol.TokenOf(r.Header.Get("Authorization"))
	if s.cfg.Member != "" && subtle.ConstantTimeCompare([]byte(shown), []byte(s.cfg.Member)) == 1 {
		return r.Context(), s.connections.Known(r.RemoteAddr, members)
	}
	return s.Enter(r)
}

// inside serves a page to those who may look into the process.
func (s *Server) inside(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, err := s.enterAsMember(r)
		switch protocol.CodeOf(err) {
		case "":
			page.ServeHTTP(w, r.WithContext(ctx))
		case protocol.NoToken:
			w.Header().Set("WWW-Authenticate", "Bearer")
			say(w, http.StatusUnauthorized, err.Error())
		case protocol.Busy:
			retryLater(w, err.Error())
		default:
			say(w, http.StatusForbidden, err.Error())
		}
	})
}
