package page

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"analyzer/compose/cluster/protocol"
)

// guarded calls a handler with the caller's token in the context of its request, if the
// caller may ask at all. Before that, it reads nothing of a request but its headers.
func (p *Page) guarded(serve handler) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		w := patient(to, r)
		w.Header().Set("Cache-Control", "no-store")
		ctx, err := p.admit(r)
		if err != nil {
			if r.ContentLength != 0 { // otherwise the server would wait for the body first
				w.Header().Set("Connection", "close")
			}
		} else {
			err = serve(w, r.WithContext(ctx))
		}
		if err != nil {
			p.refuse(w, r, err)
		}
	})
}

// admit decides by the headers of a request whether its caller may ask, and returns the
// context for what is done for it.
func (p *Page) admit(r *http.Request) (context.Context, error) {
	if err := p.foreign.Check(r); err != nil {
		return nil, protocol.Errorf(protocol.NotOwner, "a page of another site asks: %v", err)
	}
	switch {
	case p.cfg.Admit == nil && !(isHere(r) && askedAsHere(r)):
		return nil, protocol.Errorf(protocol.NoToken, "this gateway has no token file, so only this machine may ask, as 127.0.0.1 or localhost")
	case p.cfg.Admit == nil:
		return r.Context(), nil
	case p.cfg.TLS && r.TLS == nil && !isHere(r):
		return nil, protocol.Errorf(protocol.NotOwner, "this gateway encrypts: ask with https://, and take another token, since this one could be read on its way")
	}
	ctx, err := p.cfg.Admit(r.Context(), r.Header.Values("Authorization"))
	if err != nil {
		return nil, err
	}
	return protocol.WithToken(ctx, strings.TrimPrefix(r.Header.Get("Authorization"), protocol.BearerPrefix)), nil
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
