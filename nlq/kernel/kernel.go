// Package kernel owns the arithmetic that the translator's networks are made of:
// products of matrices in floating point and in whole numbers, softmax, norms,
// activations, and the workers that share a question.
//
// It knows nothing of questions or of any network. The failure it is built around
// is the number that depends on the machine: every kernel is written in assembly
// for processors with AVX2 and in plain Go, and both give the same bits.
package kernel

import "sync/atomic"

// portable makes every kernel the one in plain Go.
var portable atomic.Bool

// SetPortable makes every kernel the one in plain Go, or not, to compare the two.
func SetPortable(on bool) { portable.Store(on) }

// assembly reports whether the kernels in assembly are used.
func assembly() bool { return fast && !portable.Load() }

// Grow returns a slice of so many numbers, of any content.
func Grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
