#include "textflag.h"

#define BROADCAST(imm, y, x) \
	MOVL         $imm, AX \
	VMOVQ        AX, x    \
	VPBROADCASTB x, y

// MARK sets a bit of dst for each of the 32 bytes of in that is a quote, a backslash, or less than a space.
#define MARK(in, dst) \
	VPCMPEQB  Y8, in, Y2  \
	VPCMPEQB  Y9, in, Y3  \
	VPMINUB   Y10, in, Y4 \
	VPCMPEQB  Y4, in, Y4  \
	VPOR      Y2, Y3, Y2  \
	VPOR      Y4, Y2, Y2  \
	VPMOVMSKB Y2, dst

// func markAVX2(words *uint64, data *byte, n int)
//
// markPortable is the same in Go.
TEXT ·markAVX2(SB), NOSPLIT, $0-24
	MOVQ words+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ n+16(FP), CX
	BROADCAST(0x22, Y8, X8)
	BROADCAST(0x5c, Y9, X9)
	BROADCAST(0x1f, Y10, X10)

loop:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	MARK(Y0, AX)
	MARK(Y1, BX)
	SHLQ    $32, BX
	ORQ     BX, AX
	MOVQ    AX, (DI)
	ADDQ    $64, SI
	ADDQ    $8, DI
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET
