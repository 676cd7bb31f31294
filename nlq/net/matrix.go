package net

// The product of matrices is made of tiles: so many rows by so many columns.
const (
	tileRows    = 4
	tileColumns = 16
)

// roundUp gives the next multiple of a tile's side.
func roundUp(n, side int) int { return (n + side - 1) / side * side }

// tile is four rows of a times sixteen columns of b, plus bias, into c, as the
// assembly knows it.
type tile struct {
	a    *float32
	lda  int
	b    *float32 // sixteen numbers for each of k
	bias *float32 // sixteen
	c    *float32
	ldc  int
	k    int
}

// packed is a matrix of k rows and n columns, laid out for tiles: sixteen
// columns at a time, padded with zeros.
type packed struct {
	k, n int
	data []float32
	bias []float32 // a number for each column, padded
}

func (p *packed) width() int { return roundUp(p.n, tileColumns) }

// reset makes room for a matrix, of zeros where nothing is set.
func (p *packed) reset(k, n int) {
	p.k, p.n = k, n
	size := k * p.width()
	if cap(p.data) < size {
		p.data = make([]float32, size)
	}
	p.data = p.data[:size]
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
	for j := range n {
		row := from[j*stride : j*stride+k]
		panel := p.data[(j/tileColumns)*tileColumns*k:]
		for i, x := range row {
			panel[i*tileColumns+j%tileColumns] = x
		}
	}
}

// straight sets rows from rows: row i is the n numbers at from[i*stride].
func (p *packed) straight(from []float32, stride, k, n int) {
	p.reset(k, n)
	for first := 0; first < n; first += tileColumns {
		panel, some := p.data[first*k:], min(tileColumns, n-first)
		for i := range k {
			copy(panel[i*tileColumns:i*tileColumns+some], from[i*stride+first:])
		}
	}
}

// multiply sets rows of c to those of a times p plus its bias. Rows are taken by
// fours, so that a and c have room for the rest of the last four; c has room for
// the padded width of p in every row.
func (p *packed) multiply(rows int, a []float32, lda int, c []float32, ldc int) {
	if rows == 0 {
		return
	}
	rows = roundUp(rows, tileRows)
	_, _ = a[(rows-1)*lda+p.k-1], c[(rows-1)*ldc+p.width()-1]
	if fast && !portable {
		p.multiplyFast(rows, a, lda, c, ldc)
	} else {
		p.multiplyPortable(rows, a, lda, c, ldc)
	}
}

func (p *packed) multiplyFast(rows int, a []float32, lda int, c []float32, ldc int) {
	t := tile{lda: lda, ldc: ldc, k: p.k}
	for first := 0; first < p.n; first += tileColumns {
		t.b, t.bias = &p.data[first*p.k], &p.bias[first]
		for row := 0; row < rows; row += tileRows {
			t.a, t.c = &a[row*lda], &c[row*ldc+first]
			tileAVX2(&t)
		}
	}
}

// multiplyPortable is the product in plain Go. Products are rounded before they
// are added, by the conversion, on processors that could do both at once too.
func (p *packed) multiplyPortable(rows int, a []float32, lda int, c []float32, ldc int) {
	for first := 0; first < p.n; first += tileColumns {
		panel, bias := p.data[first*p.k:(first+tileColumns)*p.k], (*[tileColumns]float32)(p.bias[first:])
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

// portable makes every kernel the one in plain Go; a test compares.
var portable bool
