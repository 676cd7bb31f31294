package kernel

import "golang.org/x/sys/cpu"

// fast says whether the processor has what the assembly needs.
var fast = cpu.X86.HasAVX2 && hasF16C()

func hasF16C() bool

//go:noescape
func panelAVX2(t *tile[float32])

//go:noescape
func panelHalfAVX2(t *tile[uint16])

//go:noescape
func softmaxAVX2(x *float32, n int, tail *uint32, table *float32)

//go:noescape
func activateAVX2(x *float32, n int, table *float32)

//go:noescape
func addAVX2(x, y *float32, n int)

//go:noescape
func relateAVX2(x *float32, n int, by *float32, relation *uint8, scale float32)

//go:noescape
func normAVX2(x, out *float32, n int, scale, shift, numbers *float32)

//go:noescape
func scoreAVX2(s *stepTile)

//go:noescape
func mixAVX2(s *stepTile)

//go:noescape
func wholePanelAVX2(t *wholeTile)

//go:noescape
func greatestAVX2(x *float32, n int) float32

//go:noescape
func roundAVX2(x *float32, to *int16, n int, by float32)
