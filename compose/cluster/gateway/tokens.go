package gateway

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"analyzer/compose/cluster/protocol"
)

// Tokens are the tokens of clients, each with the client's name. It is read only.
type Tokens struct {
	// Tokens are known by their hashes, so that the time a look-up takes says
	// nothing of how much of a token was guessed.
	owners map[[sha256.Size]byte]string
}

const (
	minToken = 16
	maxToken = 1 << 10
)

// ParseTokens reads lines of a name and a token, with white space between. Empty
// lines and those that begin with # are passed over. A name may have several
// tokens, a token one name. Errors say which line is wrong, and never what the
// token is.
func ParseTokens(r io.Reader) (*Tokens, error) {
	t := &Tokens{owners: make(map[[sha256.Size]byte]string)}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := t.add(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("tokens: line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	if len(t.owners) == 0 {
		return nil, errors.New("tokens: there are none, so nobody could call")
	}
	return t, nil
}

func (t *Tokens) add(fields []string) error {
	if len(fields) != 2 {
		return fmt.Errorf("%d words; a line is a name and a token", len(fields))
	}
	name, token := fields[0], fields[1]
	if !isClientName(name) || name == protocol.Anyone {
		return fmt.Errorf("%q cannot be a client's name", name)
	}
	if len(token) < minToken || len(token) > maxToken {
		return fmt.Errorf("a token of %d characters; %d to %d are possible", len(token), minToken, maxToken)
	}
	key := sha256.Sum256([]byte(token))
	if other, ok := t.owners[key]; ok && other != name {
		return fmt.Errorf("%s and %s have the same token", other, name)
	}
	t.owners[key] = name
	return nil
}

// isClientName reports whether a name can stand in logs and lists as it is.
func isClientName(name string) bool {
	const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	return len(name) <= 64 && strings.Trim(name, alphanumeric+"._-") == "" &&
		strings.IndexAny(name, alphanumeric) == 0
}

// owner returns whose token it is.
func (t *Tokens) owner(token string) (name string, ok bool) {
	name, ok = t.owners[sha256.Sum256([]byte(token))]
	return name, ok
}
