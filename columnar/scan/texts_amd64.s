#include "textflag.h"

// func copyTextsAVX512(out *byte, ends *int32, n int, data *byte, bounds *int32, stride int, quote byte) (done int)
//
// AX is the position of a cell, DX the length of its text, R11 the position of the text in out.
TEXT ·copyTextsAVX512(SB), NOSPLIT, $0-64
	MOVQ out+0(FP), DI
	MOVQ ends+8(FP), R10
	MOVQ n+16(FP), CX
	MOVQ data+24(FP), SI
	MOVQ bounds+32(FP), BX
	MOVQ stride+40(FP), R8
	SHLQ $2, R8
	XORL R9, R9
	MOVL (R10), R11
	MOVQ $-1, R12
	VPBROADCASTB quote+48(FP), Z1

loop:
	MOVLQSX (BX), AX
	MOVL    4(BX), DX
	ADDQ    R8, BX
	SUBL    AX, DX
	DECL    DX
	CMPL    DX, $64
	JHI     end
	LEAQ    1(SI)(AX*1), AX
	BZHIQ   DX, R12, R13
	KMOVQ   R13, K1
	VMOVDQU8.Z (AX), K1, Z0
	MOVBLZX (AX), R13
	CMPB    R13, quote+48(FP)
	JEQ     quoted

begins:
	ANDL $0xC0, R13
	CMPL R13, $0x80
	JEQ  end
	VMOVDQU64 Z0, (DI)(R11*1)
	ADDQ DX, R11
	MOVL R11, 4(R10)(R9*4)
	INCQ R9
	CMPQ R9, CX
	JNE  loop

end:
	MOVQ R9, done+56(FP)
	VZEROUPPER
	RET

	// There must be no quotes other than the first byte and the last.
quoted:
	SUBL  $2, DX
	JLT   end
	VPCMPEQB Z1, Z0, K2
	KMOVQ K2, R13
	MOVL  $2, R15
	SHLXQ DX, R15, R15
	INCQ  R15
	CMPQ  R13, R15
	JNE   end
	BZHIQ DX, R12, R13
	KMOVQ R13, K1
	VMOVDQU8.Z 1(AX), K1, Z0
	MOVBLZX 1(AX), R13
	JMP   begins
