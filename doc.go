// Package quern holds the words of the domain: the nouns every other package
// speaks of, the rules of their names, and the one error type.
//
// It owns what things are. It never does anything: no I/O, no clock, no
// randomness of its own beyond making ids. It imports nothing of this module,
// so every package may import it.
package quern
