package net

import "golang.org/x/sys/cpu"

// fast says whether the processor has what the assembly needs.
var fast = cpu.X86.HasAVX2

//go:noescape
func tileAVX2(t *tile)

//go:noescape
func expAVX2(x *float32, n int, less float32, table *float32)

//go:noescape
func activateAVX2(x *float32, n int, table *float32)
