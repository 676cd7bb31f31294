#include "textflag.h"

// MULTIPLY adds to the sums of a row, sixteen columns, the products of a pair of
// numbers with those in Y8 and Y9.
#define MULTIPLY(row, low, high) \
	VPBROADCASTD (row)(BX*4), Y10 \
	VPMADDWD Y8, Y10, Y11         \
	VPMADDWD Y9, Y10, Y12         \
	VPADDD Y11, low, low          \
	VPADDD Y12, high, high

// STORE scales the sums of a row, adds the bias and goes on to the next row.
#define STORE(low, high, place) \
	VBROADCASTSS place(R12), Y12 \
	VCVTDQ2PS low, low           \
	VCVTDQ2PS high, high         \
	VMULPS Y12, low, low         \
	VMULPS Y12, high, high       \
	VMULPS (R9), low, low        \
	VMULPS 32(R9), high, high    \
	VADDPS (DX), low, low        \
	VADDPS 32(DX), high, high    \
	VMOVUPS low, (R8)            \
	VMOVUPS high, 32(R8)         \
	ADDQ R14, R8

// func wholePanelAVX2(t *wholeTile)
//
// Sums are exact, and scaled as multiplyPortable does.
TEXT ·wholePanelAVX2(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), R15
	MOVQ 0(R15), SI   // a
	MOVQ 8(R15), AX   // lda
	MOVQ 24(R15), R9  // scales
	MOVQ 32(R15), DX  // bias
	MOVQ 40(R15), R8  // c
	MOVQ 48(R15), R14 // ldc
	MOVQ 56(R15), CX  // pairs
	MOVQ 72(R15), R12 // each
	SHLQ $1, AX
	SHLQ $2, R14

rows:
	MOVQ 16(R15), DI  // b
	LEAQ (SI)(AX*1), R10
	LEAQ (SI)(AX*2), R11
	LEAQ (R10)(AX*2), R13
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ BX, BX

pairs:
	VPMOVSXBW (DI), Y8
	VPMOVSXBW 16(DI), Y9
	MULTIPLY(SI, Y0, Y1)
	MULTIPLY(R10, Y2, Y3)
	MULTIPLY(R11, Y4, Y5)
	MULTIPLY(R13, Y6, Y7)
	ADDQ $32, DI
	INCQ BX
	CMPQ BX, CX
	JLT  pairs
	STORE(Y0, Y1, 0)
	STORE(Y2, Y3, 4)
	STORE(Y4, Y5, 8)
	STORE(Y6, Y7, 12)
	ADDQ $16, R12
	LEAQ (SI)(AX*4), SI
	SUBQ $4, 64(R15)  // rows
	JG   rows
	VZEROUPPER
	RET

// func greatestAVX2(x *float32, n int) float32
//
// n is a multiple of eight.
TEXT ·greatestAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VPCMPEQD Y1, Y1, Y1
	VPSRLD $1, Y1, Y1 // all but the sign
	VXORPS Y0, Y0, Y0

next:
	VANDPS (SI), Y1, Y2
	VMAXPS Y2, Y0, Y0
	ADDQ $32, SI
	SUBQ $8, CX
	JG   next
	VEXTRACTF128 $1, Y0, X2
	VMAXPS X2, X0, X0
	VPSHUFD $0x4e, X0, X2
	VMAXPS X2, X0, X0
	VPSHUFD $0xb1, X0, X2
	VMAXPS X2, X0, X0
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

// func roundAVX2(x *float32, to *int16, n int, by float32)
//
// n is a multiple of sixteen. Rounds to the nearest, halves to even.
TEXT ·roundAVX2(SB), NOSPLIT, $0-28
	MOVQ x+0(FP), SI
	MOVQ to+8(FP), DI
	MOVQ n+16(FP), CX
	VBROADCASTSS by+24(FP), Y4

more:
	VMULPS (SI), Y4, Y0
	VMULPS 32(SI), Y4, Y1
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPACKSSDW Y1, Y0, Y0
	VPERMQ $0xd8, Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	SUBQ $16, CX
	JG   more
	VZEROUPPER
	RET
