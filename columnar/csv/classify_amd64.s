#include "textflag.h"

// BROADCAST puts a byte into all 32 lanes of y, of which x is the low half.
#define BROADCAST(imm, y, x) \
	MOVL         $imm, AX \
	VMOVQ        AX, x    \
	VPBROADCASTB x, y

// MASK packs the sign bits of two registers of 32 bytes into the 64 bits of dst.
#define MASK(lo, hi, dst, tmp) \
	VPMOVMSKB lo, dst  \
	VPMOVMSKB hi, tmp  \
	SHLQ      $32, tmp \
	ORQ       tmp, dst

// Where the fields of a summary and of a word are.
#define sum_inside 0
#define sum_before 8
#define sum_pending0 16
#define sum_pending1 24
#define sum_irregular0 32
#define sum_irregular1 40
#define sum_newlines 48
#define sum_quote 56
#define sum_cr 64

#define word_quote 0
#define word_end 8
#define word_newline 16
#define word_inside 24

// func classifyAVX2(dst *word, src *byte, n int, s *summary)
//
// Whether a word has quotes at all is not asked: in text, words with and without
// take turns in a way that no branch predictor likes.
//
// R8 to R13 and DX hold the summary: inside, before, pending, irregular and
// newlines; Y13 and Y14 gather where CRs and quotes are.
TEXT ·classifyAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), AX

	MOVQ sum_inside(AX), R8
	MOVQ sum_before(AX), R9
	MOVQ sum_pending0(AX), R10
	MOVQ sum_pending1(AX), R11
	MOVQ sum_irregular0(AX), R12
	MOVQ sum_irregular1(AX), R13
	XORL DX, DX

	BROADCAST(0x22, Y0, X0)  // quote
	BROADCAST(0x2c, Y1, X1)  // comma
	BROADCAST(0x0a, Y2, X2)  // LF
	BROADCAST(0x0d, Y3, X3)  // CR
	VPCMPEQB X12, X12, X12   // all bits set
	VPXOR    Y13, Y13, Y13
	VPXOR    Y14, Y14, Y14

loop:
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5

	// AX: quotes.
	VPCMPEQB Y0, Y4, Y6
	VPCMPEQB Y0, Y5, Y7
	MASK(Y6, Y7, AX, R15)
	MOVQ     AX, word_quote(DI)

	// R14: line ends, which are LFs, and CRs without an LF behind them.
	VPCMPEQB Y3, Y4, Y8
	VPCMPEQB Y3, Y5, Y9
	VPOR     Y8, Y13, Y13
	VPOR     Y9, Y13, Y13
	VPCMPEQB 1(SI), Y2, Y10
	VPCMPEQB 33(SI), Y2, Y11
	VPANDN   Y8, Y10, Y10
	VPANDN   Y9, Y11, Y11
	VPCMPEQB Y2, Y4, Y6
	VPCMPEQB Y2, Y5, Y7
	VPOR     Y6, Y10, Y6
	VPOR     Y7, Y11, Y7
	MASK(Y6, Y7, R14, R15)
	MOVQ     R14, word_newline(DI)
	POPCNTQ  R14, R15
	ADDQ     R15, DX

	// BX: ends.
	VPCMPEQB Y1, Y4, Y6
	VPCMPEQB Y1, Y5, Y7
	MASK(Y6, Y7, BX, R15)
	ORQ      R14, BX
	MOVQ     BX, word_end(DI)

	// R15: what may follow a closing quote.
	MASK(Y8, Y9, R15, R14)
	ORQ  AX, R15
	ORQ  BX, R15

	// R14: inside, R8: the same as a carry.
	VMOVQ      AX, X10
	VPOR       X10, X14, X14
	VPCLMULQDQ $0, X12, X10, X10
	VMOVQ      X10, R14
	XORQ       R8, R14
	MOVQ       R14, word_inside(DI)
	MOVQ       R14, R8
	SARQ       $63, R8

	// R14: quotes that open if the block begins outside, AX: those that close.
	ANDQ AX, R14
	XORQ R14, AX

	// Opening quotes where none may: BX is where one may.
	LEAQ  (R9)(R15*2), BX
	ANDNQ R14, BX, R9
	ORQ   R9, R12
	ANDNQ AX, BX, R9
	ORQ   R9, R13

	// Closing quotes with something behind them.
	LEAQ  (R10)(AX*2), BX
	ANDNQ BX, R15, BX
	ORQ   BX, R12
	LEAQ  (R11)(R14*2), BX
	ANDNQ BX, R15, BX
	ORQ   BX, R13

	SHRQ $63, AX
	MOVQ AX, R10
	SHRQ $63, R14
	MOVQ R14, R11

	MOVQ R15, R9
	SHRQ $63, R9
	ADDQ $64, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  loop

	MOVQ      s+24(FP), AX
	MOVQ      R8, sum_inside(AX)
	MOVQ      R9, sum_before(AX)
	MOVQ      R10, sum_pending0(AX)
	MOVQ      R11, sum_pending1(AX)
	MOVQ      R12, sum_irregular0(AX)
	MOVQ      R13, sum_irregular1(AX)
	ADDQ      DX, sum_newlines(AX)
	VMOVQ     X14, R8
	ORQ       R8, sum_quote(AX)
	VPMOVMSKB Y13, R8
	ORQ       R8, sum_cr(AX)
	VZEROUPPER
	RET
