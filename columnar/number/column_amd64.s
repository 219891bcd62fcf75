#include "textflag.h"

// func plainAVX2(out *int64, step, n int, data *byte, bounds *int32, stride int, s *scales, t *[19][16]byte) (done int)
//
// R10 is where a cell ends, DX its length and 1, AX where the byte before it stands, R12
// twice the place of its point among the 16 bytes that end with it.
TEXT ·plainAVX2(SB), NOSPLIT, $0-72
	MOVQ out+0(FP), DI
	MOVQ step+8(FP), CX
	MOVQ data+24(FP), SI
	MOVQ bounds+32(FP), BX
	MOVQ stride+40(FP), R8
	MOVQ s+48(FP), R13
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

	// What begins with no digit from 1 on begins with 0, and that is all or the point follows.
zero:
	LEAL (R12)(DX*2), R10
	CMPL R10, $36
	JEQ  scaled
	JMP  end

// DATE takes the bounds of the next cell: AX is where the byte before it stands; R12 is not
// 0 unless it is ten bytes long.
#define DATE \
	MOVLQSX (BX), AX \
	MOVL 4(BX), DX   \
	ADDQ R8, BX      \
	SUBL AX, DX      \
	XORL $11, DX     \
	ORL  DX, R12

// func datesAVX2(out *int64, step, groups int, data *byte, bounds *int32, stride int, t *[15][4]uint64) (done int)
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

	// Y1 the year, Y2 the month, Y3 the day; Y4 is not 0 if one is wrong.
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

	// Years begin with March, as those of DayOf.
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
