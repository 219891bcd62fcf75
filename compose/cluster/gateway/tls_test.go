package gateway

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
)

func TestWithACertificateConnectionsAreEncrypted(t *testing.T) {
	https := httptest.NewUnstartedServer(nil) // which has a certificate for tests
	https.StartTLS()
	https.Close()
	certificate := https.TLS.Certificates[0]
	c := startCluster(t, func(cfg *Config) { cfg.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}} })
	trusted := x509.NewCertPool()
	trusted.AddCert(https.Certificate())
	f, err := flight.NewClientWithMiddleware(c.addr, nil, nil,
		grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{RootCAs: trusted})))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	by := &client{T: t, flight: f, ctx: protocol.WithToken(t.Context(), annToken)}
	if _, err := by.act(protocol.ActionList, struct{}{}, nil); err != nil {
		t.Error(err)
	}
	// Who speaks in the clear is not heard.
	ctx, cancel := context.WithTimeout(c.client(annToken).ctx, handshakePatience)
	defer cancel()
	clear := &client{T: t, flight: c.client(annToken).flight, ctx: ctx}
	if _, err := clear.act(protocol.ActionList, struct{}{}, nil); status.Code(err) != codes.Unavailable {
		t.Errorf("in the clear: %v", err)
	}
}
