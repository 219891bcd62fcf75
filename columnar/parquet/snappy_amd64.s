#include "textflag.h"

// Places of the parts of a tagTable.
#define ABOVE 1024
#define LENGTHS 2048
#define SOURCES 2304
#define OLDER 2880
#define NEWER 2912
#define STEPS 2944

// func decodeTags(dst []byte, done, wanted int, src []byte, at int, t *tagTable) (newDone, newAt int)
//
// The longest chain of dependences leads from one tag to the next: a shift, a load and a choice.
TEXT ·decodeTags(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), R8
	MOVQ done+24(FP), DI
	ADDQ R8, DI              // where the next byte goes
	MOVQ wanted+32(FP), R9
	ADDQ R8, R9
	MOVQ src_base+40(FP), SI
	MOVQ src_len+48(FP), R10
	ADDQ SI, R10
	ADDQ at+64(FP), SI
	MOVQ t+72(FP), R11

	VMOVDQU -16(DI), X7      // the window
	MOVBLZX (SI), AX         // the tag
	INCQ    SI               // what is behind it

	CMPQ SI, R10
	JA   end
	CMPQ DI, R9
	JAE  end

loop:
	MOVBLZX LENGTHS(R11)(AX*1), R13
	TESTL   R13, R13
	JZ      end
	MOVWLZX (SI), R12
	ANDL    (R11)(AX*4), R12
	ORL     ABOVE(R11)(AX*4), R12 // the offset
	MOVL    AX, DX
	SHRL    $2, DX                // of a literal: its length but one
	ANDL    $3, AX                // of a copy: how many bytes its offset has
	CMPL    R12, AX
	JCS     end                   // of 0; or of 1 where that is rare
	MOVQ    DI, R15
	SUBQ    R12, R15
	CMPQ    R15, R8
	JB      end                   // before the beginning

	MOVL    $17, R14
	CMPL    R12, R14
	CMOVLCS R12, R14
	CMOVQCS SI, R15          // a load from the window's memory would wait for it
	SHLL    $5, R14
	VMOVDQU (R15), X0
	VPSHUFB SOURCES(R11)(R14*1), X0, X0
	VPSHUFB (SOURCES+16)(R11)(R14*1), X7, X1
	VPOR    X1, X0, X0
	VMOVDQU X0, (DI)
	CMPL    R13, $16
	JA      long
	VPSHUFB OLDER(R11)(R13*1), X7, X7
	VPSHUFB NEWER(R11)(R13*1), X0, X1
	VPOR    X1, X7, X7
	ADDQ    R13, DI

next:
	INCL    DX
	TESTL   AX, AX
	CMOVLNE AX, DX
	MOVBLZX (SI)(DX*1), AX
	LEAQ    1(SI)(DX*1), SI
	CMPQ    SI, R10
	JA      end
	CMPQ    DI, R9
	JB      loop
	JMP     end

long:
	MOVQ    SI, R15
	MOVQ    DI, BX
	SUBQ    R12, BX
	TESTL   AX, AX
	CMOVQNE BX, R15
	SHRL    $5, R14
	MOVBLZX STEPS(R11)(R14*1), R14
	ADDQ    R14, R15
	VMOVDQU (R15), X0
	VMOVDQU X0, 16(DI)
	CMPL    R13, $32
	JBE     reload
	VMOVDQU 16(R15), X0
	VMOVDQU X0, 32(DI)
	VMOVDQU 32(R15), X0
	VMOVDQU X0, 48(DI)

reload:
	ADDQ    R13, DI
	VMOVDQU -16(DI), X7
	JMP     next

end:
	SUBQ R8, DI
	MOVQ DI, newDone+80(FP)
	DECQ SI
	SUBQ src_base+40(FP), SI
	MOVQ SI, newAt+88(FP)
	RET
