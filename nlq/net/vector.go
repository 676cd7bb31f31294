package net

import "math"

// exps are the numbers of the exponential, in the order that the assembly knows:
// its bounds, 1/ln 2, a number that rounds what is added to it, ln 2 in two
// parts, a polynomial from the highest power on, 1, the bias of exponents, and
// the slope of the activation.
var exps = [...]float32{
	-87, 88,
	1.4426950408889634, 12582912, 0.693359375, -2.12194440e-4,
	1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1, 1,
	1, math.Float32frombits(exponentBias), -1.702,
}

const exponentBias = 127

// lanes is how many numbers the kernels take at a time.
const lanes = 8

// exp is the exponential, to about seven digits, step by step as the assembly
// computes it.
func exp(x float32) float32 {
	x = min(max(x, exps[0]), exps[1])
	whole := float32(x*exps[2]) + exps[3]
	n := whole - exps[3]
	x -= float32(n * exps[4])
	x -= float32(n * exps[5])
	y := exps[6]
	for _, c := range exps[7:12] {
		y = float32(y*x) + c
	}
	y = float32(y*x) + exps[12]
	return y * math.Float32frombits((math.Float32bits(whole)+exponentBias)<<23)
}

// expAll sets each number to exp of what it is more than less. Their count is
// rounded up to a multiple of lanes.
func expAll(x []float32, less float32) {
	x = x[:roundUp(len(x), lanes)]
	if fast && !portable && len(x) > 0 {
		expAVX2(&x[0], len(x), less, &exps[0])
	} else {
		expPortable(x, less)
	}
}

func expPortable(x []float32, less float32) {
	for i := range x {
		x[i] = exp(x[i] - less)
	}
}

// activate sets each number x to x / (1 + exp(-1.702 x)); their count is a
// multiple of lanes.
func activate(x []float32) {
	if fast && !portable && len(x) > 0 {
		activateAVX2(&x[0], len(x), &exps[0])
	} else {
		activatePortable(x)
	}
}

func activatePortable(x []float32) {
	for i, v := range x {
		x[i] = v / (exp(float32(exps[14]*v)) + 1)
	}
}

// softmax turns scores into shares of one. It has room for a multiple of lanes.
func softmax(x []float32) {
	most := x[0]
	for _, v := range x[1:] {
		most = max(most, v)
	}
	expAll(x, most)
	scale := 1 / sum(x)
	for i := range x {
		x[i] *= scale
	}
}

// sum adds numbers up in lanes, for speed, always in the same order.
func sum(x []float32) float32 {
	var part [lanes]float32
	for ; len(x) >= lanes; x = x[lanes:] {
		for i := range part {
			part[i] += x[i]
		}
	}
	for i, v := range x {
		part[i] += v
	}
	total := float32(0)
	for _, p := range part {
		total += p
	}
	return total
}

// norm is a layer's normalisation of rows.
type norm struct {
	scale, shift []float32
}

const normEpsilon = 1e-5

func (n *norm) apply(rows int, x, out []float32) {
	size := len(n.scale)
	for r := range rows {
		in, to := x[r*size:(r+1)*size], out[r*size:(r+1)*size]
		mean := sum(in) / float32(size)
		for i, v := range in {
			d := v - mean
			to[i] = d * d
		}
		scale := 1 / float32(math.Sqrt(float64(sum(to)/float32(size)+normEpsilon)))
		for i, v := range in {
			to[i] = float32(float32((v-mean)*scale)*n.scale[i]) + n.shift[i]
		}
	}
}

// add adds to each number of x the one of y.
func add(x, y []float32) {
	y = y[:len(x)]
	for i := range x {
		x[i] += y[i]
	}
}

func dot(a, b []float32) float32 {
	total := float32(0)
	b = b[:len(a)]
	for i, v := range a {
		total += float32(v * b[i])
	}
	return total
}
