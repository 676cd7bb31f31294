package kernel

import (
	"fmt"
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
	for _, size := range []struct{ rows, k, n int }{{1, 1, 1}, {3, 5, 17}, {4, 16, 16}, {9, 128, 83}, {13, 16, 40}, {24, 100, 130}} {
		rows := RoundUp(size.rows, TileRows)
		a, from := numbers(rows*size.k, 1), numbers(size.n*size.k, 2)
		var p Packed
		p.SetTransposed(from, size.k, size.k, size.n)
		copy(p.Bias, numbers(size.n, 3))
		got := product(t, p, size.rows, a)
		checkHalves(t, p, size.rows, a)
		for i := range size.rows {
			for j := range size.n {
				want := float64(p.Bias[j])
				for k := range size.k {
					want += float64(a[i*size.k+k]) * float64(from[j*size.k+k])
				}
				if d := math.Abs(want - float64(got[i*p.Width()+j])); d > 1e-4 {
					t.Fatalf("Multiply(%v) at %d, %d is off by %g", size, i, j, d)
				}
			}
		}
	}
}

// product returns what both kernels multiply to.
func product(t *testing.T, p Packed, rows int, a []float32) []float32 {
	t.Helper()
	got, plain := make([]float32, RoundUp(rows, TileRows)*p.Width()), make([]float32, RoundUp(rows, TileRows)*p.Width())
	p.Multiply(rows, a, p.K, got, p.Width())
	p.multiplyPortable(RoundUp(rows, TileRows), a, p.K, plain, p.Width())
	if !slices.Equal(got, plain) {
		t.Errorf("the product of %d rows differs between the kernels", rows)
	}
	return got
}

