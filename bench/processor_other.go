//go:build !linux

package bench

import (
	"cmp"
	"os"
	"runtime"
)

// processor returns Windows' name for the processor, or else its architecture.
func processor() string { return cmp.Or(os.Getenv("PROCESSOR_IDENTIFIER"), runtime.GOARCH) }
