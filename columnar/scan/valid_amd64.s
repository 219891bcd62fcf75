#include "textflag.h"

// The tables of Keiser and Lemire, "Validating UTF-8 in less than one instruction per
// byte" (2020). Each bit represents one kind of error in two consecutive bytes. It is set in
// an entry if the nibble is compatible with that error.

// By the high nibble of the first byte.
DATA ·firstHigh<>+0(SB)/8, $0x0202020202020202
DATA ·firstHigh<>+8(SB)/8, $0x4915012180808080
GLOBL ·firstHigh<>(SB), RODATA|NOPTR, $16

// By the low nibble of the first byte.
DATA ·firstLow<>+0(SB)/8, $0xcbcbcb8b8383a3e7
DATA ·firstLow<>+8(SB)/8, $0xcbcbdbcbcbcbcbcb
GLOBL ·firstLow<>(SB), RODATA|NOPTR, $16

// By the high nibble of the second byte.
DATA ·secondHigh<>+0(SB)/8, $0x0101010101010101
DATA ·secondHigh<>+8(SB)/8, $0x01010101babaaee6
GLOBL ·secondHigh<>(SB), RODATA|NOPTR, $16

// The maximum of each of the last bytes of a register if no sequence is open at its end.
DATA ·closed<>+0(SB)/8, $0xffffffffffffffff
DATA ·closed<>+8(SB)/8, $0xffffffffffffffff
DATA ·closed<>+16(SB)/8, $0xffffffffffffffff
DATA ·closed<>+24(SB)/8, $0xbfdfefffffffffff
GLOBL ·closed<>(SB), RODATA|NOPTR, $32

#define BROADCAST(imm, y, x) \
	MOVL         $imm, AX \
	VMOVQ        AX, x    \
	VPBROADCASTB x, y

// CHECK adds to Y15 the errors of the 32 bytes of in, which follow those of prev.
#define CHECK(in, prev) \
	VPERM2I128 $0x21, in, prev, Y4 \
	VPALIGNR   $15, Y4, in, Y5     \
	VPSRLW     $4, Y5, Y6          \
	VPAND      Y11, Y6, Y6         \
	VPSHUFB    Y6, Y8, Y6          \
	VPAND      Y11, Y5, Y5         \
	VPSHUFB    Y5, Y9, Y5          \
	VPAND      Y5, Y6, Y6          \
	VPSRLW     $4, in, Y5          \
	VPAND      Y11, Y5, Y5         \
	VPSHUFB    Y5, Y10, Y5         \
	VPAND      Y5, Y6, Y6          \
	VPALIGNR   $14, Y4, in, Y5     \
	VPSUBUSB   Y12, Y5, Y5         \
	VPALIGNR   $13, Y4, in, Y7     \
	VPSUBUSB   Y13, Y7, Y7         \
	VPOR       Y5, Y7, Y5          \
	VPAND      Y14, Y5, Y5         \
	VPXOR      Y5, Y6, Y6          \
	VPOR       Y6, Y15, Y15

// func validSteps(p *byte, n int) bool
//
// utf8.Valid does the same in Go, for a whole text.
//
// Y1 holds the previous 32 bytes. Y0 is not zero if they end within a sequence.
TEXT ·validSteps(SB), NOSPLIT, $0-17
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX

	VBROADCASTI128 ·firstHigh<>(SB), Y8
	VBROADCASTI128 ·firstLow<>(SB), Y9
	VBROADCASTI128 ·secondHigh<>(SB), Y10
	BROADCAST(0x0f, Y11, X11)
	BROADCAST(0x60, Y12, X12) // from this, 0xe0 and more have the top bit
	BROADCAST(0x70, Y13, X13) // likewise 0xf0
	BROADCAST(0x80, Y14, X14)
	VPXOR Y15, Y15, Y15
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

loop:
	VMOVDQU   (SI), Y2
	VMOVDQU   32(SI), Y3
	VPOR      Y2, Y3, Y4
	VPMOVMSKB Y4, AX
	TESTL     AX, AX
	JNZ       check
	VPOR      Y0, Y15, Y15
	VPXOR     Y0, Y0, Y0
	VMOVDQA   Y3, Y1
	ADDQ      $64, SI
	SUBQ      $64, CX
	JNZ       loop
	JMP       done

check:
	CHECK(Y2, Y1)
	CHECK(Y3, Y2)
	VMOVDQA  Y3, Y1
	VMOVDQU  ·closed<>(SB), Y4
	VPSUBUSB Y4, Y3, Y0
	ADDQ     $64, SI
	SUBQ     $64, CX
	JNZ      loop

done:
	VPTEST Y15, Y15
	SETEQ  ret+16(FP)
	VZEROUPPER
	RET
