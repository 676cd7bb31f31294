package net

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func numbers(n int, scale float32) []float32 {
	random := rand.New(rand.NewPCG(uint64(n), 7))
	all := make([]float32, n)
	for i := range all {
		all[i] = (random.Float32()*2 - 1) * scale
	}
	return all
}

func TestMultiply(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ rows, k, n int }{{1, 1, 1}, {3, 5, 17}, {4, 16, 16}, {9, 128, 83}, {24, 100, 130}} {
		rows := roundUp(size.rows, tileRows)
		a, from := numbers(rows*size.k, 1), numbers(size.n*size.k, 2)
		var p packed
		p.transposed(from, size.k, size.k, size.n)
		copy(p.bias, numbers(size.n, 3))
		got, plain := make([]float32, rows*p.width()), make([]float32, rows*p.width())
		p.multiply(size.rows, a, size.k, got, p.width())
		p.multiplyPortable(rows, a, size.k, plain, p.width())
		if !slices.Equal(got, plain) {
			t.Errorf("multiply(%v) differs between the kernels", size)
		}
		for i := range size.rows {
			for j := range size.n {
				want := float64(p.bias[j])
				for k := range size.k {
					want += float64(a[i*size.k+k]) * float64(from[j*size.k+k])
				}
				if d := math.Abs(want - float64(got[i*p.width()+j])); d > 1e-4 {
					t.Fatalf("multiply(%v) at %d, %d is off by %g", size, i, j, d)
				}
			}
		}
	}
}

func TestStraightIsTransposedOfTransposed(t *testing.T) {
	t.Parallel()
	const k, n = 7, 21
	from, turned := numbers(k*n, 1), make([]float32, k*n)
	for i := range k {
		for j := range n {
			turned[j*k+i] = from[i*n+j]
		}
	}
	var a, b packed
	b.data = numbers(1000, 9) // what was there before must not show
	a.transposed(turned, k, k, n)
	b.straight(from, n, k, n)
	if !slices.Equal(a.data, b.data) {
		t.Error("straight and transposed lay the same matrix out differently")
	}
}

func TestExp(t *testing.T) {
	t.Parallel()
	in := append(numbers(4096, 90), 0, 0.5, 1, -1, -87, 88, -1000, 1000)
	got, plain := slices.Clone(in), slices.Clone(in)
	expAll(got, 0)
	expPortable(plain, 0)
	if !slices.Equal(got, plain) {
		t.Error("expAll differs between the kernels")
	}
	for i, x := range in {
		want := math.Exp(float64(min(max(x, -87), 88)))
		if math.Abs(float64(got[i])/want-1) > 5e-7 {
			t.Errorf("exp(%g) = %g, want %g", x, got[i], want)
		}
	}
}

func TestActivate(t *testing.T) {
	t.Parallel()
	in := append(numbers(4096, 20), 0, 100, -100, 1, -1, 2, -2, 3)
	got, plain := slices.Clone(in), slices.Clone(in)
	activate(got)
	activatePortable(plain)
	if !slices.Equal(got, plain) {
		t.Error("activate differs between the kernels")
	}
	for i, x := range in {
		want := float64(x) / (1 + math.Exp(-1.702*float64(x)))
		if math.Abs(float64(got[i])-want) > 1e-5 {
			t.Errorf("activate(%g) = %g, want %g", x, got[i], want)
		}
	}
}

func TestHalf(t *testing.T) {
	t.Parallel()
	for bits, want := range map[uint16]float32{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.33325195, 0x7bff: 65504, 0x0001: 5.9604645e-08, 0x83ff: -6.0975552e-05, 0x0400: 6.1035156e-05,
	} {
		if got := half(bits); got != want {
			t.Errorf("half(%#x) = %g, want %g", bits, got, want)
		}
	}
	if !math.IsInf(float64(half(0x7c00)), 1) || !math.IsNaN(float64(half(0x7e00))) {
		t.Error("half does not know infinity and what is no number")
	}
}

func BenchmarkMultiply(b *testing.B) {
	const rows, k, n = 24, 128, 512
	a, c := numbers(rows*k, 1), make([]float32, rows*n)
	var p packed
	p.transposed(numbers(k*n, 1), k, k, n)
	for b.Loop() {
		p.multiply(rows, a, k, c, n)
	}
	b.ReportMetric(2*rows*k*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
