package client

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A cluster that cannot be reached as it was named is given up soon, for a reason in
// words: at once, whatever patience was asked for, where trying again cannot help.
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
		address  string
		tls      *tls.Config
		patience time.Duration
		want     string
	}{
		"nobody":            {address(closed), nil, 0, "nobody listens there"},
		"no host":           {"nowhere.invalid:1", nil, 0, `there is no host "nowhere.invalid"`},
		"it encrypts":       {address(encrypted), nil, 0, "does not answer as a gateway does"},
		"it does not":       {c.gateways[0].addr, &tls.Config{MinVersion: tls.VersionTLS12}, time.Hour, "what listens there does not encrypt"},
		"not to be trusted": {address(encrypted), &tls.Config{MinVersion: tls.VersionTLS12}, time.Hour, "an authority that is not trusted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cl, err := New(Config{Gateways: []string{w.address}, TLS: w.tls, Patience: w.patience})
			if err != nil {
				t.Fatal(err)
			}
			defer cl.Close()
			ctx, cancel := context.WithTimeout(t.Context(), DefaultPatience/2)
			defer cancel()
			_, err = cl.Open(ctx, request(dataset(t, "movies")))
			if !errors.Is(err, ErrCutOff) || !strings.Contains(err.Error(), w.want) || strings.Contains(err.Error(), "desc =") {
				t.Errorf("it says: %v", err)
			}
		})
	}
}
