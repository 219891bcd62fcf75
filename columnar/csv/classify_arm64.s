#include "textflag.h"

// The offsets of the fields of a summary and of a word.
#define sum_inside 0
#define sum_irregular 16
#define sum_newlines 32
#define sum_delimiter 48
#define sum_quote 56
#define sum_quotable 64

#define word_newline 16

// EQUAL compares the 64 bytes in V0 to V3 with the byte that c holds everywhere. NEON makes bytes of
// ones or zeros of a comparison, where a mask needs bits. So of each byte we keep the bit that it has in
// the mask, and add neighbours until eight bytes are in one: four here, into dst, and the rest where two
// masks can share an addition (simdjson, by Langdale and Lemire: "Parsing gigabytes of JSON per
// second", 2019). t0 to t2 are overwritten.
#define EQUAL(c, t0, t1, t2, dst)  \
	VCMEQ c.B16, V0.B16, t0.B16    \
	VCMEQ c.B16, V1.B16, t1.B16    \
	VCMEQ c.B16, V2.B16, t2.B16    \
	VCMEQ c.B16, V3.B16, dst.B16   \
	VAND  V21.B16, t0.B16, t0.B16  \
	VAND  V21.B16, t1.B16, t1.B16  \
	VAND  V21.B16, t2.B16, t2.B16  \
	VAND  V21.B16, dst.B16, dst.B16 \
	VADDP t1.B16, t0.B16, t0.B16   \
	VADDP dst.B16, t2.B16, t2.B16  \
	VADDP t2.B16, t0.B16, dst.B16

// func classifyNEON(dst *word, src *byte, n int, s *summary)
//
// It is classifyPortable with describe, for 64 bytes at a time:
//
//	for each word:
//	    quote, delimiter, lf, cr = where the 64 bytes equal each of these
//	    newline = lf | cr &^ (lf one byte later, of the byte after the word for the last)
//	    end     = delimiter | newline
//	    inside  = prefix XOR of quote, ^ inside at the end of the word before
//	    place the quotes, as summary.place does
//
// The prefix XOR is made of shifts: a multiplication without carries is missing from some processors,
// and would have to wait for two moves between kinds of registers.
//
// R4 is inside, R5 before, R6 and R7 are irregular, R8 is quotable, R9 doubling; R10 collects the
// positions of CRs, and V20 counts newlines.
TEXT ·classifyNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	MOVD s+24(FP), R3
	LDP  sum_inside(R3), (R4, R5)
	LDP  sum_irregular(R3), (R6, R7)
	LDP  sum_quotable(R3), (R8, R9)
	LDP  sum_delimiter(R3), (R11, R12)
	VDUP  R11, V16.B16
	VDUP  R12, V17.B16
	VMOVI $10, V18.B16 // LF
	VMOVI $13, V19.B16 // CR
	VEOR  V20.B16, V20.B16, V20.B16
	MOVD  $0x8040201008040201, R11
	VDUP  R11, V21.D2
	MOVD  ZR, R10

loop:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	MOVBU  (R1), R11
	EQUAL(V18, V4, V5, V6, V7)
	EQUAL(V19, V22, V23, V24, V25)
	VADDP  V25.B16, V7.B16, V7.B16
	VMOV   V7.D[0], R12 // LFs
	VMOV   V7.D[1], R13 // CRs
	EQUAL(V17, V4, V5, V6, V7)
	EQUAL(V16, V22, V23, V24, V25)
	VADDP  V25.B16, V7.B16, V7.B16
	VMOV   V7.D[0], R14 // quotes
	VMOV   V7.D[1], R15 // delimiters

	// R12: newlines.
	CMP  $10, R11
	CSET EQ, R11
	EXTR $1, R12, R11, R11
	BIC  R11, R13, R11
	ORR  R11, R12
	ORR  R13, R10
	VMOV    R12, V4.D[0]
	VCNT    V4.B8, V4.B8
	VUADDLV V4.B8, V4
	VADD    V4, V20

	AND R8, R14
	ORR R12, R15 // ends
	STP.P (R14, R15), word_newline(R0)

	// R4: inside. R13: the same as a carry, into R4 once the word is done.
	EOR R14<<1, R14, R11
	EOR R11<<2, R11
	EOR R11<<4, R11
	EOR R11<<8, R11
	EOR R11<<16, R11
	EOR R11<<32, R11
	EOR R11, R4
	STP.P (R12, R4), word_newline(R0)

	// R15: what may stand before an opening quote. R11: quotes that may not stand where they are.
	AND R9, R14, R11
	ORR R11, R15
	ORR R15<<1, R5, R11
	BIC R11, R14, R11
	AND R4, R11, R12
	ORR R12, R6
	BIC R4, R11, R12
	ORR R12, R7
	LSR $63, R15, R5
	ASR $63, R4

	SUB  $1, R2
	CBNZ R2, loop

	STP  (R4, R5), sum_inside(R3)
	STP  (R6, R7), sum_irregular(R3)
	LDP  sum_newlines(R3), (R11, R12)
	VMOV V20.D[0], R13
	ADD  R13, R11
	ORR  R10, R12
	STP  (R11, R12), sum_newlines(R3)
	RET
