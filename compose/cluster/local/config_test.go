package local

import (
	"net"
	"slices"
	"testing"

	"analyzer/process"
)

// Pages of gateways are at the first free ports behind the gateways', and at those that are named.
func TestWherePagesAre(t *testing.T) {
	var others process.PortClaims
	defer others.Close()
	first := freeRun(t, 7)
	cfg := Config{
		Gateways: 2, Listen: process.Address(first), // and first+1
		Supervisors: 1, Status: process.Address(first + 2),
	}
	if !others.Take(first + 4) {
		t.Fatalf("port %d is taken", first+4)
	}
	if pages := claimedPages(t, cfg); !slices.Equal(pages, []string{process.Address(first + 3), process.Address(first + 5)}) {
		t.Errorf("pages are at %v, behind %s", pages, cfg.Listen)
	}
	cfg.PagePort = first + 5
	if err := cfg.FreePages(); err != nil {
		t.Error(err)
	}
	if pages := claimedPages(t, cfg); !slices.Equal(pages, []string{process.Address(first + 5), process.Address(first + 6)}) {
		t.Errorf("pages are at %v, chosen was %d", pages, cfg.PagePort)
	}
	l, err := net.Listen("tcp", process.Address(first+6))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, port := range []int{first + 5, first + 1, first - 1, first + 2, 1<<16 - 1} {
		cfg.PagePort = port
		if err := cfg.FreePages(); err == nil {
			t.Errorf("pages are at %d and the port behind it, which is taken", port)
		}
	}
}

// freeRun returns the first of n ports, one behind the other, that nobody has claimed.
func freeRun(t *testing.T, n int) int {
	t.Helper()
	for range 100 {
		var claims process.PortClaims
		ports, err := claims.Claim(1)
		if err != nil {
			t.Fatal(err)
		}
		i := 1
		for i < n && claims.Take(ports[0]+i) {
			i++
		}
		_ = claims.Close() // the sockets sent nothing
		if i == n {
			return ports[0]
		}
	}
	t.Fatalf("there are no %d free ports in a row", n)
	return 0
}

func claimedPages(t *testing.T, cfg Config) []string {
	t.Helper()
	var claims process.PortClaims
	defer claims.Close()
	pages, err := cfg.claimPages(&claims)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
