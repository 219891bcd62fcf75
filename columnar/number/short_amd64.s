#include "textflag.h"

// BROADCAST copies a number into all eight lanes of z.
#define BROADCAST(imm, z) \
	MOVQ         $imm, AX \
	VPBROADCASTQ AX, z

// By the number of decimal places.
DATA ·lanePowers<>+0(SB)/8, $1000000
DATA ·lanePowers<>+8(SB)/8, $100000
DATA ·lanePowers<>+16(SB)/8, $10000
DATA ·lanePowers<>+24(SB)/8, $1000
DATA ·lanePowers<>+32(SB)/8, $100
DATA ·lanePowers<>+40(SB)/8, $10
DATA ·lanePowers<>+48(SB)/8, $1
DATA ·lanePowers<>+56(SB)/8, $0
GLOBL ·lanePowers<>(SB), RODATA|NOPTR, $64

// PREPARE loads the arguments: DI is out, CX the number of groups of eight rows, SI data, BX
// bounds. R8, R10, R11 and R12 are the distances in bounds, in bytes, of one, three, five and
// seven rows. R9 counts the completed groups. K6 selects the lower halves of all lanes.
#define PREPARE \
	MOVQ out+0(FP), DI      \
	MOVQ groups+8(FP), CX   \
	MOVQ data+16(FP), SI    \
	MOVQ bounds+24(FP), BX  \
	MOVQ stride+32(FP), R8  \
	XORL R9, R9             \
	SHLQ $2, R8             \
	LEAQ (R8)(R8*2), R10    \
	LEAQ (R8)(R8*4), R11    \
	LEAQ (R10)(R8*4), R12   \
	MOVL  $0x5555, AX       \
	KMOVW AX, K6            \
	BROADCAST(1, Z17)       \
	BROADCAST(7, Z18)       \
	BROADCAST(64, Z19)      \
	BROADCAST(0x3030303030303030, Z20) \
	BROADCAST(0x0909090909090909, Z21) \
	BROADCAST(0x010A010A010A010A, Z22) \
	BROADCAST(0x0001006400010064, Z23) \
	BROADCAST(10000, Z24)

// PAIR loads the bounds of two rows into x, and the eight bytes from the beginning of each
// cell into word.
#define PAIR(row, next, x, word) \
	VMOVQ   row, x                          \
	MOVLQSX row, AX                         \
	VPINSRQ $1, next, x, x                  \
	MOVLQSX next, DX                        \
	VMOVQ   1(SI)(AX*1), word               \
	VPINSRQ $1, 1(SI)(DX*1), word, word

// LOAD loads the eight bytes from the beginning of each cell into Z1, and its length in bits
// into Z2. K1 is the cells that are not 1 to 8 bytes long. VPGATHERQQ takes far longer.
#define LOAD \
	PAIR((BX), (BX)(R8*1), X0, X1)           \
	PAIR((BX)(R8*2), (BX)(R10*1), X2, X3)    \
	PAIR((BX)(R8*4), (BX)(R11*1), X4, X5)    \
	PAIR((BX)(R10*2), (BX)(R12*1), X6, X7)   \
	VINSERTI128   $1, X2, Y0, Y0             \
	VINSERTI128   $1, X3, Y1, Y1             \
	VINSERTI128   $1, X6, Y4, Y4             \
	VINSERTI128   $1, X7, Y5, Y5             \
	VINSERTI64X4  $1, Y4, Z0, Z0             \
	VINSERTI64X4  $1, Y5, Z1, Z1             \
	VPSRLQ     $32, Z0, Z2    \
	VPSUBD.Z   Z0, Z2, K6, Z2 \
	VPSUBQ     Z17, Z2, Z2    \
	VPSUBQ     Z17, Z2, Z3    \
	VPCMPUQ    $6, Z18, Z3, K1 \
	VPSLLQ     $3, Z2, Z2

