//go:build !amd64

package kernel

const fast = false

const noAssembly = "kernel: no assembly on this processor"

func panelAVX2(*tile[float32]) { panic(noAssembly) }

func panelHalfAVX2(*tile[uint16]) { panic(noAssembly) }

func softmaxAVX2(*float32, int, *uint32, *float32) { panic(noAssembly) }

func activateAVX2(*float32, int, *float32) { panic(noAssembly) }

func addAVX2(*float32, *float32, int) { panic(noAssembly) }

func relateAVX2(*float32, int, *float32, *uint8, float32) { panic(noAssembly) }

func normAVX2(*float32, *float32, int, *float32, *float32, *float32) { panic(noAssembly) }

func scoreAVX2(*stepTile) { panic(noAssembly) }

func mixAVX2(*stepTile) { panic(noAssembly) }

func wholePanelAVX2(*wholeTile) { panic(noAssembly) }

func greatestAVX2(*float32, int) float32 { panic(noAssembly) }

func roundAVX2(*float32, *int16, int, float32) { panic(noAssembly) }
