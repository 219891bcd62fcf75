#include "textflag.h"

#define word_end 8
#define word_inside 24

// EXTRACT2 writes the positions of the two highest set bits of R11 and clears the bits. Where no bit is
// set, it writes an arbitrary value.
#define EXTRACT2(off) \
	CLZ  R11, R16      \
	LSR  R16, R10, R17 \
	BIC  R17, R11      \
	ADD  R12, R16      \
	CLZ  R11, R17      \
	LSR  R17, R10, R19 \
	BIC  R19, R11      \
	ADD  R12, R17      \
	STPW (R16, R17), off(R0)

// func extractNEON(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)
//
// It is extractPortable, with the same two loops as extractBMI, which depend less on branches that
// cannot be predicted. NEON counts bits; to look for them it has nothing that would be faster than one
// at a time, from the highest in the reversed word, with stores of two.
//
//	for each word:
//	    newlines += bits of newline outside quotes
//	    list (ends outside quotes, position of the first byte); keep the entry if there are ends
//	for each entry of the list:
//	    write eight positions, and four more as long as there are some
//	    go on behind as many as there were
//
// The list lies on the stack, which has room for 64 words; n may be more. R4 is the position of a word, R7
// how many are listed next, R10 the highest bit, R14 the end of the list, V1 counts newlines.
TEXT ·extractNEON(SB), 0, $1024-56
	MOVD dst+0(FP), R0
	MOVD words+8(FP), R1
	MOVD n+16(FP), R2
	MOVD flip+24(FP), R3
	MOVW base+32(FP), R4
	MOVD R0, R5
	MOVD $(1<<63), R10
	VEOR V1.B16, V1.B16, V1.B16

chunk:
	MOVD $64, R7
	CMP  R7, R2
	CSEL LT, R2, R7, R7
	SUB  R7, R2
	MOVD $list-1024(SP), R14

list:
	LDP     word_end(R1), (R11, R12)
	MOVD    word_inside(R1), R13
	ADD     $32, R1
	EOR     R3, R13
	BIC     R13, R11
	BIC     R13, R12
	VMOV    R12, V0.D[0]
	VCNT    V0.B8, V0.B8
	VUADDLV V0.B8, V0
	VADD    V0, V1
	STP     (R11, R4), (R14)
	CMP     $0, R11
	CSET    NE, R12
	ADD     R12<<4, R14
	ADD     $64, R4
	SUB     $1, R7
	CBNZ    R7, list
	MOVD    $list-1024(SP), R6
	CMP     R6, R14
	BEQ     next

	// R13 is where the positions of the next entry go.
take:
	LDP.P   16(R6), (R11, R12)
	VMOV    R11, V0.D[0]
	VCNT    V0.B8, V0.B8
	VUADDLV V0.B8, V0
	VMOV    V0.D[0], R13
	ADD     R13<<2, R0, R13
	RBIT    R11, R11
	EXTRACT2(0)
	EXTRACT2(8)
	EXTRACT2(16)
	EXTRACT2(24)
	CBZ     R11, taken

four:
	EXTRACT2(32)
	EXTRACT2(40)
	ADD  $16, R0
	CBNZ R11, four

taken:
	MOVD R13, R0
	CMP  R6, R14
	BNE  take

next:
	CBNZ R2, chunk
	SUB  R5, R0
	LSR  $2, R0
	MOVD R0, ends+40(FP)
	VMOV V1.D[0], R1
	MOVD R1, newlines+48(FP)
	RET
