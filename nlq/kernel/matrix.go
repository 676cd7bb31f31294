package kernel

// The product of matrices is made of tiles: so many rows by so many columns.
const (
	TileRows    = 4
	TileColumns = 16
)

// RoundUp returns the next multiple of a tile's side.
func RoundUp(n, side int) int { return (n + side - 1) / side * side }

// tile is rows of a, by fours, times sixteen columns of b, plus bias, into c, as
// the assembly knows it.
type tile[T float32 | uint16] struct {
	a    *float32
	lda  int
	b    *T       // sixteen numbers for each of k
	bias *float32 // sixteen
	c    *float32
	ldc  int
	k    int
	rows int
}

// Packed is a matrix of k rows and n columns, laid out for tiles: sixteen
// columns at a time, padded with zeros.
type Packed struct {
	K, N   int
	data   []float32
	halves []uint16  // the same in half precision, instead of data
	Bias   []float32 // a number for each column, padded
}

// Width is the number of columns with their padding.
func (p *Packed) Width() int { return RoundUp(p.N, TileColumns) }

// Reset makes room for a matrix, of zeros where nothing is set.
func (p *Packed) Reset(k, n int) {
	p.K, p.N = k, n
	p.data = Grow(p.data, k*p.Width())
	if n%TileColumns != 0 {
		clear(p.data[k*(p.Width()-TileColumns):])
	}
	if cap(p.Bias) < p.Width() {
		p.Bias = make([]float32, p.Width())
	}
	p.Bias = p.Bias[:p.Width()]
}

// SetTransposed sets columns from so many rows of numbers: column j is the k
// numbers at from[j*stride].
func (p *Packed) SetTransposed(from []float32, stride, k, n int) {
	p.Reset(k, n)
	p.SetColumns(from, stride, 0, n)
}

// SetColumns sets some columns, from the first on, as SetTransposed does.
func (p *Packed) SetColumns(from []float32, stride, first, count int) {
	for j := range count {
		row := from[j*stride : j*stride+p.K]
		at := (first + j) / TileColumns * TileColumns
		panel := p.data[at*p.K+first+j-at:]
		for i, x := range row {
			panel[i*TileColumns] = x
		}
	}
}

// SetStraight sets rows from rows: row i is the n numbers at from[i*stride].
func (p *Packed) SetStraight(from []float32, stride, k, n int) {
	p.Reset(k, n)
	p.SetRows(from, stride, 0, k)
}

// SetRows sets some rows, from the first on, as SetStraight does.
func (p *Packed) SetRows(from []float32, stride, first, count int) {
	for column := 0; column < p.N; column += TileColumns {
		panel, some := p.data[column*p.K:], min(TileColumns, p.N-column)
		for i := range count {
			at := (first + i) * TileColumns
			copy(panel[at:at+some], from[i*stride+column:])
		}
	}
}

// Halve keeps the matrix in half precision when that changes none of its
// numbers: what is read for few rows at a time takes as long as its bytes do.
func (p *Packed) Halve() {
	if !fast {
		return
	}
	halves := make([]uint16, len(p.data))
	for i, x := range p.data {
		if halves[i] = ToHalf(x); Half(halves[i]) != x {
			return
		}
	}
	p.halves, p.data = halves, nil
}

// Multiply sets rows of c to those of a times p plus its bias. Rows are taken by
// fours, so that a and c have room for the rest of the last four; c has room for
// the padded width of p in every row. With and without assembly the bits are the
// same.
func (p *Packed) Multiply(rows int, a []float32, lda int, c []float32, ldc int) {
	if rows == 0 {
		return
	}
	rows = RoundUp(rows, TileRows)
	_, _ = a[(rows-1)*lda+p.K-1], c[(rows-1)*ldc+p.Width()-1]
	switch {
	case !assembly():
		p.multiplyPortable(rows, a, lda, c, ldc)
	case p.halves != nil:
		t := tile[uint16]{a: &a[0], lda: lda, ldc: ldc, k: p.K, rows: rows}
		for first := 0; first < p.N; first += TileColumns {
			t.b, t.bias, t.c = &p.halves[first*p.K], &p.Bias[first], &c[first]
			panelHalfAVX2(&t)
		}
	default:
		t := tile[float32]{a: &a[0], lda: lda, ldc: ldc, k: p.K, rows: rows}
		for first := 0; first < p.N; first += TileColumns {
			t.b, t.bias, t.c = &p.data[first*p.K], &p.Bias[first], &c[first]
			panelAVX2(&t)
		}
	}
}

// multiplyPortable is the product in plain Go. Products are rounded before they
// are added, by the conversion, on processors that could do both at once too.
func (p *Packed) multiplyPortable(rows int, a []float32, lda int, c []float32, ldc int) {
	for first := 0; first < p.N; first += TileColumns {
		panel, bias := p.panel(first), (*[TileColumns]float32)(p.Bias[first:])
		for row := range rows {
			sum := *bias
			for k, x := range a[row*lda : row*lda+p.K] {
				b := (*[TileColumns]float32)(panel[k*TileColumns:])
				for j := range sum {
					sum[j] += float32(x * b[j])
				}
			}
			copy(c[row*ldc+first:], sum[:])
		}
	}
}

// panel returns sixteen columns.
func (p *Packed) panel(first int) []float32 {
	from, to := first*p.K, (first+TileColumns)*p.K
	if p.halves == nil {
		return p.data[from:to]
	}
	panel := make([]float32, to-from)
	for i, bits := range p.halves[from:to] {
		panel[i] = Half(bits)
	}
	return panel
}
