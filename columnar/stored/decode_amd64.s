#include "textflag.h"

// func ascii16Groups(dst, src *byte, groups int, other, shift uint64) (done int)
//
// The loop of ascii16 does the same in Go, for eight characters.
TEXT ·ascii16Groups(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         groups+16(FP), CX
	VMOVQ        other+24(FP), X0
	VPBROADCASTQ X0, Y0
	VMOVQ        shift+32(FP), X1
	XORQ         AX, AX

group:
	CMPQ      AX, CX
	JGE       done
	VMOVDQU   (SI), Y2
	VMOVDQU   32(SI), Y3
	VPOR      Y2, Y3, Y4
	VPTEST    Y0, Y4
	JNZ       done
	VPSRLW    X1, Y2, Y2
	VPSRLW    X1, Y3, Y3
	VPACKUSWB Y3, Y2, Y2
	VPERMQ    $0xD8, Y2, Y2
	VMOVDQU   Y2, (DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	INCQ      AX
	JMP       group

done:
	VZEROUPPER
	MOVQ AX, done+40(FP)
	RET
