package main

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/protocol"
)

// TestTokenFileChanges changes a token file, spoils it, and removes it.
func TestTokenFileChanges(t *testing.T) {
	const name, ann, bob = "/tokens", "ann-0123456789abcdef", "bob-0123456789abcdef"
	files, log := vfs.NewMem(), new(bytes.Buffer)
	tokens, err := gateway.ParseTokens(strings.NewReader("ann " + ann + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := &tokenFile{
		read: func() (settings.Value, []byte, error) {
			text, err := vfs.ReadFile(files, name)
			return settings.Value{Text: name}, text, err
		},
		tokens: tokens,
		log:    slog.New(slog.NewTextHandler(log, nil)),
	}
	write := func(text string) {
		t.Helper()
		if err := vfs.Replace(files, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(when string, accepted ...string) {
		t.Helper()
		for _, token := range []string{ann, bob} {
			_, err := tokens.Admit(context.Background(), []string{protocol.BearerPrefix + token})
			if known := strings.Contains(strings.Join(accepted, " "), token); (err == nil) != known {
				t.Errorf("%s: %s: %v", when, token, err)
			}
		}
	}
	write("bob " + bob + "\n")
	f.look(false)
	want("seen once", ann)
	f.look(false)
	want("seen twice", bob)
	write("bob\n")
	for range 4 {
		f.look(false)
	}
	if n := strings.Count(log.String(), "stay"); n != 1 {
		t.Errorf("%d complaints:\n%s", n, log)
	}
	want("spoilt", bob)
	if err := files.Remove(name); err != nil {
		t.Fatal(err)
	}
	f.look(true)
	want("removed", bob)
	write("ann " + ann + "\nbob " + bob + "\n")
	f.look(true)
	want("asked", ann, bob)
	if strings.Contains(log.String(), ann) || strings.Contains(log.String(), bob) {
		t.Errorf("tokens are in the log:\n%s", log)
	}
}
