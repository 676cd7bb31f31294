//go:build !amd64

package net

const fast = false

func tileAVX2(*tile) { panic("net: no assembly on this processor") }

func expAVX2(*float32, int, float32, *float32) { panic("net: no assembly on this processor") }

func activateAVX2(*float32, int, *float32) { panic("net: no assembly on this processor") }
