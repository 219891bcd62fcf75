#include "textflag.h"

// Multiplications that the assembler does not know: d = n * m, for the numbers of registers.
#define MUL_B16(m, n, d)    WORD $(0x4E209C00 | m<<16 | n<<5 | d) // MUL    Vd.16B, Vn.16B, Vm.16B
#define UMULL_B(m, n, d)    WORD $(0x2E20C000 | m<<16 | n<<5 | d) // UMULL  Vd.8H, Vn.8B, Vm.8B
#define UMULL2_B(m, n, d)   WORD $(0x6E20C000 | m<<16 | n<<5 | d) // UMULL2 Vd.8H, Vn.16B, Vm.16B
#define UMULL_H(m, n, d)    WORD $(0x2E60C000 | m<<16 | n<<5 | d) // UMULL  Vd.4S, Vn.4H, Vm.4H
#define UMULL2_H(m, n, d)   WORD $(0x6E60C000 | m<<16 | n<<5 | d) // UMULL2 Vd.4S, Vn.8H, Vm.8H
#define UMULL_S(m, n, d)    WORD $(0x2EA0C000 | m<<16 | n<<5 | d) // UMULL  Vd.2D, Vn.2S, Vm.2S
#define UMULL2_S(m, n, d)   WORD $(0x6EA0C000 | m<<16 | n<<5 | d) // UMULL2 Vd.2D, Vn.4S, Vm.4S

// By the number of decimal places; 8 stands for no point. A top bit means that the number is not
// accepted: there are no digits behind the point, or too many.
DATA ·shortPowers<>+0(SB)/8, $(1<<63)
DATA ·shortPowers<>+8(SB)/8, $100000
DATA ·shortPowers<>+16(SB)/8, $10000
DATA ·shortPowers<>+24(SB)/8, $1000
DATA ·shortPowers<>+32(SB)/8, $100
DATA ·shortPowers<>+40(SB)/8, $10
DATA ·shortPowers<>+48(SB)/8, $1
DATA ·shortPowers<>+56(SB)/8, $(1<<63)
DATA ·shortPowers<>+64(SB)/8, $1000000
GLOBL ·shortPowers<>(SB), RODATA|NOPTR, $72

// PREPARE loads the arguments: R0 is out, R1 the number of groups, R2 what the bytes of a cell are
// counted from, R3 bounds, R4 the distance of one row in bounds, in bytes. R5 counts the completed
// groups.
#define PREPARE \
	MOVD out+0(FP), R0             \
	MOVD groups+8(FP), R1          \
	MOVD data+16(FP), R2           \
	ADD  $1, R2                    \
	MOVD bounds+24(FP), R3         \
	MOVD stride+32(FP), R4         \
	LSL  $2, R4                    \
	MOVD ZR, R5                    \
	MOVD $0x3030303030303030, R6   \
	MOVD $56, R7                   \
	MOVD $0x010A010A010A010A, R9   \
	VDUP R9, V16.D2                \
	MOVD $0x0164016401640164, R9   \
	VDUP R9, V17.D2                \
	MOVD $0x0001271000012710, R9   \
	VDUP R9, V18.D2                \
	VMOVI $9, V19.B16

// CELL sets R9 to the bytes of the next cell less the character 0, after bytes of 0, if the cell is 1 to
// 8 bytes long; otherwise R8 becomes 8 or more.
#define CELL \
	LDPSW (R3), (R9, R10)      \
	ADD   R4, R3               \
	SUB   R9, R10              \
	SUB   $2, R10              \ // its length less 1
	ORR   R10, R8              \
	MOVD  (R2)(R9), R9         \
	EOR   R6, R9               \
	EOR   R10<<3, R7, R10      \ // as many bits as 8 bytes are longer
	LSL   R10, R9

// DIGITS converts the digits of four cells, those of two in each of V0 and V1, to four numbers in V0: it
// combines digits to pairs, pairs to fours, and these to the number. R9 is not 0 if they are not all
// digits.
#define DIGITS \
	VUMAX   V0.B16, V1.B16, V2.B16  \
	VUMAX   V19.B16, V2.B16, V2.B16 \
	VEOR    V19.B16, V2.B16, V2.B16 \
	VUADDLV V2.B16, V2              \
	VMOV    V2.D[0], R9             \
	MUL_B16(16, 0, 0)               \
	MUL_B16(16, 1, 1)               \
	VADDP   V1.B16, V0.B16, V0.B16  \
	UMULL_B(17, 0, 1)               \
	UMULL2_B(17, 0, 2)              \
	VADDP   V2.H8, V1.H8, V0.H8     \
	UMULL_H(18, 0, 1)               \
	UMULL2_H(18, 0, 2)              \
	VADDP   V2.S4, V1.S4, V0.S4

