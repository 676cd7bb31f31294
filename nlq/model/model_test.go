package model_test

import (
	"testing"

	"quern/nlq/model"
)

func TestVectors(t *testing.T) {
	t.Parallel()
	v, err := model.Vectors()
	if err != nil {
		t.Fatalf("Vectors = %v", err)
	}
	if v.Len() != 65060 || v.Dim() != 100 {
		t.Errorf("Len, Dim = %d, %d, want 65060, 100", v.Len(), v.Dim())
	}
	near, far := v.Cosine(v.ID("city"), v.ID("town")), v.Cosine(v.ID("city"), v.ID("salary"))
	if near < 0.6 || far > 0.3 {
		t.Errorf("Cosine of city with town, salary = %.2f, %.2f, want near and far", near, far)
	}
	if a := v.ID("a"); a < 3 {
		t.Errorf("ID(a) = %d, want a word", a)
	}
}
