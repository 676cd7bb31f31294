#include "textflag.h"

// func tileAVX2(t *tile)
//
// Four rows by sixteen columns. Every sum is its own lane and grows in the order
// of k, product and sum rounded apart, so the result is that of multiplyPortable.
TEXT ·tileAVX2(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), R15
	MOVQ 0(R15), SI    // a
	MOVQ 8(R15), AX    // lda
	MOVQ 16(R15), DI   // b
	MOVQ 24(R15), DX   // bias
	MOVQ 32(R15), R8   // c
	MOVQ 40(R15), R9   // ldc
	MOVQ 48(R15), CX   // k
	SHLQ $2, AX
	SHLQ $2, R9
	LEAQ (SI)(AX*1), R10
	LEAQ (SI)(AX*2), R11
	LEAQ (R10)(AX*2), R12
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1
	VMOVAPS Y0, Y2
	VMOVAPS Y1, Y3
	VMOVAPS Y0, Y4
	VMOVAPS Y1, Y5
	VMOVAPS Y0, Y6
	VMOVAPS Y1, Y7
	XORQ BX, BX
	TESTQ CX, CX
	JZ   store

loop:
	VMOVUPS (DI), Y8
	VMOVUPS 32(DI), Y9
	VBROADCASTSS (SI)(BX*4), Y10
	VBROADCASTSS (R10)(BX*4), Y11
	VMULPS Y8, Y10, Y12
	VMULPS Y9, Y10, Y13
	VMULPS Y8, Y11, Y14
	VMULPS Y9, Y11, Y15
	VADDPS Y12, Y0, Y0
	VADDPS Y13, Y1, Y1
	VADDPS Y14, Y2, Y2
	VADDPS Y15, Y3, Y3
	VBROADCASTSS (R11)(BX*4), Y10
	VBROADCASTSS (R12)(BX*4), Y11
	VMULPS Y8, Y10, Y12
	VMULPS Y9, Y10, Y13
	VMULPS Y8, Y11, Y14
	VMULPS Y9, Y11, Y15
	VADDPS Y12, Y4, Y4
	VADDPS Y13, Y5, Y5
	VADDPS Y14, Y6, Y6
	VADDPS Y15, Y7, Y7
	ADDQ $64, DI
	INCQ BX
	CMPQ BX, CX
	JLT  loop

store:
	VMOVUPS Y0, (R8)
	VMOVUPS Y1, 32(R8)
	ADDQ R9, R8
	VMOVUPS Y2, (R8)
	VMOVUPS Y3, 32(R8)
	ADDQ R9, R8
	VMOVUPS Y4, (R8)
	VMOVUPS Y5, 32(R8)
	ADDQ R9, R8
	VMOVUPS Y6, (R8)
	VMOVUPS Y7, 32(R8)
	VZEROUPPER
	RET

// The numbers of exp, in the order of the constants in vector.go: each is one
// float32 of the table that the callers pass in R13.
//
// EXP leaves in Y0 the exponential of Y0; it uses Y1, Y2 and Y3.
#define EXP \
	VBROADCASTSS 0(R13), Y1  \ // lowest
	VMAXPS Y1, Y0, Y0        \
	VBROADCASTSS 4(R13), Y1  \ // highest
	VMINPS Y1, Y0, Y0        \
	VBROADCASTSS 8(R13), Y1  \ // 1/ln 2
	VMULPS Y1, Y0, Y2        \
	VBROADCASTSS 12(R13), Y1 \ // rounds to whole numbers
	VADDPS Y1, Y2, Y2        \ // Y2: whole number in the low bits
	VSUBPS Y1, Y2, Y3        \ // Y3: the whole number
	VBROADCASTSS 16(R13), Y1 \ // ln 2, high part
	VMULPS Y1, Y3, Y1        \
	VSUBPS Y1, Y0, Y0        \
	VBROADCASTSS 20(R13), Y1 \ // ln 2, low part
	VMULPS Y1, Y3, Y1        \
	VSUBPS Y1, Y0, Y0        \
	VBROADCASTSS 24(R13), Y1 \
	VMULPS Y0, Y1, Y1        \
	VBROADCASTSS 28(R13), Y3 \
	VADDPS Y3, Y1, Y1        \
	VMULPS Y0, Y1, Y1        \
	VBROADCASTSS 32(R13), Y3 \
	VADDPS Y3, Y1, Y1        \
	VMULPS Y0, Y1, Y1        \
	VBROADCASTSS 36(R13), Y3 \
	VADDPS Y3, Y1, Y1        \
	VMULPS Y0, Y1, Y1        \
	VBROADCASTSS 40(R13), Y3 \
	VADDPS Y3, Y1, Y1        \
	VMULPS Y0, Y1, Y1        \
	VBROADCASTSS 44(R13), Y3 \
	VADDPS Y3, Y1, Y1        \
	VMULPS Y0, Y1, Y1        \
	VBROADCASTSS 48(R13), Y3 \ // 1
	VADDPS Y3, Y1, Y1        \
	VPBROADCASTD 52(R13), Y3 \ // bias of the exponent
	VPADDD Y3, Y2, Y2        \
	VPSLLD $23, Y2, Y2       \
	VMULPS Y2, Y1, Y0

// func expAVX2(x *float32, n int, less float32, table *float32)
//
// x[i] = exp(x[i] - less); n is a multiple of eight.
TEXT ·expAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	VBROADCASTSS less+16(FP), Y5
	MOVQ table+24(FP), R13

exps:
	VMOVUPS (DI), Y0
	VSUBPS Y5, Y0, Y0
	EXP
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	SUBQ $8, CX
	JG   exps
	VZEROUPPER
	RET

// func activateAVX2(x *float32, n int, table *float32)
//
// x[i] = x[i] / (1 + exp(-1.702 x[i])); n is a multiple of eight.
TEXT ·activateAVX2(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ table+16(FP), R13
	VBROADCASTSS 56(R13), Y5 // -1.702
	VBROADCASTSS 48(R13), Y6 // 1

activations:
	VMOVUPS (DI), Y4
	VMULPS Y5, Y4, Y0
	EXP
	VADDPS Y6, Y0, Y0
	VDIVPS Y0, Y4, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	SUBQ $8, CX
	JG   activations
	VZEROUPPER
	RET
