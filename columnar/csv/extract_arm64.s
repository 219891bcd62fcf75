#include "textflag.h"

// Instructions that the assembler does not know, for the numbers of registers. ST4 writes one element of
// each of four registers, t to t+3, to base; ST4P then adds register by, or 16 if that is 31, to base.
#define CLZ_S4(n, d)        WORD $(0x6EA04800 | n<<5 | d)            // CLZ Vd.4S, Vn.4S
#define ST4_0(t, base)      WORD $(0x0D20A000 | base<<5 | t)         // ST4 {Vt.S-V(t+3).S}[0], [base]
#define ST4_1(t, base)      WORD $(0x0D20B000 | base<<5 | t)
#define ST4_2(t, base)      WORD $(0x4D20A000 | base<<5 | t)
#define ST4_3(t, base)      WORD $(0x4D20B000 | base<<5 | t)
#define ST4P_0(t, base, by) WORD $(0x0DA0A000 | by<<16 | base<<5 | t) // ST4 {Vt.S-V(t+3).S}[0], [base], by
#define ST4P_1(t, base, by) WORD $(0x0DA0B000 | by<<16 | base<<5 | t)
#define ST4P_2(t, base, by) WORD $(0x4DA0A000 | by<<16 | base<<5 | t)
#define ST4P_3(t, base, by) WORD $(0x4DA0B000 | by<<16 | base<<5 | t)

// NEXT finds the lowest bit in each of the four parts of V1, clears it, and writes its position to
// register d, whose number is n; an arbitrary one if no bit is set.
#define NEXT(n, d) \
	VADD V16.S4, V1.S4, V4.S4 \
	VEOR V4.B16, V1.B16, d.B16 \
	VAND V4.B16, V1.B16, V1.B16 \
	CLZ_S4(n, n) \
	VSUB d.S4, V17.S4, d.S4

#define FOUR_LOW  NEXT(20, V20) NEXT(21, V21) NEXT(22, V22) NEXT(23, V23)
#define FOUR_HIGH NEXT(24, V24) NEXT(25, V25) NEXT(26, V26) NEXT(27, V27)

// COUNT sets R7 to the number of bytes of the positions of a part.
#define COUNT(part) UBFX $(8*part), R8, $8, R7

// COPY copies the 32 positions of a part from R6 to R0, and moves R0 behind those that count.
#define COPY(part) \
	VLD1.P 64(R6), [V20.S4, V21.S4, V22.S4, V23.S4] \
	VLD1.P 64(R6), [V24.S4, V25.S4, V26.S4, V27.S4] \
	ADD    $64, R0, R11                             \
	COUNT(part)                                     \
	VST1.P [V20.S4, V21.S4, V22.S4, V23.S4], (R0)(R7) \
	VST1   [V24.S4, V25.S4, V26.S4, V27.S4], (R11)

// func extractNEON(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)
//
// It is extractPortable for two words at a time, as four parts of 32 bytes, whose next ends are found
// side by side:
//
//	for each two words:
//	    go on if there are no ends outside quotes
//	    newlines += bits of newline outside quotes
//	    count the ends of each part
//	    if no part has more than eight:
//	        the next positions of each part: one, four or eight, of which no part has more
//	        for each part: write these, and go on behind as many as there were
//	    otherwise: list four positions of each part until there are no more, and write the lists
//
// So no branch depends on single bits. What is written behind the positions of a part is
// overwritten by the next.
//
// R8 has the bytes that the positions of each part take, in a byte; V5 the flip, V16 has only ones, V17 the last position of each part, and
// V19 counts newlines. The lists lie on the stack, 32 positions for each part.
TEXT ·extractNEON(SB), 0, $512-56
	MOVD  dst+0(FP), R0
	MOVD  words+8(FP), R1
	MOVD  n+16(FP), R2
	MOVD  flip+24(FP), R3
	MOVW  base+32(FP), R4
	MOVD  R0, R5
	MVN   R3, R3
	VDUP  R3, V5.D2
	VMOVI $255, V16.B16
	ADD   $31, R4
	VMOV  R4, V17.S[0]
	ADD   $32, R4
	VMOV  R4, V17.S[1]
	ADD   $32, R4
	VMOV  R4, V17.S[2]
	ADD   $32, R4
	VMOV  R4, V17.S[3]
	MOVD  $128, R4
	VDUP  R4, V18.S4
	VEOR  V19.B16, V19.B16, V19.B16
	MOVD  $0x5F5F5F5F, R9  // sets the top bit of each byte that is more than 32, of eight positions
	MOVD  $0x6F6F6F6F, R10 // and than 16
	SUBS  $2, R2
	BLT   odd

