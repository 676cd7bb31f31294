package net

// The product of matrices is made of tiles: so many rows by so many columns.
const (
	tileRows    = 4
	tileColumns = 16
)

// roundUp returns the next multiple of a tile's side.
func roundUp(n, side int) int { return (n + side - 1) / side * side }

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

// packed is a matrix of k rows and n columns, laid out for tiles: sixteen
// columns at a time, padded with zeros.
type packed struct {
	k, n   int
	data   []float32
	halves []uint16  // the same in half precision, instead of data
	bias   []float32 // a number for each column, padded
}

func (p *packed) width() int { return roundUp(p.n, tileColumns) }

// reset makes room for a matrix, of zeros where nothing is set.
func (p *packed) reset(k, n int) {
	p.k, p.n = k, n
	p.data = grow(p.data, k*p.width())
	if n%tileColumns != 0 {
		clear(p.data[k*(p.width()-tileColumns):])
	}
	if cap(p.bias) < p.width() {
		p.bias = make([]float32, p.width())
	}
	p.bias = p.bias[:p.width()]
}

// transposed sets columns from so many rows of numbers: column j is the k
// numbers at from[j*stride].
func (p *packed) transposed(from []float32, stride, k, n int) {
	p.reset(k, n)
	p.setColumns(from, stride, 0, n)
}

// setColumns sets some columns, from the first on, as transposed does.
func (p *packed) setColumns(from []float32, stride, first, count int) {
	for j := range count {
		row := from[j*stride : j*stride+p.k]
		at := (first + j) / tileColumns * tileColumns
		panel := p.data[at*p.k+first+j-at:]
		for i, x := range row {
			panel[i*tileColumns] = x
		}
	}
}

// straight sets rows from rows: row i is the n numbers at from[i*stride].
func (p *packed) straight(from []float32, stride, k, n int) {
	p.reset(k, n)
	p.setRows(from, stride, 0, k)
}

// setRows sets some rows, from the first on, as straight does.
func (p *packed) setRows(from []float32, stride, first, count int) {
	for column := 0; column < p.n; column += tileColumns {
		panel, some := p.data[column*p.k:], min(tileColumns, p.n-column)
		for i := range count {
			at := (first + i) * tileColumns
			copy(panel[at:at+some], from[i*stride+column:])
		}
	}
}

// halve keeps the matrix in half precision when that changes none of its
// numbers: what is read for few rows at a time takes as long as its bytes do.
func (p *packed) halve() {
	if !fast {
		return
	}
	halves := make([]uint16, len(p.data))
	for i, x := range p.data {
		if halves[i] = toHalf(x); half(halves[i]) != x {
			return
		}
	}
	p.halves, p.data = halves, nil
}

// multiply sets rows of c to those of a times p plus its bias. Rows are taken by
// fours, so that a and c have room for the rest of the last four; c has room for
// the padded width of p in every row. With and without assembly the bits are the
// same.
func (p *packed) multiply(rows int, a []float32, lda int, c []float32, ldc int) {
	if rows == 0 {
		return
	}
	rows = roundUp(rows, tileRows)
	_, _ = a[(rows-1)*lda+p.k-1], c[(rows-1)*ldc+p.width()-1]
	switch {
	case portable || !fast:
		p.multiplyPortable(rows, a, lda, c, ldc)
	case p.halves != nil:
		t := tile[uint16]{a: &a[0], lda: lda, ldc: ldc, k: p.k, rows: rows}
		for first := 0; first < p.n; first += tileColumns {
			t.b, t.bias, t.c = &p.halves[first*p.k], &p.bias[first], &c[first]
			panelHalfAVX2(&t)
		}
	default:
		t := tile[float32]{a: &a[0], lda: lda, ldc: ldc, k: p.k, rows: rows}
		for first := 0; first < p.n; first += tileColumns {
			t.b, t.bias, t.c = &p.data[first*p.k], &p.bias[first], &c[first]
			panelAVX2(&t)
		}
	}
}

// multiplyPortable is the product in plain Go. Products are rounded before they
// are added, by the conversion, on processors that could do both at once too.
func (p *packed) multiplyPortable(rows int, a []float32, lda int, c []float32, ldc int) {
	for first := 0; first < p.n; first += tileColumns {
		panel, bias := p.panel(first), (*[tileColumns]float32)(p.bias[first:])
		for row := range rows {
			sum := *bias
			for k, x := range a[row*lda : row*lda+p.k] {
				b := (*[tileColumns]float32)(panel[k*tileColumns:])
				for j := range sum {
					sum[j] += float32(x * b[j])
				}
			}
			copy(c[row*ldc+first:], sum[:])
		}
	}
}

// panel returns sixteen columns.
func (p *packed) panel(first int) []float32 {
	from, to := first*p.k, (first+tileColumns)*p.k
	if p.halves == nil {
		return p.data[from:to]
	}
	panel := make([]float32, to-from)
	for i, bits := range p.halves[from:to] {
		panel[i] = half(bits)
	}
	return panel
}
