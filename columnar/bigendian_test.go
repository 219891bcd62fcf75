package columnar

import (
	"go/build"
	"testing"
)

func TestBigEndianIsRefused(t *testing.T) {
	for arch, refused := range map[string]bool{
		"s390x": true, "ppc64": true, "mips": true, "mips64": true,
		"amd64": false, "arm64": false, "riscv64": false, "ppc64le": false, "loong64": false,
	} {
		c := build.Default
		c.GOARCH = arch
		built, err := c.MatchFile(".", "bigendian.go")
		if err != nil {
			t.Fatal(err)
		}
		if built != refused {
			t.Errorf("on %s the file that does not compile is built: %v", arch, built)
		}
	}
}
