package monitor

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestEncryptedOrNot asks one address in both ways, while somebody is connected who says
// nothing.
func TestEncryptedOrNot(t *testing.T) {
	other := httptest.NewTLSServer(nil) // which has a certificate for tests, and who trusts it
	defer other.Close()
	s, err := Start("127.0.0.1:0", Config{
		Ready: func() error { return nil }, Log: slog.New(slog.DiscardHandler),
		TLS: &tls.Config{Certificates: other.TLS.Certificates},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Handle("GET /how", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil {
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	silent, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for scheme, want := range map[string]int{"http": http.StatusOK, "https": http.StatusAccepted} {
		response, err := other.Client().Get(scheme + "://" + s.Addr() + "/how")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		if err := response.Body.Close(); err != nil || response.StatusCode != want {
			t.Errorf("%s: %s, %v", scheme, response.Status, err)
		}
	}
	other.Client().CloseIdleConnections()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
