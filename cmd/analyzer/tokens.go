package main

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/monitor"
)

// serverTokens reads the accepted tokens. Without tokens it returns nil: everybody on this
// machine may call, and nobody else.
func (p daemon) serverTokens() (*gateway.Tokens, error) {
	file, text, err := p.fileOf(flagTokenFile)
	if err != nil {
		return nil, err
	}
	if text == nil {
		listen, _ := p.settings.One(flagListen)
		host, _, err := net.SplitHostPort(listen.Text)
		if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && !ip.IsLoopback()) {
			return nil, listen.Wrong("without --%s only this machine may call: listen on 127.0.0.1", flagTokenFile)
		}
		return nil, nil
	}
	return parseTokens(file, text)
}

func parseTokens(file settings.Value, text []byte) (*gateway.Tokens, error) {
	tokens, err := gateway.ParseTokens(bytes.NewReader(text))
	if err != nil {
		return nil, file.Wrong("%s: %w", file.Text, err)
	}
	return tokens, nil
}

// openTokens is serverTokens, and keeps to the file until stop is called.
func (p daemon) openTokens(log *slog.Logger) (tokens *gateway.Tokens, stop func(), err error) {
	if tokens, err = p.serverTokens(); tokens == nil || err != nil {
		return nil, func() {}, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var following sync.WaitGroup
	following.Go(func() { p.followTokens(ctx, tokens, log) })
	return tokens, func() { cancel(); following.Wait() }, nil
}

// doorOf lets in whom a gateway with these tokens would let in.
func doorOf(tokens *gateway.Tokens) monitor.Door {
	if tokens == nil {
		return monitor.Door{}
	}
	return monitor.Door{Admit: tokens.Admit, Owner: gateway.OwnerOf}
}

// tokenFlag is of every process that serves; more is said of the flag in its help.
func tokenFlag(more string) cli.Flag {
	return settings.Plain(flagTokenFile, "accept only clients with a token of `FILE`: lines of a name, a token of 16 characters or more, and the places below which it may have files read, none for all sources"+more, "all clients on this machine, and no others")
}

// tokensEvery is how often the token file is looked at.
const tokensEvery = 5 * time.Second

// tokenFile is a token file that may change while a gateway runs.
type tokenFile struct {
	read   func() (settings.Value, []byte, error)
	tokens *gateway.Tokens
	log    *slog.Logger
	seen   []byte // at the last look
	taken  []byte // what tokens were made of last
	said   string // the last complaint
}

// followTokens keeps to the token file until the context ends: tokens that it no longer has are
// not accepted any more, at once after SIGHUP, and otherwise within two looks.
func (p daemon) followTokens(ctx context.Context, tokens *gateway.Tokens, log *slog.Logger) {
	read := func() (settings.Value, []byte, error) { return p.fileOf(flagTokenFile) }
	f := &tokenFile{read: read, tokens: tokens, log: log}
	signal.Ignore(syscall.SIGHUP) // until now it ended the process
	hangUps := make(chan os.Signal, 1)
	signal.Notify(hangUps, syscall.SIGHUP)
	defer signal.Stop(hangUps)
	looks := time.NewTicker(tokensEvery)
	defer looks.Stop()
	for {
		asked := false
		select {
		case <-ctx.Done():
			return
		case <-hangUps:
			asked = true
		case <-looks.C:
		}
		f.look(asked)
	}
}

// look reads the file. Unless somebody has asked, it waits for the second look that finds the
// same, since the file may be half written. What cannot be read changes nothing.
func (f *tokenFile) look(asked bool) {
	file, text, err := f.read()
	if err == nil && !asked && (bytes.Equal(text, f.taken) || !bytes.Equal(text, f.seen)) {
		f.seen = text
		return
	}
	var tokens *gateway.Tokens
	if err == nil {
		tokens, err = parseTokens(file, text)
	}
	if err != nil {
		if why := err.Error(); why != f.said || asked {
			f.said = why
			f.log.Warn("the token file cannot be used; the tokens of before stay", "error", err)
		}
		return
	}
	f.seen, f.taken, f.said = text, text, ""
	if added, taken := f.tokens.Replace(tokens); asked || added+taken > 0 {
		f.log.Info("the token file was read again", "added", added, "taken", taken)
	}
}