// func shortIntsNEON(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
//
// For four cells at a time, it is ParseInt for cells that are only digits:
//
//	word = the 8 bytes from the beginning of the cell, ^ "00000000"
//	word <<= 8 * (8 - length), so that zeros come before it
//	end here if a length is not from 1 to 8, or a byte of a word is more than 9
//	number = 10000 * (100 * pair 0 + pair 1) + 100 * pair 2 + pair 3
//
// NEON shifts no register by as many bits as another says in an instruction that the assembler knows,
// and bounds and cells come from different places: so a cell is read by the other registers, and what
// all cells have in common is done in vectors. Lemire's "Quickly parsing eight digits" (2018) is where
// the multiplications come from.
TEXT ·shortIntsNEON(SB), NOSPLIT, $0-48
	PREPARE

loop:
	MOVD ZR, R8
	CELL
	VMOV R9, V0.D[0]
	CELL
	VMOV R9, V0.D[1]
	CELL
	VMOV R9, V1.D[0]
	CELL
	VMOV R9, V1.D[1]
	CMP  $8, R8
	BHS  end
	DIGITS
	CBNZ R9, end
	VUXTL  V0.S2, V1.D2
	VUXTL2 V0.S4, V2.D2
	VST1.P [V1.D2, V2.D2], 32(R0)
	ADD  $1, R5
	CMP  R1, R5
	BNE  loop

end:
	MOVD R5, done+40(FP)
	RET

// POINT removes the first point of the cell in R9, if it has one: the bytes before it move to its place.
// It sets R13 to the power of ten that the digits are to be multiplied with, and collects in R16 that
// there is none. R13 in between is the bytes up to the point.
#define POINT \
	EOR  R12, R9, R13               \
	SUB  R11, R13, R14              \
	BIC  R13, R14                   \
	AND  $0x8080808080808080, R14   \ // the lowest bit set is at the first byte of 0
	SUB  $1, R14, R13               \
	EOR  R14, R13                   \
	CMP  $0, R14                    \
	CSEL EQ, ZR, R13, R13           \
	AND  R9<<8, R13, R14            \
	BIC  R13, R9                    \
	ORR  R14, R9                    \
	CLZ  R13, R13                   \
	MOVD (R15)(R13), R13            \
	ORR  R13, R16

// func shortDecimalsNEON(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
//
// It is shortIntsNEON with a point, like parsePlain:
//
//	behind the point = the bytes of the word after the first point, or all
//	word = the bytes before the point, one byte later, and those behind it
//	number = that of the word * 10^(Scale - how many bytes are behind the point)
//
// Another point is no digit. R11 and R12 have 1 and the point, less the character 0, in each byte.
TEXT ·shortDecimalsNEON(SB), NOSPLIT, $0-48
	PREPARE
	MOVD $0x0101010101010101, R11
	MOVD $0x1E1E1E1E1E1E1E1E, R12
	MOVD $·shortPowers<>(SB), R15

loop:
	MOVD ZR, R8
	MOVD ZR, R16
	CELL
	POINT
	VMOV R9, V0.D[0]
	VMOV R13, V3.S[0]
	CELL
	POINT
	VMOV R9, V0.D[1]
	VMOV R13, V3.S[1]
	CELL
	POINT
	VMOV R9, V1.D[0]
	VMOV R13, V3.S[2]
	CELL
	POINT
	VMOV R9, V1.D[1]
	VMOV R13, V3.S[3]
	CMP  $8, R8
	BHS  end
	TBNZ $63, R16, end
	DIGITS
	CBNZ R9, end
	UMULL_S(3, 0, 1)
	UMULL2_S(3, 0, 2)
	VST1.P [V1.D2, V2.D2], 32(R0)
	ADD  $1, R5
	CMP  R1, R5
	BNE  loop

end:
	MOVD R5, done+40(FP)
	RET
