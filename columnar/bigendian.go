//go:build armbe || arm64be || m68k || mips || mips64 || mips64p32 || ppc || ppc64 || s390 || s390x || shbe || sparc || sparc64

package columnar

// Values lie in memory as in files and in messages, with their lowest byte first.
const _ = analyzer_does_not_run_on_machines_whose_highest_byte_comes_first
