#include "textflag.h"

// Four bytes to look for, each in all 32 lanes.
#define BROADCAST(imm, y, x) \
	MOVL         $imm, AX \
	MOVQ         AX, x    \
	VPBROADCASTB x, y

// MASK64 packs the sign bits of two registers of 32 bytes into 64 bits at
// offset off of the word. It spoils AX and BX.
#define MASK64(lo, hi, off) \
	VPMOVMSKB lo, AX \
	VPMOVMSKB hi, BX \
	SHLQ      $32, BX \
	ORQ       BX, AX  \
	MOVQ      AX, off(DI)

// func classifyAVX2(dst *word, src *byte, n int)
TEXT ·classifyAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	TESTQ CX, CX
	JZ   done

	BROADCAST(0x22, Y0, X0) // quote
	BROADCAST(0x2c, Y1, X1) // comma
	BROADCAST(0x0a, Y2, X2) // LF
	BROADCAST(0x0d, Y3, X3) // CR

loop:
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5

	VPCMPEQB Y0, Y4, Y6
	VPCMPEQB Y0, Y5, Y7
	MASK64(Y6, Y7, 0)

	VPCMPEQB Y1, Y4, Y6
	VPCMPEQB Y1, Y5, Y7
	MASK64(Y6, Y7, 8)

	VPCMPEQB Y3, Y4, Y8 // CR
	VPCMPEQB Y3, Y5, Y9
	MASK64(Y8, Y9, 24)

	// LF, or CR without an LF behind it.
	VPCMPEQB 1(SI), Y2, Y10
	VPCMPEQB 33(SI), Y2, Y11
	VPANDN   Y8, Y10, Y8
	VPANDN   Y9, Y11, Y9
	VPCMPEQB Y2, Y4, Y6
	VPCMPEQB Y2, Y5, Y7
	VPOR     Y6, Y8, Y6
	VPOR     Y7, Y9, Y7
	MASK64(Y6, Y7, 16)

	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  loop
	VZEROUPPER

done:
	RET
