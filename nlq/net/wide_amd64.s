#include "textflag.h"

// The product of a panel as in kernel_amd64.s, sixteen lanes at a time: rows by
// eights, and four that are left.

// BASES points at the first rows and at b, and starts their sums with the bias.
#define BASES \
	MOVQ 8(R15), R8 \ // lda
	SHLQ $2, R8 \
	MOVQ 16(R15), DI \ // b
	MOVQ 24(R15), BX \ // bias
	VMOVUPS (BX), Z0 \
	VMOVAPS Z0, Z1 \
	VMOVAPS Z0, Z2 \
	VMOVAPS Z0, Z3 \
	LEAQ (SI)(R8*1), R9 \
	LEAQ (SI)(R8*2), R10 \
	LEAQ (R9)(R8*2), R11 \
	XORQ BX, BX

// ADD4 adds to four sums the products with the sixteen numbers in Z8.
#define ADD4 \
	VMULPS.BCST (SI)(BX*4), Z8, Z9 \
	VMULPS.BCST (R9)(BX*4), Z8, Z10 \
	VMULPS.BCST (R10)(BX*4), Z8, Z11 \
	VMULPS.BCST (R11)(BX*4), Z8, Z12 \
	VADDPS Z9, Z0, Z0 \
	VADDPS Z10, Z1, Z1 \
	VADDPS Z11, Z2, Z2 \
	VADDPS Z12, Z3, Z3

// STORE4 stores four sums, and leaves ldc in R8.
#define STORE4 \
	MOVQ 40(R15), R8 \
	SHLQ $2, R8 \
	VMOVUPS Z0, (AX) \
	ADDQ R8, AX \
	VMOVUPS Z1, (AX) \
	ADDQ R8, AX \
	VMOVUPS Z2, (AX) \
	ADDQ R8, AX \
	VMOVUPS Z3, (AX) \
	ADDQ R8, AX

// func panelAVX512(t *tile[float32])
TEXT ·panelAVX512(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), R15
	MOVQ 0(R15), SI  // a
	MOVQ 32(R15), AX // c
	MOVQ 48(R15), CX // k
	MOVQ 56(R15), DX // rows
	CMPQ DX, $8
	JLT  four

eight:
	BASES
	LEAQ (SI)(R8*4), R12
	LEAQ (R9)(R8*4), R13
	LEAQ (R10)(R8*4), R14
	LEAQ (R11)(R8*4), R8
	VMOVAPS Z0, Z4
	VMOVAPS Z0, Z5
	VMOVAPS Z0, Z6
	VMOVAPS Z0, Z7

loop8:
	VMOVUPS (DI), Z8
	ADD4
	VMULPS.BCST (R12)(BX*4), Z8, Z13
	VMULPS.BCST (R13)(BX*4), Z8, Z14
	VMULPS.BCST (R14)(BX*4), Z8, Z15
	VMULPS.BCST (R8)(BX*4), Z8, Z16
	VADDPS Z13, Z4, Z4
	VADDPS Z14, Z5, Z5
	VADDPS Z15, Z6, Z6
	VADDPS Z16, Z7, Z7
	ADDQ $64, DI
	INCQ BX
	CMPQ BX, CX
	JLT  loop8
	STORE4
	VMOVUPS Z4, (AX)
	ADDQ R8, AX
	VMOVUPS Z5, (AX)
	ADDQ R8, AX
	VMOVUPS Z6, (AX)
	ADDQ R8, AX
	VMOVUPS Z7, (AX)
	ADDQ R8, AX
	MOVQ 8(R15), R8
	SHLQ $5, R8
	ADDQ R8, SI
	SUBQ $8, DX
	CMPQ DX, $8
	JGE  eight
	TESTQ DX, DX
	JZ   done

four:
	BASES

loop4:
	VMOVUPS (DI), Z8
	ADD4
	ADDQ $64, DI
	INCQ BX
	CMPQ BX, CX
	JLT  loop4
	STORE4

done:
	VZEROUPPER
	RET

// func panelHalfAVX512(t *tile[uint16])
TEXT ·panelHalfAVX512(SB), NOSPLIT, $0-8
	MOVQ t+0(FP), R15
	MOVQ 0(R15), SI  // a
	MOVQ 32(R15), AX // c
	MOVQ 48(R15), CX // k
	MOVQ 56(R15), DX // rows
	CMPQ DX, $8
	JLT  four

eight:
	BASES
	LEAQ (SI)(R8*4), R12
	LEAQ (R9)(R8*4), R13
	LEAQ (R10)(R8*4), R14
	LEAQ (R11)(R8*4), R8
	VMOVAPS Z0, Z4
	VMOVAPS Z0, Z5
	VMOVAPS Z0, Z6
	VMOVAPS Z0, Z7

loop8:
	VCVTPH2PS (DI), Z8
	ADD4
	VMULPS.BCST (R12)(BX*4), Z8, Z13
	VMULPS.BCST (R13)(BX*4), Z8, Z14
	VMULPS.BCST (R14)(BX*4), Z8, Z15
	VMULPS.BCST (R8)(BX*4), Z8, Z16
	VADDPS Z13, Z4, Z4
	VADDPS Z14, Z5, Z5
	VADDPS Z15, Z6, Z6
	VADDPS Z16, Z7, Z7
	ADDQ $32, DI
	INCQ BX
	CMPQ BX, CX
	JLT  loop8
	STORE4
	VMOVUPS Z4, (AX)
	ADDQ R8, AX
	VMOVUPS Z5, (AX)
	ADDQ R8, AX
	VMOVUPS Z6, (AX)
	ADDQ R8, AX
	VMOVUPS Z7, (AX)
	ADDQ R8, AX
	MOVQ 8(R15), R8
	SHLQ $5, R8
	ADDQ R8, SI
	SUBQ $8, DX
	CMPQ DX, $8
	JGE  eight
	TESTQ DX, DX
	JZ   done

four:
	BASES

loop4:
	VCVTPH2PS (DI), Z8
	ADD4
	ADDQ $32, DI
	INCQ BX
	CMPQ BX, CX
	JLT  loop4
	STORE4

done:
	VZEROUPPER
	RET
