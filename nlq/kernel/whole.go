package kernel

import "math"

// greatestByte is the greatest of the whole numbers of a matrix, either way.
const greatestByte = 127

// WholeMatrix is a matrix of k rows and n columns of whole numbers from -127 to
// 127, each column with a scale. Rows that it is multiplied with are rounded to
// whole numbers too, to so many that no sum overflows: products are exact, so that
// their order does not matter.
type WholeMatrix struct {
	K, N   int
	Bias   []float32 // a number for each column, padded
	scales []float32 // of columns, padded
	data   []int8    // sixteen columns at a time; of these two rows, number by number
	limit  float32   // the greatest whole number of a row
}

// wholeTile is rows of a, by fours, times sixteen columns of b, as the assembly
// knows it.
type wholeTile struct {
	a      *int16
	lda    int
	b      *int8    // thirty-two numbers for each pair of rows
	scales *float32 // sixteen
	bias   *float32 // sixteen
	c      *float32
	ldc    int
	pairs  int // of rows of b
	rows   int
	each   *float32 // the scales of the rows of a
}

// NewWholeMatrix makes a matrix whose column j is the k bytes at from[j*k], each a
// number with a sign, times scales[j].
func NewWholeMatrix(from []byte, scales []float32, k int) *WholeMatrix {
	n := len(scales)
	width, pairs := RoundUp(n, TileColumns), RoundUp(k, 2)/2
	m := &WholeMatrix{
		K: k, N: n, Bias: make([]float32, width), scales: make([]float32, width), data: make([]int8, 2*pairs*width),
		limit: float32(min(math.MaxInt16, math.MaxInt32/(greatestByte*2*pairs))),
	}
	copy(m.scales, scales)
	for j := range n {
		panel := m.data[j/TileColumns*TileColumns*2*pairs:]
		for i, b := range from[j*k : (j+1)*k] {
			panel[i/2*2*TileColumns+j%TileColumns*2+i%2] = max(int8(b), -greatestByte)
		}
	}
	return m
}

// Width is the number of columns with their padding.
func (m *WholeMatrix) Width() int { return len(m.scales) }

// WholeRows is rows that were rounded to whole numbers, used again and again.
type WholeRows struct {
	numbers []int16
	scales  []float32
}

// Multiply sets rows of c to those of a times m plus its bias. Rows are taken by
// fours, so that c has room for the rest of the last four, and for the padded width
// of m in every row. With and without assembly the bits are the same.
func (m *WholeMatrix) Multiply(rows int, a []float32, lda int, c []float32, ldc int, by *WholeRows) {
	if rows == 0 {
		return
	}
	stride := RoundUp(m.K, TileColumns)
	by.round(m, rows, a, lda)
	rows = RoundUp(rows, TileRows)
	_ = c[(rows-1)*ldc+m.Width()-1]
	if !assembly() {
		m.multiplyPortable(by, rows, c, ldc)
		return
	}
	pairs := RoundUp(m.K, 2) / 2
	t := wholeTile{a: &by.numbers[0], lda: stride, ldc: ldc, pairs: pairs, each: &by.scales[0]}
	for first := 0; first < m.N; first += TileColumns {
		t.rows = rows // counted down
		t.b, t.scales, t.bias, t.c = &m.data[first*2*pairs], &m.scales[first], &m.Bias[first], &c[first]
		wholePanelAVX2(&t)
	}
}

func (m *WholeMatrix) multiplyPortable(by *WholeRows, rows int, c []float32, ldc int) {
	pairs, stride := RoundUp(m.K, 2)/2, RoundUp(m.K, TileColumns)
	for first := 0; first < m.N; first += TileColumns {
		panel := m.data[first*2*pairs:][:TileColumns*2*pairs]
		for r := range rows {
			var sum [TileColumns]int32
			for k, x := range by.numbers[r*stride:][:2*pairs] {
				b := panel[k/2*2*TileColumns+k%2:]
				for j := range sum {
					sum[j] += int32(x) * int32(b[2*j])
				}
			}
			for j, s := range sum {
				x := float32(float32(s)*by.scales[r]) * m.scales[first+j]
				c[r*ldc+first+j] = float32(x) + m.Bias[first+j]
			}
		}
	}
}

// round rounds rows to whole numbers up to the limit of a matrix; those behind the
// last become zeros.
func (w *WholeRows) round(m *WholeMatrix, rows int, a []float32, lda int) {
	stride, padded := RoundUp(m.K, TileColumns), RoundUp(rows, TileRows)
	w.numbers, w.scales = Grow(w.numbers, padded*stride), Grow(w.scales, padded)
	clear(w.numbers[rows*stride:])
	clear(w.scales[rows:])
	for r := range rows {
		row, to := a[r*lda:r*lda+m.K], w.numbers[r*stride:(r+1)*stride]
		most := greatest(row)
		w.scales[r] = most / m.limit
		if most == 0 {
			clear(to)
			continue
		}
		clear(to[m.K:])
		roundAll(row, to, m.limit/most)
	}
}

// greatest returns the greatest number, either way.
func greatest(x []float32) float32 {
	most, some := float32(0), 0
	if assembly() && len(x) >= Lanes {
		some = len(x) &^ (Lanes - 1)
		most = greatestAVX2(&x[0], some)
	}
	for _, v := range x[some:] {
		most = max(most, v, -v)
	}
	return most
}

// roundAll sets whole numbers to the nearest of numbers times a factor.
func roundAll(x []float32, to []int16, by float32) {
	some := 0
	if assembly() && len(x) >= TileColumns {
		some = len(x) &^ (TileColumns - 1)
		roundAVX2(&x[0], &to[0], some, by)
	}
	for i := some; i < len(x); i++ {
		to[i] = int16(float32(float32(x[i]*by)+exps[3]) - exps[3])
	}
}
