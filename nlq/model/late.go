package model

import (
	"context"
	"errors"
	"sync"

	"quern/learned"
	"quern/nlq/encoder"
)

// Late is the encoder of this build. It is read when something is first encoded: a
// server that nobody asks needs nothing of it but its fingerprint.
type Late struct{}

// fingerprint finds the fingerprint of the encoder among the weights of this build, once.
var fingerprint = sync.OnceValue(func() string {
	for _, data := range learned.Weights() {
		if encoder.In(data) {
			return encoder.FingerprintOf(data)
		}
	}
	return ""
})

// Fingerprint names the weights; see encoder.Encoder.
func (Late) Fingerprint() string { return fingerprint() }

// Key names a text; see encoder.Encoder. Weights that cannot be read name all alike, and
// make none of them.
func (Late) Key(text encoder.Text) encoder.Key {
	e, err := shippedEncoder()
	if err != nil {
		return encoder.Key{}
	}
	return e.Key(text)
}

// Names encodes names; see encoder.Encoder.
func (Late) Names(ctx context.Context, texts []encoder.Text) ([]encoder.Name, error) {
	e, err := shippedEncoder()
	if err != nil {
		return nil, err
	}
	return e.Names(ctx, texts)
}

// Fits reports whether a name is as this encoder makes them.
func (Late) Fits(name encoder.Name) bool {
	e, err := shippedEncoder()
	return err == nil && e.Fits(name)
}

func shippedEncoder() (*encoder.Encoder, error) {
	shipped, err := Shipped()
	if err == nil && shipped.Encoder == nil {
		err = errors.New("model: no network has a pretrained encoder")
	}
	return shipped.Encoder, err
}
