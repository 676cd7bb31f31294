package schema

import "sync"

// senses are what the values of a column mean, as vectors of length one; made when they
// are first asked for, and shared by the copies of an index.
type senses struct {
	once sync.Once
	all  [][]float32
}

// Nearest returns the value that means most nearly what is sought, how near it is, up to
// 1, and how much nearer than the next one; ok is false when nothing is known of any.
// Both are vectors as of makes them (see encoder.Senses).
func (v *Values) Nearest(sought []float32, of func(text string) []float32) (value string, near, ahead float32, ok bool) {
	if len(sought) == 0 || v.senses == nil {
		return "", 0, 0, false
	}
	v.senses.once.Do(func() {
		v.senses.all = make([][]float32, len(v.values))
		for i := range v.values {
			v.senses.all[i] = of(v.values[i].text)
		}
	})
	best, second := float32(-1), float32(-1)
	for i, sense := range v.senses.all {
		if len(sense) != len(sought) {
			continue
		}
		product := float32(0)
		for j, x := range sense {
			product += x * sought[j]
		}
		if product > best {
			value, second, best = v.values[i].text, best, product
			continue
		}
		second = max(second, product)
	}
	return value, best, best - second, best > -1
}
