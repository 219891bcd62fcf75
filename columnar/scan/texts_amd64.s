#include "textflag.h"

// func copyTextsAVX512(out *byte, ends *int32, n int, data *byte, bounds *int32, stride int, quote, escape byte, unescape bool, literal uint64) (done int)
//
// The loop of cells.append does the same in Go, for one cell.
//
// AX is the position of a cell, DX the length of its text, R11 the position of the text in out.
TEXT ·copyTextsAVX512(SB), NOSPLIT, $0-72
	MOVQ out+0(FP), DI
	MOVQ ends+8(FP), R10
	MOVQ data+24(FP), SI
	MOVQ bounds+32(FP), BX
	MOVQ stride+40(FP), R8
	SHLQ $2, R8
	XORL R9, R9
	MOVL (R10), R11
	MOVQ $-1, R12
	VPBROADCASTB quote+48(FP), Z1
	VPBROADCASTB escape+49(FP), Z2

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
	CMPQ R9, n+16(FP)
	JNE  loop

end:
	MOVQ R9, done+64(FP)
	VZEROUPPER
	RET

	// R13 is where quotes are, R14 where escapes are, R15 the first byte and the last.
quoted:
	SUBL  $2, DX
	JLT   end
	VPCMPEQB Z1, Z0, K2
	VPCMPEQB Z2, Z0, K3
	KMOVQ K2, R13
	KMOVQ K3, R14
	MOVL  $2, R15
	SHLXQ DX, R15, R15
	INCQ  R15
	MOVQ  R13, CX
	ORQ   R14, CX
	CMPQ  CX, R15
	JNE   escapes
	BZHIQ DX, R12, R13
	KMOVQ R13, K1
	VMOVDQU8.Z 1(AX), K1, Z0
	MOVBLZX 1(AX), R13
	JMP   begins

	// There must be both quotes. CX is what lies between them. AX becomes the bytes that are escaped, after an odd number of
	// escapes: a run of them carries, in the subtraction, up to the byte after it. R14 becomes the escapes
	// that are left out.
escapes:
	CMPB  unescape+50(FP), $0
	JEQ   end
	ANDNQ R15, R13, DX
	JNZ   end
	LEAQ  -3(R15), CX
	ANDQ  CX, R14
	MOVQ  $0xAAAAAAAAAAAAAAAA, DX
	LEAQ  (R14)(R14*1), AX
	ORQ   DX, AX
	SUBQ  R14, AX
	XORQ  DX, AX
	XORQ  R14, AX
	ANDNQ R14, AX, R14

	// The closing quote must not be escaped, other quotes must be, and if it takes a quote to escape one,
	// nothing else may be.
	ANDNQ AX, CX, DX
	JNZ   end
	ANDQ  CX, R13
	ANDNQ R13, AX, DX
	ANDNQ DX, R14, DX
	JNZ   end
	ANDNQ AX, R13, DX
	MOVQ  literal+56(FP), AX
	ANDNQ DX, AX, DX
	JNZ   end
	ANDNQ CX, R14, CX
	KMOVQ CX, K1
	VPCOMPRESSB.Z Z0, K1, Z0
	POPCNTQ CX, DX
	VMOVD X0, R13
	JMP   begins
