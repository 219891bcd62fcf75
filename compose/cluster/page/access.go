package page

import (
	"context"
	"net/http"

	"analyzer/compose/cluster/protocol"
)

// guarded calls a handler with the caller's token in the context of its request, if the
// caller may ask at all. Before that, it reads nothing of a request but its headers.
func (p *Page) guarded(serve handler) http.Handler {
	return http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		w := patient(to, r)
		w.Header().Set("Cache-Control", "no-store")
		ctx, err := p.admit(r)
		if err == nil {
			w.Header().Del("Connection") // the body is going to be read
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
	ctx, err := p.cfg.Enter(r)
	if err != nil {
		return nil, err
	}
	token, _ := protocol.TokenOf(r.Header.Get("Authorization"))
	return protocol.WithToken(ctx, token), nil
}
