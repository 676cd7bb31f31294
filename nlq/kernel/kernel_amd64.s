#include "textflag.h"

// The product of a panel: rows by fours times sixteen columns. Every sum is its
// own lane and grows in the order of k, product and sum rounded apart, so the
// result is that of multiplyPortable.

// ENTER reads the tile into registers.
#define ENTER \
	MOVQ t+0(FP), R15  \
	MOVQ 0(R15), SI    \ // a
	MOVQ 8(R15), AX    \ // lda
	MOVQ 16(R15), R13  \ // b
	MOVQ 24(R15), DX   \ // bias
	MOVQ 32(R15), R8   \ // c
	MOVQ 40(R15), R9   \ // ldc
	MOVQ 48(R15), CX   \ // k
	MOVQ 56(R15), R14  \ // rows
	SHLQ $2, AX        \
	SHLQ $2, R9

// BEGIN starts the sums of four rows.
#define BEGIN \
	MOVQ R13, DI         \
	LEAQ (SI)(AX*1), R10 \
	LEAQ (SI)(AX*2), R11 \
	LEAQ (R10)(AX*2), R12 \
	VMOVUPS (DX), Y0     \
	VMOVUPS 32(DX), Y1   \
	VMOVAPS Y0, Y2       \
	VMOVAPS Y1, Y3       \
	VMOVAPS Y0, Y4       \
	VMOVAPS Y1, Y5       \
	VMOVAPS Y0, Y6       \
	VMOVAPS Y1, Y7       \
	XORQ BX, BX

// ADD adds to the sums the products with the sixteen numbers in Y8 and Y9.
#define ADD \
	VBROADCASTSS (SI)(BX*4), Y10  \
	VBROADCASTSS (R10)(BX*4), Y11 \
	VMULPS Y8, Y10, Y12           \
	VMULPS Y9, Y10, Y13           \
	VMULPS Y8, Y11, Y14           \
	VMULPS Y9, Y11, Y15           \
	VADDPS Y12, Y0, Y0            \
	VADDPS Y13, Y1, Y1            \
	VADDPS Y14, Y2, Y2            \
	VADDPS Y15, Y3, Y3            \
	VBROADCASTSS (R11)(BX*4), Y10 \
	VBROADCASTSS (R12)(BX*4), Y11 \
	VMULPS Y8, Y10, Y12           \
	VMULPS Y9, Y10, Y13           \
	VMULPS Y8, Y11, Y14           \
	VMULPS Y9, Y11, Y15           \
	VADDPS Y12, Y4, Y4            \
	VADDPS Y13, Y5, Y5            \
	VADDPS Y14, Y6, Y6            \
	VADDPS Y15, Y7, Y7

// END stores the sums and moves on by four rows.
#define END \
	VMOVUPS Y0, (R8)     \
	VMOVUPS Y1, 32(R8)   \
	ADDQ R9, R8          \
	VMOVUPS Y2, (R8)     \
	VMOVUPS Y3, 32(R8)   \
	ADDQ R9, R8          \
	VMOVUPS Y4, (R8)     \
	VMOVUPS Y5, 32(R8)   \
	ADDQ R9, R8          \
	VMOVUPS Y6, (R8)     \
	VMOVUPS Y7, 32(R8)   \
	ADDQ R9, R8          \
	LEAQ (SI)(AX*4), SI

// func panelAVX2(t *tile)
TEXT ·panelAVX2(SB), NOSPLIT, $0-8
	ENTER

rows:
	BEGIN

loop:
	VMOVUPS (DI), Y8
	VMOVUPS 32(DI), Y9
	ADD
	ADDQ $64, DI
	INCQ BX
	CMPQ BX, CX
	JLT  loop
	END
	SUBQ $4, R14
	JG   rows
	VZEROUPPER
	RET

// func panelHalfAVX2(t *tile)
//
// The same with b in half precision, which becomes single precision unchanged.
TEXT ·panelHalfAVX2(SB), NOSPLIT, $0-8
	ENTER

rows:
	BEGIN

loop:
	VCVTPH2PS (DI), Y8
	VCVTPH2PS 16(DI), Y9
	ADD
	ADDQ $32, DI
	INCQ BX
	CMPQ BX, CX
	JLT  loop
	END
	SUBQ $4, R14
	JG   rows
	VZEROUPPER
	RET

// func hasF16C() bool
TEXT ·hasF16C(SB), NOSPLIT, $0-1
	MOVL $1, AX
	XORL CX, CX
	CPUID
	SHRL $29, CX
	ANDL $1, CX
	MOVB CX, ret+0(FP)
	RET
