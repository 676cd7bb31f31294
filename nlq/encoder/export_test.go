package encoder

// Read returns the pieces of a text, and the places of those that are kept.
func Read(p *Pieces, t Text) (ids []int32, kept []int) { return p.read(t) }

// Vectors returns the numbers of a name.
func Vectors(e *Encoder, n Name) [][]float32 {
	rows := make([][]float32, n.count(e.Size))
	all := make([]float32, len(rows)*e.Size)
	n.write(all, e.Size)
	for i := range rows {
		rows[i] = all[i*e.Size : (i+1)*e.Size]
	}
	return rows
}

// Count is how many pieces there are.
func Count(p *Pieces) int32 { return int32(p.vectors.Rows) }
