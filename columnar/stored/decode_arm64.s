#include "textflag.h"

// func ascii16Groups(dst, src *byte, groups int, other, shift uint64) (done int)
//
// It is the loop of ascii16, for 32 characters at a time:
//
//	end here if a character has a bit of other
//	of each two bytes take the first or, if shift is not 0, the second
TEXT ·ascii16Groups(SB), NOSPLIT, $0-48
	MOVD  dst+0(FP), R0
	MOVD  src+8(FP), R1
	MOVD  groups+16(FP), R2
	MOVD  other+24(FP), R3
	MOVD  shift+32(FP), R4
	MOVD  ZR, R5

group:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	VORR  V0.B16, V1.B16, V4.B16
	VORR  V2.B16, V3.B16, V5.B16
	VORR  V4.B16, V5.B16, V4.B16
	VMOV  V4.D[0], R6
	VMOV  V4.D[1], R7
	ORR   R6, R7
	TST   R3, R7
	BNE   done
	CBNZ  R4, seconds
	VUZP1 V1.B16, V0.B16, V4.B16
	VUZP1 V3.B16, V2.B16, V5.B16

store:
	VST1.P [V4.B16, V5.B16], 32(R0)
	ADD  $1, R5
	CMP  R2, R5
	BNE  group

done:
	MOVD R5, done+40(FP)
	RET

seconds:
	VUZP2 V1.B16, V0.B16, V4.B16
	VUZP2 V3.B16, V2.B16, V5.B16
	JMP   store
