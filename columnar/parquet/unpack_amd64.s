#include "textflag.h"

// func unpackAVX2(dst *int32, packed *byte, groups, width int, l *layout) (most uint32)
//
// unpackRest does the same in Go, value by value.
TEXT ·unpackAVX2(SB), NOSPLIT, $0-44
	MOVQ dst+0(FP), DI
	MOVQ packed+8(FP), SI
	MOVQ groups+16(FP), CX
	MOVQ width+24(FP), DX
	MOVQ l+32(FP), AX

	VMOVDQU (AX), Y1   // bytes
	VMOVDQU 32(AX), Y2 // shifts
	VMOVDQU 64(AX), Y3 // mask
	VPXOR   Y4, Y4, Y4 // the greatest values
	MOVQ    DX, BX
	SHRQ    $1, BX
	ADDQ    SI, BX     // the fifth value

loop:
	VMOVDQU     (SI), X0
	VINSERTI128 $1, (BX), Y0, Y0
	VPSHUFB     Y1, Y0, Y0
	VPSRLVD     Y2, Y0, Y0
	VPAND       Y3, Y0, Y0
	VMOVDQU     Y0, (DI)
	VPMAXUD     Y0, Y4, Y4
	ADDQ        DX, SI
	ADDQ        DX, BX
	ADDQ        $32, DI
	DECQ        CX
	JNZ         loop

	VEXTRACTI128 $1, Y4, X0
	VPMAXUD      X0, X4, X4
	VPSHUFD      $0x4e, X4, X0
	VPMAXUD      X0, X4, X4
	VPSHUFD      $0xb1, X4, X0
	VPMAXUD      X0, X4, X4
	VMOVD        X4, AX
	MOVL         AX, most+40(FP)
	VZEROUPPER
	RET
