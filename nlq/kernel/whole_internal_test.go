package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// wholes returns so many bytes, each a number with a sign, the ends among them.
func wholes(n int) []byte {
	random := rand.New(rand.NewPCG(uint64(n), 3))
	all := make([]byte, n)
	for i := range all {
		all[i] = byte(int8(random.IntN(255) - 127))
	}
	return all
}

func TestWholeMultiply(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ rows, k, n int }{{1, 1, 1}, {3, 5, 17}, {4, 16, 16}, {9, 127, 40}, {5, 384, 96}, {2, 1536, 33}} {
		a, from, scales := numbers(size.rows*size.k, 3), wholes(size.k*size.n), numbers(size.n, 0.01)
		clear(a[:size.k]) // a row of zeros
		m := NewWholeMatrix(from, scales, size.k)
		copy(m.Bias, numbers(size.n, 2))
		var by WholeRows
		padded := RoundUp(size.rows, TileRows)
		got, plain := make([]float32, padded*m.Width()), make([]float32, padded*m.Width())
		m.Multiply(size.rows, a, size.k, got, m.Width(), &by)
		m.multiplyPortable(&by, padded, plain, m.Width())
		if !slices.Equal(got, plain) {
			t.Errorf("the product of %v differs between the kernels", size)
		}
		for i := range size.rows {
			for j := range size.n {
				want := 0.0
				for k := range size.k {
					want += float64(a[i*size.k+k]) * float64(int8(from[j*size.k+k]))
				}
				want = want*float64(scales[j]) + float64(m.Bias[j])
				if d := math.Abs(want - float64(got[i*m.Width()+j])); d > 1e-2 {
					t.Fatalf("Multiply(%v) at %d, %d is off by %g", size, i, j, d)
				}
			}
		}
	}
}

// The greatest sums that there can be do not overflow.
func TestWholeSumsFit(t *testing.T) {
	t.Parallel()
	for _, k := range []int{384, 1535, 1536, 4096} {
		from, a := make([]byte, k), make([]float32, TileRows*k)
		for i := range from {
			from[i] = 127
			a[i] = 5
		}
		m := NewWholeMatrix(from, []float32{1}, k)
		c := make([]float32, TileRows*m.Width())
		m.Multiply(1, a, k, c, m.Width(), &WholeRows{})
		if want := float64(5 * 127 * k); math.Abs(float64(c[0])/want-1) > 1e-6 {
			t.Errorf("the product of %d greatest numbers = %g, want %g", k, c[0], want)
		}
	}
}

func TestRound(t *testing.T) {
	t.Parallel()
	for n := 1; n < 70; n++ {
		x := numbers(n, 1000)
		x[n/2] = 0.5
		most, got := greatest(x), make([]int16, n)
		roundAll(x, got, 3)
		want := float32(0)
		for i, v := range x {
			want = max(want, float32(math.Abs(float64(v))))
			if rounded := math.RoundToEven(float64(float32(v * 3))); rounded != float64(got[i]) {
				t.Errorf("%g times 3 rounds to %d, want %g", v, got[i], rounded)
			}
		}
		if most != want {
			t.Errorf("greatest of %d = %g, want %g", n, most, want)
		}
	}
}

func BenchmarkWholeMultiply(b *testing.B) {
	for _, size := range []struct{ rows, k, n int }{{20, 384, 1536}, {120, 384, 1536}, {120, 1536, 384}} {
		b.Run(fmt.Sprintf("%d by %d by %d", size.rows, size.k, size.n), func(b *testing.B) {
			m := NewWholeMatrix(wholes(size.k*size.n), numbers(size.n, 1), size.k)
			a, c := numbers(size.rows*size.k, 1), make([]float32, size.rows*size.n)
			var by WholeRows
			for b.Loop() {
				m.Multiply(size.rows, a, size.k, c, size.n, &by)
			}
			b.ReportMetric(2*float64(size.rows*size.k*size.n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GOP/s")
		})
	}
}
