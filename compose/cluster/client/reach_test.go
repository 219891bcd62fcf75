package client

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A cluster that cannot be reached as it was named is given up within five seconds,
// for a reason in words.
func TestWrongAddressesAreSaidSoon(t *testing.T) {
	c := startCluster(t, 1)
	encrypted := httptest.NewUnstartedServer(nil)
	encrypted.EnableHTTP2 = true
	encrypted.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	closed := httptest.NewServer(nil)
	closed.Close()
	address := func(s *httptest.Server) string { return s.Listener.Addr().String() }
	for name, w := range map[string]struct {
		address string
		tls     *tls.Config
		want    string
		within  time.Duration
	}{
		"nobody":            {address(closed), nil, "nobody listens there", 5 * time.Second},
		"no host":           {"nowhere.invalid:1", nil, `there is no host "nowhere.invalid"`, 5 * time.Second},
		"it encrypts":       {address(encrypted), nil, "does not answer as a gateway does", 5 * time.Second},
		"it does not":       {c.gateways[0].addr, &tls.Config{MinVersion: tls.VersionTLS12}, "what listens there does not encrypt", time.Second},
		"not to be trusted": {address(encrypted), &tls.Config{MinVersion: tls.VersionTLS12}, "an authority that is not trusted", time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cl, err := New(Config{Gateways: []string{w.address}, TLS: w.tls})
			if err != nil {
				t.Fatal(err)
			}
			defer cl.Close()
			begin := time.Now()
			_, err = cl.Open(t.Context(), request(dataset(t, "movies")))
			if took := time.Since(begin); took > w.within {
				t.Errorf("it took %v", took)
			}
			if !errors.Is(err, ErrCutOff) || !strings.Contains(err.Error(), w.want) || strings.Contains(err.Error(), "desc =") {
				t.Errorf("it says: %v", err)
			}
		})
	}
}
