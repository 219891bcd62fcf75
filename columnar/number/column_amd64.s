#include "textflag.h"

// func plainAVX2(out *int64, step, n int, data *byte, bounds *int32, stride int, scales *[17]int64, t *[19][16]byte) (done int)
//
// parsePlain does the same in Go, for one cell.
//
// R10 is the end of a cell, DX its length plus 1, AX the position of the byte before it, R12
// twice the position of its point in the 16 bytes that end with the cell.
TEXT ·plainAVX2(SB), NOSPLIT, $0-72
	MOVQ out+0(FP), DI
	MOVQ step+8(FP), CX
	MOVQ data+24(FP), SI
	MOVQ bounds+32(FP), BX
	MOVQ stride+40(FP), R8
	MOVQ scales+48(FP), R13
	MOVQ t+56(FP), R11
	SHLQ $2, R8
	XORL R9, R9
	MOVQ $0x3030303030303030, AX
	VMOVQ AX, X4
	VPBROADCASTQ X4, X4
	MOVQ $0xFEFEFEFEFEFEFEFE, AX // the point, less the character 0
	VMOVQ AX, X5
	VPBROADCASTQ X5, X5
	MOVQ $0x0909090909090909, AX
	VMOVQ AX, X6
	VPBROADCASTQ X6, X6
	MOVQ $0x010A010A010A010A, AX
	VMOVQ AX, X7
	VPBROADCASTQ X7, X7
	MOVQ $0x0001006400010064, AX
	VMOVQ AX, X8
	VPBROADCASTQ X8, X8
	MOVQ $0x0001271000012710, AX
	VMOVQ AX, X9
	VPBROADCASTQ X9, X9

loop:
	MOVLQSX (BX), AX
	MOVLQSX 4(BX), R10
	ADDQ    R8, BX
	MOVL    R10, DX
	SUBL    AX, DX
	LEAL    -2(DX), R12
	CMPL    R12, $11
	JHI     end
	CMPL    R10, $16
	JLT     end
	VMOVDQU -16(SI)(R10*1), X0
	VPSUBB  X4, X0, X0
	VPAND   -1(R11)(DX*1), X0, X0
	VPCMPEQB X5, X0, X1
	VPMOVMSKB X1, R12
	ORL     $0x10000, R12
	TZCNTL  R12, R12
	ADDL    R12, R12
	VPSHUFB 32(R11)(R12*8), X0, X0
	VPSUBUSB X6, X0, X1
	VPTEST  X1, X1
	JNZ     end
	CMPB    1(SI)(AX*1), $0x31
	JCS     zero

scaled:
	MOVQ    (R13)(R12*4), R10
	VPMADDUBSW X7, X0, X0
	VPMADDWD X8, X0, X0
	VPACKUSDW X0, X0, X0
	VPMADDWD X9, X0, X0
	VMOVQ   X0, AX
	MOVL    AX, DX
	SHRQ    $32, AX
	IMUL3Q  $100000000, DX, DX
	ADDQ    DX, AX
	IMULQ   R10, AX
	TESTQ   R10, R10
	JZ      end
	MOVQ    AX, (DI)
	ADDQ    CX, DI
	INCQ    R9
	CMPQ    R9, n+16(FP)
	JNE     loop

end:
	MOVQ R9, done+64(FP)
	VZEROUPPER
	RET

	// A number that does not begin with a digit from 1 to 9 must be 0, or begin with 0 and a point.
zero:
	LEAL (R12)(DX*2), R10
	CMPL R10, $36
	JEQ  scaled
	JMP  end

#define form_whole 136
#define form_places 138
#define form_digits 140
#define form_one 160

// The indexes of 16 bytes.
DATA ·places<>+0(SB)/8, $0x0706050403020100
DATA ·places<>+8(SB)/8, $0x0f0e0d0c0b0a0908
GLOBL ·places<>(SB), RODATA|NOPTR, $16

#define EACH(imm, z) \
	MOVQ         $imm, AX \
	VPBROADCASTQ AX, z