// DIGITS converts the first Z2 bits of Z1, which are digits, to a number in Z1. K2 is not 0
// if they are not all digits.
#define DIGITS \
	VPSUBQ     Z2, Z19, Z3  \
	VPSLLVQ    Z3, Z1, Z1   \
	VPSRLVQ    Z2, Z20, Z3  \
	VPORQ      Z3, Z1, Z1   \
	VPXORQ     Z20, Z1, Z1  \
	VPCMPUB    $6, Z21, Z1, K2 \
	VPMADDUBSW Z22, Z1, Z1  \
	VPMADDWD   Z23, Z1, Z1  \
	VPMULUDQ   Z24, Z1, Z3  \
	VPSRLQ     $32, Z1, Z1  \
	VPADDQ     Z3, Z1, Z1

#define ADVANCE \
	VMOVDQU64 Z1, (DI) \
	ADDQ $64, DI       \
	LEAQ (BX)(R8*8), BX \
	INCQ R9            \
	CMPQ R9, CX        \
	JNE  loop

// func shortIntsAVX512(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
//
// ParseInt does the same in Go, for one cell.
//
// K4 is the cells that begin with a minus, which is one of their 8 bytes.
TEXT ·shortIntsAVX512(SB), NOSPLIT, $0-48
	PREPARE
	BROADCAST(0xFF, Z25)
	BROADCAST(0x2D, Z26)
	BROADCAST(8, Z27)
	VPXORQ Z28, Z28, Z28

loop:
	LOAD
	VPANDQ   Z25, Z1, Z3
	VPCMPEQQ Z26, Z3, K4
	VPSRLQ   $8, Z1, K4, Z1
	VPSUBQ   Z27, Z2, K4, Z2
	VPCMPEQQ Z28, Z2, K5
	KORQ     K5, K1, K1
	DIGITS
	KORQ     K1, K2, K2
	KORTESTQ K2, K2
	JNZ      end
	VPSUBQ   Z1, Z28, K4, Z1
	ADVANCE

end:
	MOVQ R9, done+40(FP)
	VZEROUPPER
	RET

// func shortDecimalsAVX512(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
//
// parsePlain does the same in Go, for one cell.
TEXT ·shortDecimalsAVX512(SB), NOSPLIT, $0-48
	PREPARE
	BROADCAST(0x2E2E2E2E2E2E2E2E, Z25)
	BROADCAST(8, Z26)
	VMOVDQU64 ·lanePowers<>(SB), Z27
	VPXORQ Z28, Z28, Z28

loop:
	LOAD

	// Z4: the lowest bit of the first point within the cell, if there is one (K3).
	VPCMPEQB Z25, Z1, K4
	VPMOVM2B K4, Z4
	VPSLLVQ  Z2, Z17, Z5
	VPSUBQ   Z17, Z5, Z5
	VPANDQ   Z5, Z4, Z4
	VPTESTMQ Z4, Z4, K3
	VPSUBQ   Z4, Z28, Z5
	VPANDQ   Z5, Z4, Z4

	// Remove the point: Z5 is all bits before it.
	VPSUBQ   Z17, Z4, Z5
	VPSRLQ   $8, Z1, Z6
	VPANDNQ  Z6, Z5, Z6
	VPANDQ   Z5, Z1, Z1
	VPORQ    Z6, Z1, Z1

	// Z6: the bits after it; there must be some on both sides.
	VPLZCNTQ Z4, Z6
	VPSUBQ   Z6, Z19, Z6
	VPADDQ   Z18, Z6, Z6
	VPSUBQ.Z Z6, Z2, K3, Z6
	VPCMPUQ  $1, Z26, Z6, K3, K4
	VPCMPEQQ Z17, Z4, K3, K5
	KORQ     K4, K1, K1
	KORQ     K5, K1, K1
	VPSUBQ   Z26, Z2, K3, Z2

	DIGITS
	KORQ     K1, K2, K2
	KORTESTQ K2, K2
	JNZ      end

	VPSRLQ   $3, Z6, Z6
	VPERMQ   Z27, Z6, Z6
	VPMULUDQ Z6, Z1, Z1
	ADVANCE

end:
	MOVQ R9, done+40(FP)
	VZEROUPPER
	RET

// PREPARE4 loads the arguments as PREPARE does, for groups of four. R8 is the distance of one
// row in bounds, in bytes.
#define PREPARE4 \
	MOVQ out+0(FP), DI     \
	MOVQ groups+8(FP), CX  \
	MOVQ data+16(FP), SI   \
	MOVQ bounds+24(FP), BX \
	MOVQ stride+32(FP), R8 \
	SHLQ $2, R8            \
	XORL R9, R9

