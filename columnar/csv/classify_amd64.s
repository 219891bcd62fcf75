#include "textflag.h"

// BROADCAST copies a byte into all lanes of y. x is the low part of y.
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

// The offsets of the fields of a summary and of a word.
#define sum_inside 0
#define sum_before 8
#define sum_irregular0 16
#define sum_irregular1 24
#define sum_newlines 32
#define sum_cr 40
#define sum_delimiter 48
#define sum_quote 56
#define sum_quotable 64
#define sum_doubling 72

#define word_quote 0
#define word_end 8
#define word_newline 16
#define word_inside 24

// LOAD loads the summary into registers, and all ones, the multiplier for a prefix XOR,
// into X12. STORE stores the summary, and cr, which is not 0 if there was a CR.
//
// R8 is inside, R9 before, R10 quotable, R11 doubling, R12 and R13 are irregular, DX counts the
// newlines.
#define LOAD \
	MOVQ     s+24(FP), AX            \
	MOVQ     sum_inside(AX), R8      \
	MOVQ     sum_before(AX), R9      \
	MOVQ     sum_quotable(AX), R10   \
	MOVQ     sum_doubling(AX), R11   \
	MOVQ     sum_irregular0(AX), R12 \
	MOVQ     sum_irregular1(AX), R13 \
	XORL     DX, DX                  \
	VPCMPEQB X12, X12, X12

#define STORE(cr) \
	MOVQ  s+24(FP), AX            \
	ORQ   cr, sum_cr(AX)          \
	MOVQ  R8, sum_inside(AX)      \
	MOVQ  R9, sum_before(AX)      \
	MOVQ  R12, sum_irregular0(AX) \
	MOVQ  R13, sum_irregular1(AX) \
	ADDQ  DX, sum_newlines(AX)

// NEWLINES stores and counts the newlines of a word, given in R14.
#define NEWLINES \
	MOVQ    R14, word_newline(DI) \
	POPCNTQ R14, R14              \
	ADDQ    R14, DX

// ADD stores the rest of a word and adds it to the summary. AX is the mask of its quotes,
// BX of its delimiters.
//
// There is no branch for words without quotes: in text, words with and without quotes
// alternate in a way that branch predictors cannot predict.
#define ADD \
	ANDQ R10, AX               \
	MOVQ AX, word_quote(DI)    \
	ORQ  word_newline(DI), BX  \
	MOVQ BX, word_end(DI)      \
	\ // R15: what may stand before an opening quote.
	MOVQ AX, R15  \
	ANDQ R11, R15 \
	ORQ  BX, R15  \
	\ // R14: inside, R8: the same as a carry.
	VMOVQ      AX, X10              \
	VPCLMULQDQ $0, X12, X10, X10    \
	VMOVQ      X10, R14             \
	XORQ       R8, R14              \
	MOVQ       R14, word_inside(DI) \
	MOVQ       R14, R8              \
	SARQ       $63, R8              \
	\ // R14: quotes that open if the block begins outside, AX: those that close.
	ANDQ AX, R14 \
	XORQ R14, AX \
	\ // Opening quotes where none may; BX is where one may.
	LEAQ  (R9)(R15*2), BX \
	ANDNQ R14, BX, R9     \
	ORQ   R9, R12         \
	ANDNQ AX, BX, R9      \
	ORQ   R9, R13         \
	\
	MOVQ R15, R9  \
	SHRQ $63, R9  \
	ADDQ $64, SI  \
	ADDQ $32, DI

// func classifyAVX2(dst *word, src *byte, n int, s *summary)
//
// classifyPortable does the same in Go.
//
// Y13 collects the positions of CRs.
TEXT ·classifyAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), AX
	VPBROADCASTB sum_quote(AX), Y0
	VPBROADCASTB sum_delimiter(AX), Y1
	BROADCAST(0x0a, Y2, X2)  // LF
	BROADCAST(0x0d, Y3, X3)  // CR
	VPXOR Y13, Y13, Y13
	LOAD

loop:
	VMOVDQU (SI), Y4
	VMOVDQU 32(SI), Y5

	// LFs, and CRs without an LF after them.
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
	MASK(Y6, Y7, R14, AX)
	NEWLINES

	VPCMPEQB Y0, Y4, Y6
	VPCMPEQB Y0, Y5, Y7
	MASK(Y6, Y7, AX, R14)
	VPCMPEQB Y1, Y4, Y6
	VPCMPEQB Y1, Y5, Y7
	MASK(Y6, Y7, BX, R14)
	ADD

	DECQ CX
	JNZ  loop

	VPMOVMSKB Y13, CX
	STORE(CX)
	VZEROUPPER
	RET

// func classifyAVX512(dst *word, src *byte, n int, s *summary)
//
// classifyPortable does the same in Go.
//
// K7 collects the positions of CRs.
TEXT ·classifyAVX512(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), AX
	VPBROADCASTB sum_quote(AX), Z0
	VPBROADCASTB sum_delimiter(AX), Z1
	BROADCAST(0x0a, Z2, X2)  // LF
	BROADCAST(0x0d, Z3, X3)  // CR
	KXORQ K7, K7, K7
	LOAD

loop:
	VMOVDQU64 (SI), Z4
	VPCMPEQB  Z3, Z4, K4
	KORQ      K4, K7, K7
	VPCMPEQB  1(SI), Z2, K5
	KANDNQ    K4, K5, K5
	VPCMPEQB  Z2, Z4, K3
	KORQ      K3, K5, K5
	KMOVQ     K5, R14
	NEWLINES

	VPCMPEQB Z0, Z4, K1
	KMOVQ    K1, AX
	VPCMPEQB Z1, Z4, K2
	KMOVQ    K2, BX
	ADD

	DECQ CX
	JNZ  loop

	KMOVQ K7, CX
	STORE(CX)
	VZEROUPPER
	RET