// FOUR loads the 16 bytes from the beginning of each of four cells into z, and the bounds of
// the cells into x and y. xz is the low 16 bytes of z, yz the low 32.
#define FOUR(b0, b1, b2, b3, x, y, z, yz, xz) \
	MOVLQSX b0, AX                   \
	VMOVQ   b0, x                    \
	VMOVDQU 1(SI)(AX*1), xz          \
	MOVLQSX b1, DX                   \
	VPINSRQ $1, b1, x, x             \
	VINSERTI128 $1, 1(SI)(DX*1), yz, yz \
	MOVLQSX b2, AX                   \
	VMOVQ   b2, y                    \
	VINSERTI32X4 $2, 1(SI)(AX*1), z, z  \
	MOVLQSX b3, DX                   \
	VPINSRQ $1, b3, y, y             \
	VINSERTI32X4 $3, 1(SI)(DX*1), z, z

// func floatsAVX512(out *float64, step, groups int, data *byte, bounds *int32, stride int, f *form) (done int)
//
// ParseFloat does the same in Go, for one cell.
TEXT ·floatsAVX512(SB), NOSPLIT, $0-64
	JMP ·plainAVX512(SB)

// func plainAVX512(out *int64, step, groups int, data *byte, bounds *int32, stride int, f *form) (done int)
//
// parsePlain does the same in Go, for one cell.
//
// The position of each cell's point, which is its end if it has none, and the cell's length are
// kept in eight words each, those of even cells first.
TEXT ·plainAVX512(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), DI
	MOVQ groups+16(FP), CX
	MOVQ data+24(FP), SI
	MOVQ bounds+32(FP), BX
	MOVQ stride+40(FP), R8
	MOVQ f+48(FP), R13
	SHLQ $2, R8
	LEAQ (R8)(R8*2), R10
	LEAQ (R8)(R8*4), R11
	LEAQ (R10)(R8*4), R12
	XORL R9, R9
	MOVL $0x5555, AX
	KMOVW AX, K6
	MOVQ $0x0001000100010001, AX
	KMOVQ AX, K7
	EACH(0x3030303030303030, Z16)
	EACH(0xFEFEFEFEFEFEFEFE, Z17) // the point, less the character 0
	EACH(0x0909090909090909, Z18)
	VBROADCASTI32X4 ·places<>(SB), Z19
	VBROADCASTI32X4 form_digits(R13), Z20
	EACH(0x010A010A010A010A, Z22)
	EACH(0x0001006400010064, Z23)
	EACH(0x0001271000012710, Z24)
	EACH(100000000, Z25)
	EACH(0x0001000100010001, Z26)
	EACH(0x0002000200020002, Z27)
	EACH(0x0010001000100010, Z28)
	VPBROADCASTW form_whole(R13), X29
	VPBROADCASTW form_places(R13), X30
	VPBROADCASTQ form_one(R13), Z31
	EACH(0x0101010101010101, Z15)
	VPTERNLOGD $0xFF, Z14, Z14, Z14 // -1

	// For each byte of the cells, the index of the cell's word among the eight words: Z12 for
	// even cells, Z13 for odd ones.
	EACH(0, Z12)
	EACH(0x0202020202020202, Z11)
	VINSERTI32X4 $1, X11, Z12, Z12
	VPADDB       Z11, Z11, Z11
	VINSERTI32X4 $2, X11, Z12, Z12
	EACH(0x0606060606060606, Z11)
	VINSERTI32X4 $3, X11, Z12, Z12
	EACH(0x0808080808080808, Z11)
	VPADDB       Z11, Z12, Z13

