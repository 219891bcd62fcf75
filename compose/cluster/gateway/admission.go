package gateway

import (
	"context"
	"fmt"
	"net"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"

	"analyzer/compose/cluster/protocol"
)

const service = "/arrow.flight.protocol.FlightService/"

// served are the calls of Flight that a gateway takes.
var served = map[string]bool{
	service + "DoPut": true, service + "DoGet": true, service + "DoAction": true, service + "ListActions": true,
}

// admit decides over a call when nothing but its headers has been read, so that
// nobody without a token can make the gateway read a message. Its context knows
// the caller's name.
func (g *Gateway) admit(ctx context.Context, info *tap.Info) (context.Context, error) {
	if !served[info.FullMethodName] {
		return nil, status.Error(codes.Unimplemented, "a gateway serves DoAction, DoPut and DoGet")
	}
	name, err := g.identify(info.Header)
	if err != nil {
		g.metrics.Refused.Add(1)
		return nil, err
	}
	return context.WithValue(ctx, ownerKey{}, name), nil
}

func (g *Gateway) identify(header metadata.MD) (string, error) {
	if g.cfg.Tokens == nil {
		return protocol.Anyone, nil
	}
	shown := header.Get(protocol.AuthorizationKey)
	if len(shown) != 1 || !strings.HasPrefix(shown[0], protocol.BearerPrefix) {
		return "", protocol.Errorf(protocol.NoToken, "show a token: authorization: Bearer …")
	}
	name, ok := g.cfg.Tokens.owner(strings.TrimPrefix(shown[0], protocol.BearerPrefix))
	if !ok {
		return "", protocol.Errorf(protocol.NoToken, "the token is not known here")
	}
	return name, nil
}

type ownerKey struct{}

// ownerOf returns the name of who makes a call.
func ownerOf(ctx context.Context) string {
	name, _ := ctx.Value(ownerKey{}).(string)
	return name
}

// checkAddress refuses to listen to the world without tokens.
func (g *Gateway) checkAddress(addr net.Addr) error {
	tcp, ok := addr.(*net.TCPAddr)
	if g.cfg.Tokens != nil || !ok || tcp.IP.IsLoopback() {
		return nil
	}
	return fmt.Errorf("listen on %s: without a token file only this machine may call; bind 127.0.0.1", addr)
}
