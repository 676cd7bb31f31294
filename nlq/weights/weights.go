// Package weights owns the file in which trained numbers travel: a magic word, a
// version, a header in JSON that says what the numbers are, and tensors without
// gaps. learned/train/export.py writes it and describes it.
//
// It knows nothing of what is computed with the numbers. The failure it is built
// around is the file that is not what it says: sizes are checked before room is
// made for them, and nothing may be left over.
package weights

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"quern/nlq/kernel"
)

const (
	magicBytes = 4
	version    = 1
	prefix     = magicBytes + 2*4
	// mostNumbers bounds what a header may ask for.
	mostNumbers = 1 << 27

	halfPrecision = "f16"
	wholeNumbers  = "i8" // a byte each, and a scale for each row
)

// ErrFormat says that data is no file of weights of a known version.
var ErrFormat = errors.New("weights: the data holds no weights of a known version")

// Tensor is a matrix, or a row when it had one dimension. Its numbers are read when
// they are asked for.
type Tensor struct {
	Rows, Columns int
	whole         bool // a byte each, with a scale for each row; otherwise half precision
	raw           []byte
}

// File hands out the tensors of a file by their names, and keeps the first error.
type File struct {
	tensors map[string]Tensor
	err     error
}

// Open reads a file that begins with a magic word of four bytes. What its header
// says beside the tensors goes into header.
func Open(data []byte, magic string, header any) (*File, error) {
	var listed struct{ Tensors []about }
	if _, err := ReadHeader(data, magic, header); err != nil {
		return nil, err
	}
	rest, err := ReadHeader(data, magic, &listed)
	if err != nil {
		return nil, err
	}
	f := &File{tensors: make(map[string]Tensor, len(listed.Tensors))}
	for _, a := range listed.Tensors {
		t, used, err := a.tensor(rest)
		if err != nil {
			return nil, err
		}
		f.tensors[a.Name], rest = t, rest[used:]
	}
	if len(rest) != 0 {
		return nil, ErrFormat
	}
	return f, nil
}

// ReadHeader reads what a file says about itself, and returns what follows.
func ReadHeader(data []byte, magic string, header any) (rest []byte, err error) {
	if len(data) < prefix || string(data[:magicBytes]) != magic || binary.LittleEndian.Uint32(data[magicBytes:]) != version {
		return nil, ErrFormat
	}
	size, rest := int(binary.LittleEndian.Uint32(data[magicBytes+4:])), data[prefix:]
	if size > len(rest) || json.Unmarshal(rest[:size], header) != nil {
		return nil, ErrFormat
	}
	return rest[size:], nil
}

// WholeTensor returns data as a matrix of whole numbers, with a scale for each row.
func WholeTensor(data []byte, rows, columns int) (Tensor, error) {
	t, used, err := about{Shape: []int{rows, columns}, Type: wholeNumbers}.tensor(data)
	if err == nil && used != len(data) {
		err = ErrFormat
	}
	return t, err
}

// about is what a header says of a tensor.
type about struct {
	Name  string
	Shape []int
	Type  string
}

// tensor finds the tensor at the start of data, and says how many bytes it has.
func (a about) tensor(data []byte) (t Tensor, used int, err error) {
	t = Tensor{Rows: 1, whole: a.Type == wholeNumbers}
	switch len(a.Shape) {
	case 1:
		t.Columns = a.Shape[0]
	case 2:
		t.Rows, t.Columns = a.Shape[0], a.Shape[1]
	}
	if t.Rows <= 0 || t.Columns <= 0 || t.Rows > mostNumbers || t.Columns > mostNumbers/t.Rows {
		return t, 0, ErrFormat
	}
	switch n := t.Rows * t.Columns; a.Type {
	case halfPrecision:
		used = 2 * n
	case wholeNumbers:
		used = 4*t.Rows + n
	default:
		return t, 0, ErrFormat
	}
	if used > len(data) {
		return t, 0, ErrFormat
	}
	t.raw = data[:used]
	return t, used, nil
}

// Err returns the first error.
func (f *File) Err() error { return f.err }

// Fail makes an error that of the file, unless it has one.
func (f *File) Fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// Has reports whether there is a tensor of that name.
func (f *File) Has(name string) bool {
	_, ok := f.tensors[name]
	return ok
}

// Columns returns how many columns a tensor has; 0: there is none of that name.
func (f *File) Columns(name string) int { return f.tensors[name].Columns }

// Tensor returns a tensor of so many rows and columns; 0 rows: as many as it has. A
// tensor that is not there is an error of the file, and zeros.
func (f *File) Tensor(name string, rows, columns int) Tensor {
	t, ok := f.tensors[name]
	if rows == 0 {
		rows = max(1, t.Rows)
	}
	fits := ok && t.Rows == rows && t.Columns == columns
	if !fits {
		f.Fail(fmt.Errorf("weights: tensor %q is not %d by %d", name, rows, columns))
	}
	if f.err != nil {
		return Tensor{Rows: rows, Columns: columns, raw: make([]byte, 2*rows*columns)}
	}
	return t
}

// Numbers returns the numbers of a tensor, see Tensor.
func (f *File) Numbers(name string, rows, columns int) []float32 {
	t := f.Tensor(name, rows, columns)
	return t.Numbers()
}

// Linear returns a layer's matrix, from in numbers to out.
func (f *File) Linear(name string, in, out int) *kernel.Packed {
	p := &kernel.Packed{}
	p.SetTransposed(f.Numbers(name+".weight", out, in), in, in, out)
	copy(p.Bias, f.Numbers(name+".bias", 1, out))
	p.Halve()
	return p
}

// Norm returns a layer's normalisation of rows of so many numbers.
func (f *File) Norm(name string, size int, epsilon float32) kernel.Norm {
	return kernel.Norm{Scale: f.Numbers(name+".weight", 1, size), Shift: f.Numbers(name+".bias", 1, size), Epsilon: epsilon}
}

// Numbers returns the numbers of all rows, one row after the other.
func (t *Tensor) Numbers() []float32 {
	all := make([]float32, t.Rows*t.Columns)
	for r := range t.Rows {
		t.Row(r, all[r*t.Columns:(r+1)*t.Columns])
	}
	return all
}

// Row writes the numbers of a row.
func (t *Tensor) Row(row int, to []float32) {
	if t.whole {
		scale := t.scale(row)
		for i, b := range t.bytes(row) {
			to[i] = float32(int8(b)) * scale
		}
		return
	}
	raw := t.raw[2*row*t.Columns:]
	for i := range to[:t.Columns] {
		to[i] = kernel.Half(binary.LittleEndian.Uint16(raw[2*i:]))
	}
}

// Whole returns a matrix of whole numbers, a byte each, and the scale of each row;
// ok is false when the tensor is kept otherwise.
func (t *Tensor) Whole() (scales []float32, numbers []byte, ok bool) {
	if !t.whole {
		return nil, nil, false
	}
	for r := range t.Rows {
		scales = append(scales, t.scale(r))
	}
	return scales, t.raw[4*t.Rows:], true
}

func (t *Tensor) scale(row int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(t.raw[4*row:]))
}

func (t *Tensor) bytes(row int) []byte {
	return t.raw[4*t.Rows+row*t.Columns:][:t.Columns]
}
