package kernel

import "math"

// Half reads a number in half precision.
func Half(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, uint32(bits>>10)&31, uint32(bits)&1023
	switch exponent {
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)/(1<<24)))
	case 31:
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// ToHalf writes a number in half precision. One that has none becomes another.
func ToHalf(x float32) uint16 {
	bits := math.Float32bits(x)
	sign, exponent, fraction := uint16(bits>>16)&0x8000, int(bits>>23)&255-112, uint16(bits>>13)&1023
	switch {
	case exponent <= 0:
		return sign | uint16(math.Abs(float64(x))*(1<<24))&1023
	case exponent >= 31:
		return sign | 31<<10
	}
	return sign | uint16(exponent)<<10 | fraction
}