loop:
	FOUR((BX), (BX)(R8*2), (BX)(R8*4), (BX)(R10*2), X0, X2, Z1, Y1, X1)
	FOUR((BX)(R8*1), (BX)(R10*1), (BX)(R11*1), (BX)(R12*1), X4, X5, Z3, Y3, X3)
	VINSERTI128  $1, X2, Y0, Y0
	VINSERTI128  $1, X5, Y4, Y4
	VINSERTI64X4 $1, Y4, Z0, Z0
	VPSRLQ    $32, Z0, Z2
	VPSUBD.Z  Z0, Z2, K6, Z2
	VPMOVUSQW Z2, X2
	VPADDW    X14, X2, X2 // how long

	VPSUBB   Z16, Z1, Z1
	VPSUBB   Z16, Z3, Z3
	VPCMPEQB Z17, Z1, K1
	VPCMPEQB Z17, Z3, K2
	KMOVQ    K1, AX
	KMOVQ    K2, DX
	VMOVQ    AX, X4
	VPINSRQ  $1, DX, X4, X4
	VPSLLVW  X2, X26, X5
	VPOR     X5, X4, X4
	VPADDW   X14, X4, X5
	VPANDN   X5, X4, X5
	VPOPCNTW X5, X4 // where the point is

	// K3: cells that are too long, or have too many digits before or after the point.
	VPCMPUW  $6, X28, X2, K3
	VPADDW   X14, X4, X5
	VPCMPUW  $5, X29, X5, K4
	VPSUBW   X4, X2, X5
	VPTESTMW X5, X5, K5
	VPSUBW   X27, X5, X5
	VPCMPUW  $5, X30, X5, K5, K5
	KORQ     K4, K3, K3
	KORQ     K5, K3, K3

	// For each byte of the cells, Z6 and Z7: the position of the point, Z8 and Z9: the length.
	VPERMB Z4, Z12, Z6
	VPERMB Z4, Z13, Z7
	VPERMB Z2, Z12, Z8
	VPERMB Z2, Z13, Z9
	VPCMPUB   $6, Z15, Z6, K7, K1 // zero before another digit
	VPCMPUB   $6, Z15, Z7, K7, K2
	VPTESTNMB Z1, Z1, K1, K1
	VPTESTNMB Z3, Z3, K2, K2
	KORQ      K1, K3, K3
	KORQ      K2, K3, K3
	CMPQ      step+8(FP), $0
	JEQ       skip

	VPADDB    Z20, Z6, Z6
	VPADDB    Z20, Z7, Z7
	VPCMPUB   $1, Z8, Z6, K1
	VPCMPUB   $1, Z9, Z7, K2
	VPSHUFB.Z Z6, Z1, K1, Z1
	VPSHUFB.Z Z7, Z3, K2, Z3
	VPCMPUB   $6, Z18, Z1, K1
	VPCMPUB   $6, Z18, Z3, K2
	KORQ      K1, K3, K3
	KORTESTQ  K2, K3
	JNZ       end
	VPMADDUBSW Z22, Z1, Z1
	VPMADDUBSW Z22, Z3, Z3
	VPMADDWD   Z23, Z1, Z1
	VPMADDWD   Z23, Z3, Z3
	VPACKUSDW  Z3, Z1, Z1
	VPMADDWD   Z24, Z1, Z1
	VPMULUDQ   Z25, Z1, Z3
	VPSRLQ     $32, Z1, Z1
	VPADDQ     Z3, Z1, Z1
	CMPQ       form_one(R13), $0
	JEQ        store
	VCVTQQ2PD  Z1, Z1
	VDIVPD     Z31, Z1, Z1 // of two that have a float64, which is rounded once

store:
	VMOVDQU64 Z1, (DI)
	ADDQ step+8(FP), DI

next:
	LEAQ (BX)(R8*8), BX
	INCQ R9
	CMPQ R9, CX
	JNE  loop

end:
	MOVQ R9, done+56(FP)
	VZEROUPPER
	RET

	// All bytes of a cell except its point must be digits.
skip:
	VPCMPUB  $1, Z8, Z19, K1
	VPCMPUB  $1, Z9, Z19, K2
	VPCMPUB  $4, Z6, Z19, K1, K1
	VPCMPUB  $4, Z7, Z19, K2, K2
	VPCMPUB  $6, Z18, Z1, K1, K1
	VPCMPUB  $6, Z18, Z3, K2, K2
	KORQ     K1, K3, K3
	KORTESTQ K2, K3
	JNZ      end
	JMP      next

// DATE reads the bounds of the next cell: AX is the position of the byte before it. R12
// becomes nonzero unless the cell is ten bytes long.
#define DATE \
	MOVLQSX (BX), AX \
	MOVL 4(BX), DX   \
	ADDQ R8, BX      \
	SUBL AX, DX      \
	XORL $11, DX     \
	ORL  DX, R12

