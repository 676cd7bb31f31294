package net

import (
	"math"
	"testing"
)

func TestShare(t *testing.T) {
	t.Parallel()
	for n := 1; n < 20; n++ {
		scores, relation := make([]float32, n), make([]uint8, n)
		want, got := make([]float32, relations), make([]float32, relations)
		for i := range scores {
			x := float32(i%7) - 2.5
			scores[i], got[i] = x, 99 // what was there before must not show
			relation[i] = uint8(i / 3 % 4)
			want[relation[i]] += x
		}
		(&scratch{}).share(scores, relation, got)
		for i := range want {
			if math.Abs(float64(got[i]-want[i])) > 1e-6 {
				t.Errorf("share(%d) of relation %d = %g, want %g", n, i, got[i], want[i])
			}
		}
	}
}