// checkHalves checks that a matrix of numbers that half precision has gives the
// same product in it.
func checkHalves(t *testing.T, p Packed, rows int, a []float32) {
	t.Helper()
	p.data = slices.Clone(p.data)
	for i, x := range p.data {
		p.data[i] = Half(ToHalf(x))
	}
	halved := p
	halved.Halve()
	if fast && halved.halves == nil || !slices.Equal(product(t, p, rows, a), product(t, halved, rows, a)) {
		t.Errorf("the product of %d rows in half precision differs", rows)
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
	var a, b Packed
	b.data = numbers(1000, 9) // what was there before must not show
	a.SetTransposed(turned, k, k, n)
	b.SetStraight(from, n, k, n)
	if !slices.Equal(a.data, b.data) {
		t.Error("straight and transposed lay the same matrix out differently")
	}
}

func TestExp(t *testing.T) {
	t.Parallel()
	for _, x := range append(numbers(4096, 90), 0, 0.5, 1, -1, -87, 88, -1000, 1000) {
		want := math.Exp(float64(min(max(x, -87), 88)))
		if got := exp(x); math.Abs(float64(got)/want-1) > 5e-7 {
			t.Errorf("exp(%g) = %g, want %g", x, got, want)
		}
	}
}

func TestSoftmax(t *testing.T) {
	t.Parallel()
	for n := 1; n < 70; n++ {
		room := numbers(RoundUp(n, Lanes), 9)
		for i := n; i < len(room); i++ {
			room[i] = 50 // what is behind must not count
		}
		got, plain := room[:n], slices.Clone(room[:n])
		want, total := make([]float64, n), 0.0
		for i, x := range got {
			want[i] = math.Exp(float64(x))
			total += want[i]
		}
		Softmax(got)
		softmaxPortable(plain)
		if !slices.Equal(got, plain) {
			t.Errorf("softmax of %d differs between the kernels", n)
		}
		for i := range got {
			if math.Abs(float64(got[i])-want[i]/total) > 1e-6 {
				t.Errorf("softmax of %d at %d = %g, want %g", n, i, got[i], want[i]/total)
			}
		}
	}
}

func TestNorm(t *testing.T) {
	t.Parallel()
	for _, size := range []int{8, 16, 128, 20} {
		n := Norm{numbers(size, 2), numbers(2*size, 2)[size:], 1e-5}
		x, got, plain := numbers(3*size, 5), make([]float32, 3*size), make([]float32, size)
		n.Apply(3, x, got)
		for r := range 3 {
			row := x[r*size : (r+1)*size]
			n.applyPortable(row, plain)
			if !slices.Equal(got[r*size:(r+1)*size], plain) {
				t.Errorf("norm of %d differs between the kernels", size)
			}
			same := slices.Clone(row)
			if n.applyPortable(same, same); !slices.Equal(same, plain) {
				t.Errorf("norm of %d differs when it takes the place of its rows", size)
			}
			mean, square := 0.0, 0.0
			for _, v := range row {
				mean += float64(v) / float64(size)
			}
			for _, v := range row {
				square += (float64(v) - mean) * (float64(v) - mean) / float64(size)
			}
			want := (float64(row[0])-mean)/math.Sqrt(square+1e-5)*float64(n.Scale[0]) + float64(n.Shift[0])
			if math.Abs(want-float64(plain[0])) > 1e-5 {
				t.Errorf("norm of %d = %g, want %g", size, plain[0], want)
			}
		}
	}
}

func TestRelate(t *testing.T) {
	t.Parallel()
	for n := 1; n < 40; n++ {
		scores, by := numbers(n, 1), numbers(200, 3)
		relation, want := make([]uint8, n), make([]float32, n)
		for i := range relation {
			relation[i] = uint8(i * 37 % 200)
			want[i] = (scores[i] + by[relation[i]]) * 0.25
		}
		if Relate(scores, by, relation, 0.25); !slices.Equal(scores, want) {
			t.Errorf("Relate(%d) = %v, want %v", n, scores, want)
		}
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	for _, each := range []int{4, 8, 16, 24} {
		row, past := numbers(each, 1), numbers(9*each, 2)
		p := Path{Steps: []int32{0, 7, 3, 3, 5}, Weights: make([]float32, 5)}
		p.Score(row, past, each)
		mixed := make([]float32, each)
		p.Mix(mixed, past, each)
		want := make([]float64, each)
		for j, step := range p.Steps {
			if plain := dot(row, past[int(step)*each:]); plain != p.Weights[j] {
				t.Errorf("Score(%d) differs between the kernels: %g, %g", each, p.Weights[j], plain)
			}
			exact := 0.0
			for k := range row {
				exact += float64(row[k]) * float64(past[int(step)*each+k])
				want[k] += float64(p.Weights[j]) * float64(past[int(step)*each+k])
			}
			if math.Abs(exact-float64(p.Weights[j])) > 1e-5 {
				t.Errorf("Score(%d) = %g, want %g", each, p.Weights[j], exact)
			}
		}
		for k := range want {
			if math.Abs(want[k]-float64(mixed[k])) > 1e-4 {
				t.Errorf("Mix(%d) at %d = %g, want %g", each, k, mixed[k], want[k])
			}
		}
	}
}

func TestActivate(t *testing.T) {
	t.Parallel()
	in := append(numbers(4096, 20), 0, 100, -100, 1, -1, 2, -2, 3)
	got, plain := slices.Clone(in), slices.Clone(in)
	Activate(got)
	activatePortable(plain)
	if !slices.Equal(got, plain) {
		t.Error("activate differs between the kernels")
	}
	for i, x := range in {
		want := float64(x) / (1 + math.Exp(-1.702*float64(x)))
		if math.Abs(float64(got[i])-want) > 1e-5 {
			t.Errorf("Activate(%g) = %g, want %g", x, got[i], want)
		}
	}
}

func TestHalf(t *testing.T) {
	t.Parallel()
	for bits, want := range map[uint16]float32{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.33325195, 0x7bff: 65504, 0x0001: 5.9604645e-08, 0x83ff: -6.0975552e-05, 0x0400: 6.1035156e-05,
	} {
		if got := Half(bits); got != want {
			t.Errorf("Half(%#x) = %g, want %g", bits, got, want)
		}
	}
	for bits := range 1 << 16 {
		x := Half(uint16(bits))
		if bits&0x7c00 != 0x7c00 && ToHalf(x) != uint16(bits) {
			t.Fatalf("ToHalf(%g) = %#x, want %#x", x, ToHalf(x), bits)
		}
	}
	if x := float32(1.0001); Half(ToHalf(x)) == x {
		t.Errorf("ToHalf(%g) keeps what half precision has not", x)
	}
	if !math.IsInf(float64(Half(0x7c00)), 1) || !math.IsNaN(float64(Half(0x7e00))) {
		t.Error("half does not know infinity and what is no number")
	}
}

func BenchmarkMultiply(b *testing.B) {
	const k, n = 128, 512
	var p Packed
	p.SetTransposed(numbers(k*n, 1), k, k, n)
	for name, multiply := range map[string]func(rows int, a []float32, lda int, c []float32, ldc int){
		"portable": p.multiplyPortable, "fast": p.Multiply,
	} {
		for _, rows := range []int{4, 24} {
			b.Run(fmt.Sprintf("%s/%d rows", name, rows), func(b *testing.B) {
				a, c := numbers(rows*k, 1), make([]float32, rows*n)
				for b.Loop() {
					multiply(rows, a, k, c, n)
				}
				b.ReportMetric(2*float64(rows)*k*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