pair:
	VLD4.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2] // quote, end, newline, inside

ends:
	VEOR    V5.B16, V3.B16, V3.B16 // outside
	VAND    V3.B16, V1.B16, V1.B16
	VAND    V3.B16, V2.B16, V2.B16
	VCNT    V1.B16, V6.B16
	VCNT    V2.B16, V7.B16
	VADDP   V7.B16, V6.B16, V6.B16
	VUADDW2 V6.B16, V19.H8, V19.H8
	VADDP   V6.B16, V6.B16, V6.B16
	VSHL    $2, V6.B16, V6.B16
	VMOV    V6.S[0], R8
	CBZ     R8, next
	TST     $0xF8F8F8F8, R8
	BEQ     one
	ADD     R9, R8, R11
	TST     $0x80808080, R11
	BNE     dense
	FOUR_LOW
	ADD     R10, R8, R11
	TST     $0x80808080, R11
	BNE     eight
	COUNT(0)
	ST4P_0(20, 0, 7)
	COUNT(1)
	ST4P_1(20, 0, 7)
	COUNT(2)
	ST4P_2(20, 0, 7)
	COUNT(3)
	ST4P_3(20, 0, 7)

next:
	VADD V18.S4, V17.S4, V17.S4
	SUBS $2, R2
	BGE  pair

odd:
	CMN  $1, R2
	BNE  done
	VLD1 (R1), [V6.D2, V7.D2] // the last word, beside one of zeros
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VMOV V6.D[1], V1.D[0]
	VMOV V7.D[0], V2.D[0]
	VDUP V7.D[1], V3.D2
	B    ends

one:
	NEXT(20, V20)
	COUNT(0)
	VST1.P V20.S[0], (R0)(R7)
	COUNT(1)
	VST1.P V20.S[1], (R0)(R7)
	COUNT(2)
	VST1.P V20.S[2], (R0)(R7)
	COUNT(3)
	VST1.P V20.S[3], (R0)(R7)
	B    next

eight:
	FOUR_HIGH
	ADD  $16, R0, R11
	COUNT(0)
	ST4P_0(20, 0, 7)
	ST4_0(24, 11)
	ADD  $16, R0, R11
	COUNT(1)
	ST4P_1(20, 0, 7)
	ST4_1(24, 11)
	ADD  $16, R0, R11
	COUNT(2)
	ST4P_2(20, 0, 7)
	ST4_2(24, 11)
	ADD  $16, R0, R11
	COUNT(3)
	ST4P_3(20, 0, 7)
	ST4_3(24, 11)
	B    next

dense:
	MOVD $lists-512(SP), R6
	ADD  $128, R6, R13
	ADD  $256, R6, R14
	ADD  $384, R6, R15

more:
	FOUR_LOW
	ST4P_0(20, 6, 31)
	ST4P_1(20, 13, 31)
	ST4P_2(20, 14, 31)
	ST4P_3(20, 15, 31)
	VMOV V1.D[0], R11
	VMOV V1.D[1], R12
	ORR  R11, R12
	CBNZ R12, more
	MOVD $lists-512(SP), R6
	COPY(0)
	COPY(1)
	COPY(2)
	COPY(3)
	B    next

done:
	SUB     R5, R0
	LSR     $2, R0
	MOVD    R0, ends+40(FP)
	VUADDLV V19.H8, V19
	VMOV    V19.S[0], R1
	MOVD    R1, newlines+48(FP)
	RET
