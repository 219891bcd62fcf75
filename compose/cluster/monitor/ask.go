package monitor

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"analyzer/compose/cluster/protocol"
)

// maxMetrics bounds how much of a process's metrics is read.
const maxMetrics = 4 << 20

type tokenKey struct{}

// WithToken returns a context with which Get and Read show a token; "": none.
func WithToken(ctx context.Context, token string) context.Context {
	return context.WithValue(ctx, tokenKey{}, token)
}

// Get fetches a page of a process, without a proxy, and passes its body to read if there is
// one. It does not reuse connections: a kept-alive one would not show that a process hangs.
func Get(ctx context.Context, url string, read func(io.Reader) error) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	if token, _ := ctx.Value(tokenKey{}).(string); token != "" {
		request.Header.Set("Authorization", protocol.BearerPrefix+token)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	switch response.StatusCode {
	case http.StatusOK:
		return read(response.Body)
	case http.StatusUnauthorized:
		return protocol.Errorf(protocol.NoToken, "%s wants a token that is known there", url)
	}
	return fmt.Errorf("%s answers %s", url, response.Status)
}

// Read fetches the metrics of a process at host:port, and calls tell for each with its value
// and its stage, "" if it has none. Times are told as NAME_sum, in seconds, and NAME_count.
func Read(ctx context.Context, address string, tell func(name, stage string, value float64)) error {
	return Get(ctx, "http://"+address+"/metrics", func(r io.Reader) error {
		return parse(io.LimitReader(r, maxMetrics), tell)
	})
}

func parse(r io.Reader, tell func(name, stage string, value float64)) error {
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(r)
	if err != nil {
		return err
	}
	for name, family := range families {
		for _, m := range family.Metric {
			stage := ""
			for _, l := range m.Label {
				if l.GetName() == StageLabel {
					stage = l.GetValue()
				}
			}
			if h := m.Histogram; h != nil {
				tell(name+"_sum", stage, h.GetSampleSum())
				tell(name+"_count", stage, float64(h.GetSampleCount()))
				continue
			}
			tell(name, stage, m.Counter.GetValue()+m.Gauge.GetValue()+m.Untyped.GetValue()) // exactly one of them is set
		}
	}
	return nil
}
