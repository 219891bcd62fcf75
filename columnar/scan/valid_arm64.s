#include "textflag.h"

// The tables of Keiser and Lemire, "Validating UTF-8 in less than one instruction per
// byte" (2020), as in valid_amd64.s: by the high nibble of the first of two consecutive bytes, by
// its low nibble, and by the high nibble of the second. Each bit represents one kind of error, and is
// set in an entry if the nibble is compatible with that error.
DATA ·utf8Tables<>+0(SB)/8, $0x0202020202020202
DATA ·utf8Tables<>+8(SB)/8, $0x4915012180808080
DATA ·utf8Tables<>+16(SB)/8, $0xcbcbcb8b8383a3e7
DATA ·utf8Tables<>+24(SB)/8, $0xcbcbdbcbcbcbcbcb
DATA ·utf8Tables<>+32(SB)/8, $0x0101010101010101
DATA ·utf8Tables<>+40(SB)/8, $0x01010101babaaee6

// The maximum of each of the last bytes of a register if no sequence is open at its end.
DATA ·utf8Tables<>+48(SB)/8, $0xffffffffffffffff
DATA ·utf8Tables<>+56(SB)/8, $0xbfdfefffffffffff
GLOBL ·utf8Tables<>(SB), RODATA|NOPTR, $64

// CHECK adds to V20 the errors of the 16 bytes of in, which follow those of prev. The high nibbles of
// prev are in prevHigh; those of in go to high.
#define CHECK(in, prev, high, prevHigh) \
	VUSHR $4, in.B16, high.B16                    \
	VEXT  $15, in.B16, prev.B16, V8.B16           \
	VEXT  $15, high.B16, prevHigh.B16, V9.B16     \
	VAND  V21.B16, V8.B16, V8.B16                 \
	VTBL  V9.B16, [V16.B16], V9.B16               \
	VTBL  V8.B16, [V17.B16], V8.B16               \
	VTBL  high.B16, [V18.B16], V10.B16            \
	VAND  V8.B16, V9.B16, V9.B16                  \
	VAND  V9.B16, V10.B16, V10.B16                \
	VEXT  $14, in.B16, prev.B16, V8.B16           \
	VEXT  $13, in.B16, prev.B16, V9.B16           \
	VUMAX V22.B16, V8.B16, V11.B16                \
	VUMAX V23.B16, V9.B16, V12.B16                \
	VCMEQ V11.B16, V8.B16, V8.B16                 \
	VCMEQ V12.B16, V9.B16, V9.B16                 \
	VORR  V8.B16, V9.B16, V9.B16                  \
	VAND  V24.B16, V9.B16, V9.B16                 \
	VEOR  V9.B16, V10.B16, V10.B16                \
	VORR  V10.B16, V20.B16, V20.B16

// func validSteps(p *byte, n int) bool
//
// It is utf8.Valid by the algorithm of Keiser and Lemire, 16 bytes at a time, with a way around it for
// ASCII:
//
//	for each 64 bytes:
//	    if all are ASCII: no sequence may be open from before; go on 128 bytes at a time, as long as
//	    these are ASCII too
//	    otherwise, for each byte:
//	        the errors that it and the byte before are compatible with, by the three tables,
//	        one of which, the top bit, says that it continues a sequence of two before it,
//	        must be just that one if the byte two before is 0xE0 or more, or the one three
//	        before 0xF0 or more, and else none
//	    a sequence is open if one of the last three bytes begins one that is longer
//
// V3 holds the previous 16 bytes. V25 is not zero if they end within a sequence.
TEXT ·validSteps(SB), NOSPLIT, $0-17
	MOVD p+0(FP), R0
	MOVD n+8(FP), R1
	MOVD $·utf8Tables<>(SB), R2
	VLD1 (R2), [V16.B16, V17.B16, V18.B16, V19.B16]
	VMOVI $0x0f, V21.B16
	VMOVI $0xe0, V22.B16
	VMOVI $0xf0, V23.B16
	VMOVI $0x80, V24.B16
	VEOR  V20.B16, V20.B16, V20.B16
	VEOR  V25.B16, V25.B16, V25.B16
	VEOR  V3.B16, V3.B16, V3.B16

loop:
	VMOV  V3.B16, V13.B16
	VLD1.P 64(R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	VORR  V0.B16, V1.B16, V8.B16
	VORR  V2.B16, V3.B16, V9.B16
	VORR  V8.B16, V9.B16, V8.B16
	VMOV  V8.D[0], R2
	VMOV  V8.D[1], R3
	ORR   R2, R3
	TST   $0x8080808080808080, R3
	BNE   check
	VORR  V25.B16, V20.B16, V20.B16
	VEOR  V25.B16, V25.B16, V25.B16
	SUBS  $(64+128), R1
	BLT   behind

ascii:
	VLD1.P 64(R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1.P 64(R0), [V4.B16, V5.B16, V6.B16, V7.B16]
	VORR  V0.B16, V1.B16, V8.B16
	VORR  V2.B16, V3.B16, V9.B16
	VORR  V4.B16, V5.B16, V10.B16
	VORR  V6.B16, V7.B16, V11.B16
	VORR  V8.B16, V9.B16, V8.B16
	VORR  V10.B16, V11.B16, V10.B16
	VORR  V8.B16, V10.B16, V8.B16
	VMOV  V8.D[0], R2
	VMOV  V8.D[1], R3
	ORR   R2, R3
	TST   $0x8080808080808080, R3
	BNE   other
	SUBS  $128, R1
	BGE   ascii
	JMP   behind

other:
	SUB   $128, R0

behind:
	VEOR  V3.B16, V3.B16, V3.B16
	ADDS  $128, R1
	BNE   loop
	JMP   done

check:
	VUSHR $4, V13.B16, V14.B16
	CHECK(V0, V13, V4, V14)
	CHECK(V1, V0, V5, V4)
	CHECK(V2, V1, V6, V5)
	CHECK(V3, V2, V7, V6)
	VUMAX V19.B16, V3.B16, V8.B16
	VEOR  V19.B16, V8.B16, V25.B16
	SUBS  $64, R1
	BNE   loop

done:
	VMOV V20.D[0], R2
	VMOV V20.D[1], R3
	ORR  R2, R3
	CMP  $0, R3
	CSET EQ, R0
	MOVB R0, ret+16(FP)
	RET
