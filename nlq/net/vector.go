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

// portable makes every kernel the one in plain Go; a test compares.
var portable bool

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

// tails has which lanes of the last numbers count, from the place on that says
// how many do not.
var tails = [2 * lanes]uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}

// softmax turns scores into shares of one. It has room for a multiple of lanes,
// and what is behind the scores there is lost.
func softmax(x []float32) {
	if !fast || portable {
		softmaxPortable(x)
		return
	}
	n := roundUp(len(x), lanes)
	tail := n - len(x)
	softmaxAVX2(&x[:n][0], n, &tails[tail], &exps[0])
}

func softmaxPortable(x []float32) {
	most := x[0]
	for _, v := range x[1:] {
		most = max(most, v)
	}
	for i, v := range x {
		x[i] = exp(v - most)
	}
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
	numbers := [...]float32{float32(size), normEpsilon, 1}
	for r := range rows {
		in, to := x[r*size:(r+1)*size], out[r*size:(r+1)*size]
		if fast && !portable && size%lanes == 0 {
			normAVX2(&in[0], &to[0], size, &n.scale[0], &n.shift[0], &numbers[0])
		} else {
			n.applyPortable(in, to)
		}
	}
}

func (n *norm) applyPortable(in, to []float32) {
	size := float32(len(in))
	mean := sum(in) / size
	for i, v := range in {
		d := v - mean
		to[i] = d * d
	}
	scale := 1 / float32(math.Sqrt(float64(sum(to)/size+normEpsilon)))
	for i, v := range in {
		to[i] = float32(float32((v-mean)*scale)*n.scale[i]) + n.shift[i]
	}
}

// add adds to each number of x the one of y.
func add(x, y []float32) {
	y = y[:len(x)]
	some := 0
	if fast && !portable && len(x) >= lanes {
		some = len(x) &^ (lanes - 1)
		addAVX2(&x[0], &y[0], some)
	}
	for i := some; i < len(x); i++ {
		x[i] += y[i]
	}
}

// relate adds to each score what its relation has, and scales them.
func relate(scores, by []float32, relation []uint8, scale float32) {
	relation = relation[:len(scores)]
	some := 0
	if fast && !portable && len(scores) >= lanes {
		some = len(scores) &^ (lanes - 1)
		relateAVX2(&scores[0], some, &by[0], &relation[0], scale)
	}
	for i := some; i < len(scores); i++ {
		scores[i] = (scores[i] + by[relation[i]]) * scale
	}
}
