package kernel

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

// Lanes is how many numbers the kernels take at a time.
const Lanes = 8

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

// Activate sets each number x to x / (1 + exp(-1.702 x)); their count is a
// multiple of lanes.
func Activate(x []float32) {
	if assembly() && len(x) > 0 {
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
var tails = [2 * Lanes]uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}

// Softmax turns scores into shares of one. It has room for a multiple of lanes,
// and what is behind the scores there is lost.
func Softmax(x []float32) {
	if !assembly() {
		softmaxPortable(x)
		return
	}
	n := RoundUp(len(x), Lanes)
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
	var part [Lanes]float32
	for i, v := range x {
		part[i%Lanes] += v
	}
	return total(&part)
}

// sumSquares adds the squares of what numbers differ from their mean up, as sum
// does.
func sumSquares(x []float32, mean float32) float32 {
	var part [Lanes]float32
	for i, v := range x {
		d := v - mean
		part[i%Lanes] += float32(d * d)
	}
	return total(&part)
}

func total(part *[Lanes]float32) float32 {
	all := float32(0)
	for _, p := range part {
		all += p
	}
	return all
}

// Norm is a layer's normalisation of rows.
type Norm struct {
	Scale, Shift []float32
	Epsilon      float32 // added to the variance
}

// Apply sets rows of out to those of x, normalised; the two may be the same.
func (n *Norm) Apply(rows int, x, out []float32) {
	size := len(n.Scale)
	numbers := [...]float32{float32(size), n.Epsilon, 1}
	for r := range rows {
		in, to := x[r*size:(r+1)*size], out[r*size:(r+1)*size]
		if assembly() && size%Lanes == 0 {
			normAVX2(&in[0], &to[0], size, &n.Scale[0], &n.Shift[0], &numbers[0])
		} else {
			n.applyPortable(in, to)
		}
	}
}

func (n *Norm) applyPortable(in, to []float32) {
	size := float32(len(in))
	mean := sum(in) / size
	scale := 1 / float32(math.Sqrt(float64(sumSquares(in, mean)/size+n.Epsilon)))
	for i, v := range in {
		to[i] = float32(float32((v-mean)*scale)*n.Scale[i]) + n.Shift[i]
	}
}

// Add adds to each number of x the one of y.
func Add(x, y []float32) {
	y = y[:len(x)]
	some := 0
	if assembly() && len(x) >= Lanes {
		some = len(x) &^ (Lanes - 1)
		addAVX2(&x[0], &y[0], some)
	}
	for i := some; i < len(x); i++ {
		x[i] += y[i]
	}
}

// Relate adds to each score what its relation has, and scales them.
func Relate(scores, by []float32, relation []uint8, scale float32) {
	relation = relation[:len(scores)]
	some := 0
	if assembly() && len(scores) >= Lanes {
		some = len(scores) &^ (Lanes - 1)
		relateAVX2(&scores[0], some, &by[0], &relation[0], scale)
	}
	for i := some; i < len(scores); i++ {
		scores[i] = (scores[i] + by[relation[i]]) * scale
	}
}
