#include "textflag.h"

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

// TOTAL leaves in X0 the lanes of Y6, added one after the other; it uses X1 and X2.
#define TOTAL \
	VXORPS X0, X0, X0       \
	VADDSS X6, X0, X0       \
	VPSRLDQ $4, X6, X1      \
	VADDSS X1, X0, X0       \
	VPSRLDQ $8, X6, X1      \
	VADDSS X1, X0, X0       \
	VPSRLDQ $12, X6, X1     \
	VADDSS X1, X0, X0       \
	VEXTRACTF128 $1, Y6, X2 \
	VADDSS X2, X0, X0       \
	VPSRLDQ $4, X2, X1      \
	VADDSS X1, X0, X0       \
	VPSRLDQ $8, X2, X1      \
	VADDSS X1, X0, X0       \
	VPSRLDQ $12, X2, X1     \
	VADDSS X1, X0, X0

// func softmaxAVX2(x *float32, n int, tail *uint32, table *float32)
//
// n is a multiple of eight, rounded up; tail has the lanes of the last eight
// that count.
TEXT ·softmaxAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ tail+16(FP), R8
	MOVQ table+24(FP), R13
	VMOVUPS (R8), Y7
	LEAQ -32(DI)(CX*4), R9 // the last eight
	VBROADCASTSS (DI), Y4
	VMOVUPS (R9), Y0
	VBLENDVPS Y7, Y0, Y4, Y5
	MOVQ DI, SI
	JMP  most

more:
	VMAXPS (SI), Y5, Y5
	ADDQ $32, SI

most:
	CMPQ SI, R9
	JLT  more
	VEXTRACTF128 $1, Y5, X0
	VMAXPS X0, X5, X5
	VPSHUFD $0x4e, X5, X0
	VMAXPS X0, X5, X5
	VPSHUFD $0xb1, X5, X0
	VMAXPS X0, X5, X5
	VBROADCASTSS X5, Y5
	VXORPS Y6, Y6, Y6
	MOVQ DI, SI
	JMP  exps

next:
	VMOVUPS (SI), Y0
	VSUBPS Y5, Y0, Y0
	EXP
	VMOVUPS Y0, (SI)
	VADDPS Y0, Y6, Y6
	ADDQ $32, SI

exps:
	CMPQ SI, R9
	JLT  next
	VMOVUPS (SI), Y0
	VSUBPS Y5, Y0, Y0
	EXP
	VMOVUPS Y0, (SI)
	VANDPS Y7, Y0, Y0
	VADDPS Y0, Y6, Y6
	TOTAL
	VMOVSS 48(R13), X1
	VDIVSS X0, X1, X0
	VBROADCASTSS X0, Y0

shares:
	VMULPS (DI), Y0, Y1
	VMOVUPS Y1, (DI)
	ADDQ $32, DI
	CMPQ DI, R9
	JLE  shares
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

// func addAVX2(x, y *float32, n int)
//
// n is a multiple of eight.
TEXT ·addAVX2(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	MOVQ n+16(FP), CX

adds:
	VMOVUPS (DI), Y0
	VADDPS (SI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	SUBQ $8, CX
	JG   adds
	VZEROUPPER
	RET

// func relateAVX2(x *float32, n int, by *float32, relation *uint8, scale float32)
//
// x[i] = (x[i] + by[relation[i]]) * scale; n is a multiple of eight.
TEXT ·relateAVX2(SB), NOSPLIT, $0-36
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ by+16(FP), R8
	MOVQ relation+24(FP), SI
	VBROADCASTSS scale+32(FP), Y4

relations:
	VPMOVZXBD (SI), Y1
	VPCMPEQD Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VGATHERDPS Y2, (R8)(Y1*4), Y3
	VADDPS (DI), Y3, Y3
	VMULPS Y4, Y3, Y3
	VMOVUPS Y3, (DI)
	ADDQ $32, DI
	ADDQ $8, SI
	SUBQ $8, CX
	JG   relations
	VZEROUPPER
	RET

// func normAVX2(x, out *float32, n int, scale, shift *float32, numbers *float32)
//
// One row; n is a multiple of eight, numbers are n, epsilon and 1.
TEXT ·normAVX2(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ out+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ scale+24(FP), R8
	MOVQ shift+32(FP), R9
	MOVQ numbers+40(FP), R13
	LEAQ (SI)(CX*4), R10
	VXORPS Y6, Y6, Y6
	MOVQ SI, BX

means:
	VADDPS (BX), Y6, Y6
	ADDQ $32, BX
	CMPQ BX, R10
	JLT  means
	TOTAL
	VDIVSS (R13), X0, X0
	VBROADCASTSS X0, Y5
	VXORPS Y6, Y6, Y6
	MOVQ SI, BX

squares:
	VMOVUPS (BX), Y0
	VSUBPS Y5, Y0, Y0
	VMULPS Y0, Y0, Y0
	VADDPS Y0, Y6, Y6
	ADDQ $32, BX
	CMPQ BX, R10
	JLT  squares
	TOTAL
	VDIVSS (R13), X0, X0
	VADDSS 4(R13), X0, X0
	VSQRTSS X0, X0, X0
	VMOVSS 8(R13), X1
	VDIVSS X0, X1, X0
	VBROADCASTSS X0, Y4

norms:
	VMOVUPS (SI), Y0
	VSUBPS Y5, Y0, Y0
	VMULPS Y4, Y0, Y0
	VMULPS (R8), Y0, Y0
	VADDPS (R9), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, R8
	ADDQ $32, R9
	CMPQ SI, R10
	JLT  norms
	VZEROUPPER
	RET
