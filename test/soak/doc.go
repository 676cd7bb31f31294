// Package soak holds servers for an hour to what they acknowledged, while everything that
// they stand on fails now and then: `make soak`. It is out of `make test`, which has the
// short form of it in test/e2e.
package soak