// func datesAVX2(out *int64, step, groups int, data *byte, bounds *int32, stride int, t *[15][4]uint64) (done int)
//
// ParseDate does the same in Go, for one cell.
TEXT ·datesAVX2(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), DI
	MOVQ step+8(FP), CX
	SHLQ $2, CX
	MOVQ data+24(FP), SI
	MOVQ bounds+32(FP), BX
	MOVQ stride+40(FP), R8
	MOVQ t+48(FP), R11
	SHLQ $2, R8
	XORL R9, R9
	VMOVDQU (R11), Y5
	VMOVDQU 32(R11), Y6
	VMOVDQU 64(R11), Y7
	VMOVDQU 96(R11), Y8
	VMOVDQU 128(R11), Y9
	VMOVDQU 160(R11), Y10
	VMOVDQU 192(R11), Y11
	VMOVDQU 224(R11), Y12
	VMOVDQU 256(R11), Y13
	VMOVDQU 288(R11), Y14
	VPXOR   Y15, Y15, Y15

days:
	XORL R12, R12
	DATE
	VMOVDQU 1(SI)(AX*1), X0
	DATE
	VMOVDQU 1(SI)(AX*1), X1
	DATE
	VINSERTI128 $1, 1(SI)(AX*1), Y0, Y0
	DATE
	VINSERTI128 $1, 1(SI)(AX*1), Y1, Y1
	TESTL R12, R12
	JNZ   ended
	VPSUBB   Y5, Y0, Y0
	VPSUBB   Y5, Y1, Y1
	VPSUBUSB Y6, Y0, Y2
	VPSUBUSB Y6, Y1, Y3
	VPOR     Y2, Y3, Y4
	VPSHUFB  Y7, Y0, Y0
	VPSHUFB  Y7, Y1, Y1
	VPUNPCKLQDQ Y1, Y0, Y0
	VPMADDUBSW Y8, Y0, Y0 // of each date four words: century, year, month, day

	// Y1: the year, Y2: the month, Y3: the day; Y4 is not 0 if one is invalid.
	VPMADDWD Y9, Y0, Y1
	VPSRLQ   $48, Y0, Y3
	VPSRLQ   $32, Y0, Y2
	VPAND    Y10, Y2, Y2
	VPADDUSB Y11, Y2, Y0
	VPSHUFB  Y0, Y12, Y0
	VPCMPGTQ Y0, Y3, Y0
	VPOR     Y0, Y4, Y4
	VPCMPEQQ Y15, Y3, Y0
	VPOR     Y0, Y4, Y4
	VPCMPEQQ Y15, Y1, Y0
	VPOR     Y0, Y4, Y4
	VPTEST   Y4, Y4
	JNZ      ended

	// Years begin in March, as in DayOf.
	VPCMPGTQ Y2, Y13, Y0
	VPADDQ   Y0, Y1, Y1
	VPAND    Y14, Y0, Y0
	VPADDQ   Y0, Y2, Y2
	VPMULUDQ 320(R11), Y1, Y0
	VPSRLQ   $19, Y0, Y0 // centuries
	VPSUBQ   Y0, Y3, Y3
	VPSRLQ   $2, Y0, Y0
	VPADDQ   Y0, Y3, Y3
	VPSRLQ   $2, Y1, Y0
	VPADDQ   Y0, Y3, Y3
	VPMULUDQ 352(R11), Y1, Y0
	VPADDQ   Y0, Y3, Y3
	VPMULUDQ 384(R11), Y2, Y2
	VPSUBQ   416(R11), Y2, Y2
	VPSRLQ   $5, Y2, Y2
	VPADDQ   Y2, Y3, Y3
	VPSUBQ   448(R11), Y3, Y3
	VMOVDQU  Y3, (DI)
	ADDQ CX, DI
	INCQ R9
	CMPQ R9, groups+16(FP)
	JNE  days

ended:
	MOVQ R9, done+56(FP)
	VZEROUPPER
	RET
