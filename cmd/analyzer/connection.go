package main

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/fault"
)

// Names of flags that messages mention.
const (
	flagGateway   = "gateway"
	flagTokenFile = "token-file"
	flagTLSCA     = "tls-ca"
	flagPatience  = "patience"
	flagAt        = "at"
)

// connection holds the flags about how to reach a cluster.
type connection struct {
	gateways []string
	token    string
	tls      bool
	patience time.Duration // 0: the default
	block    int64         // bytes of a table per batch
	at       string        // where gateways read the files; "": they are read here
}

// connectionFlags are the flags of every command that talks to a cluster.
func (c *connection) connectionFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{c.gatewayFlag("talk to the gateways `ADDRS`", usualGateway)}, c.accessFlags(), []cli.Flag{settings.ConfigFlag()})
}

func (c *connection) atFlag() cli.Flag {
	return settings.Text(&c.at, flagAt, "have the gateways read the files, below `PLACE`: a directory of theirs, or such as s3://bucket/prefix", "read here")
}

func (c *connection) gatewayFlag(what, usual string) cli.Flag {
	return settings.List(&c.gateways, flagGateway, what+", host:port,host:port", usual)
}

// accessFlags are the flags about how to reach the named gateways.
func (c *connection) accessFlags() []cli.Flag {
	return []cli.Flag{
		settings.Text(&c.token, "token", "authenticate with `TOKEN`; set ANALYZER_TOKEN instead to keep it out of the list of processes", ""),
		settings.Plain(flagTokenFile, "authenticate with the first token of `FILE`", ""),
		settings.Switch(&c.tls, "tls", "encrypt, and require a certificate that this machine trusts"),
		settings.Plain(flagTLSCA, "encrypt, and trust the authorities in the PEM `FILE`", ""),
		settings.Into(&c.patience, settings.Time, flagPatience, "give up when the cluster has not answered for `TIME`; an upload waits for a broker without room", client.DefaultPatience.String()+", or 3s if none was reached before"),
	}
}

// connect returns a client of the cluster that the flags name; otherwise lists the gateways
// to use if they name none. The caller closes the client.
func (p *program) connect(otherwise ...string) (*client.Client, error) {
	cfg := client.Config{Patience: p.patience, Notice: func(text string) { p.notef("analyzer: %s", text) }}
	var err error
	if cfg.Gateways, err = p.gatewaysOr(otherwise...); err != nil {
		return nil, err
	}
	if cfg.Token, err = p.clientToken(); err != nil {
		return nil, err
	}
	if cfg.TLS, err = p.clientTLS(); err != nil {
		return nil, err
	}
	return client.New(cfg)
}

// gatewaysOr returns the gateways to talk to, each with a port.
func (p *program) gatewaysOr(otherwise ...string) (out []string, err error) {
	given := p.gateways
	if len(given) == 0 {
		given = otherwise
	}
	if len(given) == 0 {
		given = []string{usualGateway}
	}
	for _, text := range given {
		address, err := parseAddress(text)
		if err != nil {
			return nil, p.settings.Wrong(flagGateway, "%w", err)
		}
		out = append(out, address)
	}
	return out, nil
}

// parseAddress reads host:port, or a host alone, which gets the usual port.
func parseAddress(text string) (string, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host = strings.Trim(text, "[]")
		_, port, _ = net.SplitHostPort(usualGateway)
	}
	n, err := net.LookupPort("tcp", port)
	if err != nil || n == 0 || strings.Contains(host, "/") || strings.Contains(host, ":") && net.ParseIP(host) == nil {
		return "", fmt.Errorf("%q is not an address: expected host:port, or a host alone", text)
	}
	return net.JoinHostPort(host, port), nil
}

// clientToken returns the token of this client; "": none.
func (p *program) clientToken() (string, error) {
	if p.token != "" {
		return p.token, nil
	}
	file, text, err := p.fileOf(flagTokenFile)
	if text == nil {
		return "", err
	}
	token := firstToken(string(text))
	if token == "" {
		return "", file.Wrong("there is no token in %s", file.Text)
	}
	return token, nil
}

// firstToken returns the last word of the first line that is not a comment: the file holds a
// single token, or lines “name token” as a gateway's token file does.
func firstToken(text string) string {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			return words[len(words)-1]
		}
	}
	return ""
}

// clientTLS returns the encryption settings; nil: no encryption.
func (p *program) clientTLS() (*tls.Config, error) {
	file, text, err := p.fileOf(flagTLSCA)
	if err != nil || text == nil && !p.tls {
		return nil, err
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if text == nil {
		return cfg, nil
	}
	cfg.RootCAs = x509.NewCertPool()
	if !cfg.RootCAs.AppendCertsFromPEM(text) {
		return nil, file.Wrong("there is no certificate in %s", file.Text)
	}
	return cfg, nil
}

// clusterFailure adds a hint to an error of a cluster that refused something or cannot be
// reached. Other errors stay as they are.
func clusterFailure(err error) error {
	var refused *client.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, client.ErrStuck):
		return fault.Failure("Next: look after its workers and its broker, as with analyzer cluster status, and try again.", err)
	case errors.Is(err, client.ErrCutOff):
		return fault.Failure("Next: check --gateway, --tls, and that the cluster runs.", err)
	case errors.Is(err, client.ErrLost), errors.Is(err, client.ErrWithinQuotes):
		return fault.Failure("Next: submit the job again.", err)
	case !errors.As(err, &refused):
		return err
	}
	return fault.Failure(refusalHint(protocol.CodeOf(refused)), err)
}

func refusalHint(code protocol.Code) string {
	const another = "Next: do what the message says, or submit it again."
	const jobs = "Next: analyzer jobs lists your jobs."
	return cmp.Or(map[protocol.Code]string{
		protocol.NoToken: "Next: show a token with --token-file FILE or ANALYZER_TOKEN.",
		protocol.NoJob:   jobs, protocol.NotOwner: jobs,
		protocol.JobEnded: another, protocol.JobFailed: another,
		protocol.TooMany:      "Next: analyzer jobs list, and analyzer jobs cancel JOB for those that are not needed.",
		protocol.LittleMemory: "Next: start the workers with a larger --memory, or leave queries out with --query.",
		protocol.TooLarge:     "Next: submit it again with a smaller --block-size; a single row that is too large is for run alone.",
	}[code], "Next: do what the message says, or report it.")
}