#define BROADCAST4(imm, y, x) \
	MOVQ         $imm, AX \
	VMOVQ        AX, x    \
	VPBROADCASTQ x, y

// CELL reads the bounds of the next cell: AX is the position of the byte before it, DX its
// length plus 1.
#define CELL \
	MOVLQSX (BX), AX \
	MOVL 4(BX), DX   \
	ADDQ R8, BX      \
	SUBL AX, DX

// DIGITS4 sets word to the digits of the next cell, after leading zeros, if the cell is 1 to 8
// bytes long; otherwise R12 becomes 8 or more. R11 is the character 0 eight times.
#define DIGITS4(word) \
	CELL                     \
	MOVQ  1(SI)(AX*1), word  \
	SUBL  $2, DX             \
	ORL   DX, R12            \
	XORQ  R11, word          \
	SHLL  $3, DX             \
	XORL  $56, DX            \
	SHLXQ DX, word, word

// func shortIntsAVX2(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
//
// ParseInt does the same in Go, for one cell.
TEXT ·shortIntsAVX2(SB), NOSPLIT, $0-48
	PREPARE4
	MOVQ $0x3030303030303030, R11
	BROADCAST4(0x0909090909090909, Y5, X5)
	BROADCAST4(0x010A010A010A010A, Y6, X6)
	BROADCAST4(0x0001006400010064, Y7, X7)
	BROADCAST4(10000, Y8, X8)

loop:
	XORL R12, R12
	DIGITS4(R10)
	VMOVQ R10, X0
	DIGITS4(R13)
	VPINSRQ $1, R13, X0, X0
	DIGITS4(R10)
	VMOVQ R10, X1
	DIGITS4(R13)
	VPINSRQ $1, R13, X1, X1
	VINSERTI128 $1, X1, Y0, Y0
	CMPL R12, $8
	JAE  end
	VPSUBUSB Y5, Y0, Y2
	VPTEST   Y2, Y2
	JNZ      end
	VPMADDUBSW Y6, Y0, Y0
	VPMADDWD   Y7, Y0, Y0
	VPMULUDQ   Y8, Y0, Y1
	VPSRLQ     $32, Y0, Y0
	VPADDQ     Y1, Y0, Y0
	VMOVDQU    Y0, (DI)
	ADDQ $32, DI
	INCQ R9
	CMPQ R9, CX
	JNE  loop

end:
	MOVQ R9, done+40(FP)
	VZEROUPPER
	RET

// TENTHS loads the bytes of the next cell and one more into lane n of X0. R12 becomes nonzero
// unless the cell is three bytes long.
#define TENTHS(n) \
	CELL                              \
	XORL    $4, DX                    \
	ORL     DX, R12                   \
	VPINSRD $n, 1(SI)(AX*1), X0, X0

// func shortTenthsAVX2(out *int64, groups int, data *byte, bounds *int32, stride int) (done int)
//
// parsePlain does the same in Go, for one cell.
TEXT ·shortTenthsAVX2(SB), NOSPLIT, $0-48
	PREPARE4
	BROADCAST4(0x00302E3000302E30, Y4, X4) // 0.0
	BROADCAST4(0xFF090009FF090009, Y5, X5) // what each byte may be above that
	BROADCAST4(0x0001000A0001000A, Y6, X6)
	BROADCAST4(0x0001000100010001, Y7, X7)
	BROADCAST4(0x000186A0000186A0, Y8, X8) // millionths of a tenth
	VPXOR X0, X0, X0

loop:
	XORL R12, R12
	TENTHS(0)
	TENTHS(1)
	TENTHS(2)
	TENTHS(3)
	TESTL R12, R12
	JNZ   end
	VPXOR    X4, X0, X0
	VPSUBUSB X5, X0, X2
	VPTEST   X2, X2
	JNZ      end
	VPMADDUBSW X6, X0, X0
	VPMADDWD   X7, X0, X0
	VPMULLD    X8, X0, X0
	VPMOVSXDQ  X0, Y0
	VMOVDQU    Y0, (DI)
	ADDQ $32, DI
	INCQ R9
	CMPQ R9, CX
	JNE  loop

end:
	MOVQ R9, done+40(FP)
	VZEROUPPER
	RET
