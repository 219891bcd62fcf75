#include "textflag.h"

#define word_end 8
#define word_newline 16
#define word_inside 24

// EXTRACT writes the position of the lowest set bit of BX and clears the bit. If no bit is
// set, it writes an arbitrary value.
#define EXTRACT(off) \
	TZCNTQ BX, AX  \
	BLSRQ  BX, BX  \
	ADDL   R14, AX \
	MOVL   AX, off(DI)

// func extractBMI(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)
//
// extractPortable does the same in Go.
//
// For each 64 words it first lists those that have ends, without a branch: where some
// words have ends and others none, mispredicted branches would cost more than everything
// else. The stack holds the ends of the listed words and, from 512 on, the positions of
// their first bytes.
TEXT ·extractBMI(SB), 0, $768-56
	MOVQ dst+0(FP), DI
	MOVQ words+8(FP), SI
	MOVQ n+16(FP), R9
	MOVQ flip+24(FP), DX
	MOVL base+32(FP), R8
	MOVQ DI, R11
	XORL R12, R12

chunk:
	MOVQ R9, R10
	CMPQ R10, $64
	JLE  some
	MOVL $64, R10

some:
	SUBQ R10, R9
	XORL R13, R13 // how many are listed

list:
	MOVQ    word_inside(SI), AX
	XORQ    DX, AX
	ANDNQ   word_end(SI), AX, BX
	ANDNQ   word_newline(SI), AX, AX
	POPCNTQ AX, AX
	ADDQ    AX, R12
	MOVQ    BX, 0(SP)(R13*8)
	MOVL    R8, 512(SP)(R13*4)
	CMPQ    BX, $1
	SBBQ    $-1, R13 // counts the word unless BX is 0
	ADDL    $64, R8
	ADDQ    $32, SI
	DECQ    R10
	JNZ     list
	TESTQ   R13, R13
	JZ      next

	// R10 counts the words taken from the list.
take:
	MOVQ    0(SP)(R10*8), BX
	MOVL    512(SP)(R10*4), R14
	POPCNTQ BX, CX
	LEAQ    (DI)(CX*4), CX
	EXTRACT(0)
	EXTRACT(4)
	EXTRACT(8)
	EXTRACT(12)
	EXTRACT(16)
	EXTRACT(20)
	EXTRACT(24)
	EXTRACT(28)
	TESTQ   BX, BX
	JZ      taken

four:
	EXTRACT(32)
	EXTRACT(36)
	EXTRACT(40)
	EXTRACT(44)
	ADDQ  $16, DI
	TESTQ BX, BX
	JNZ   four

taken:
	MOVQ CX, DI
	INCQ R10
	CMPQ R10, R13
	JNE  take

next:
	TESTQ R9, R9
	JNZ   chunk

	SUBQ R11, DI
	SHRQ $2, DI
	MOVQ DI, ends+40(FP)
	MOVQ R12, newlines+48(FP)
	RET

DATA ·lanes<>+0(SB)/8, $0x0706050403020100
DATA ·lanes<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA ·lanes<>+16(SB)/8, $0x1716151413121110
DATA ·lanes<>+24(SB)/8, $0x1f1e1d1c1b1a1918
DATA ·lanes<>+32(SB)/8, $0x2726252423222120
DATA ·lanes<>+40(SB)/8, $0x2f2e2d2c2b2a2928
DATA ·lanes<>+48(SB)/8, $0x3736353433323130
DATA ·lanes<>+56(SB)/8, $0x3f3e3d3c3b3a3938
GLOBL ·lanes<>(SB), RODATA|NOPTR, $64

// func extractAVX512(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)
//
// extractPortable does the same in Go.
//
// The positions of the set bits are compressed as bytes and widened, 16 at a time.
TEXT ·extractAVX512(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ words+8(FP), SI
	MOVQ n+16(FP), R9
	MOVQ flip+24(FP), DX
	MOVL base+32(FP), R8
	MOVQ DI, R11
	XORL R12, R12
	VMOVDQU64 ·lanes<>(SB), Z0

loop:
	MOVQ  word_inside(SI), AX
	XORQ  DX, AX
	ANDNQ word_end(SI), AX, BX
	JZ    next
	ANDNQ word_newline(SI), AX, AX
	POPCNTQ AX, AX
	ADDQ  AX, R12
	POPCNTQ BX, CX
	KMOVQ BX, K1
	VPCOMPRESSB.Z Z0, K1, Z1
	VPBROADCASTD  R8, Z2
	VPMOVZXBD     X1, Z3
	VPADDD        Z2, Z3, Z3
	VMOVDQU32     Z3, (DI)
	CMPQ  CX, $16
	JLE   done
	VEXTRACTI32X4 $1, Z1, X3
	VPMOVZXBD     X3, Z3
	VPADDD        Z2, Z3, Z3
	VMOVDQU32     Z3, 64(DI)
	CMPQ  CX, $32
	JLE   done
	VEXTRACTI32X4 $2, Z1, X3
	VPMOVZXBD     X3, Z3
	VPADDD        Z2, Z3, Z3
	VMOVDQU32     Z3, 128(DI)
	VEXTRACTI32X4 $3, Z1, X3
	VPMOVZXBD     X3, Z3
	VPADDD        Z2, Z3, Z3
	VMOVDQU32     Z3, 192(DI)

done:
	LEAQ (DI)(CX*4), DI

next:
	ADDL $64, R8
	ADDQ $32, SI
	DECQ R9
	JNZ  loop

	SUBQ R11, DI
	SHRQ $2, DI
	MOVQ DI, ends+40(FP)
	MOVQ R12, newlines+48(FP)
	VZEROUPPER
	RET
