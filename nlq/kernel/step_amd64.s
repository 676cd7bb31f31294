#include "textflag.h"

// func scoreAVX2(s *stepTile)
//
// weights[j] = from · keys of step path[j], in eight lanes that are added as
// dotPortable adds them; each is a multiple of eight.
TEXT ·scoreAVX2(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), R15
	MOVQ 0(R15), SI   // from
	MOVQ 8(R15), DI   // past
	MOVQ 16(R15), R8  // stride, in numbers
	MOVQ 24(R15), R9  // path
	MOVQ 32(R15), CX  // count
	MOVQ 40(R15), DX  // each
	MOVQ 48(R15), R10 // weights
	SHLQ $2, R8
	SHLQ $2, DX

keys:
	MOVLQSX (R9), AX
	IMULQ R8, AX
	ADDQ DI, AX
	VXORPS Y0, Y0, Y0
	XORQ BX, BX

products:
	VMOVUPS (SI)(BX*1), Y1
	VMULPS (AX)(BX*1), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, BX
	CMPQ BX, DX
	JLT  products
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VADDPS X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VADDSS X1, X0, X0
	VMOVSS X0, (R10)
	ADDQ $4, R9
	ADDQ $4, R10
	DECQ CX
	JG   keys
	VZEROUPPER
	RET

// func mixAVX2(s *stepTile)
//
// to = the sum of weights[j] times the values of step path[j], in their order;
// each is a multiple of eight.
TEXT ·mixAVX2(SB), NOSPLIT, $0-8
	MOVQ s+0(FP), R15
	MOVQ 0(R15), SI   // to
	MOVQ 8(R15), DI   // past
	MOVQ 16(R15), R8  // stride, in numbers
	MOVQ 24(R15), R9  // path
	MOVQ 32(R15), CX  // count
	MOVQ 40(R15), DX  // each
	MOVQ 48(R15), R10 // weights
	SHLQ $2, R8

lanes:
	VXORPS Y0, Y0, Y0
	XORQ BX, BX

values:
	MOVLQSX (R9)(BX*4), AX
	IMULQ R8, AX
	VBROADCASTSS (R10)(BX*4), Y1
	VMULPS (DI)(AX*1), Y1, Y1
	VADDPS Y1, Y0, Y0
	INCQ BX
	CMPQ BX, CX
	JLT  values
	VMOVUPS Y0, (SI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, DX
	JG   lanes
	VZEROUPPER
	RET
