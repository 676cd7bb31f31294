package quern_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"quern"
)

func TestIs(t *testing.T) {
	t.Parallel()
	if quern.Is(nil, quern.Internal) {
		t.Error("Is(nil, Internal) = true, want false: there is no error")
	}
	if !quern.Is(errors.New("x"), quern.Internal) {
		t.Error("Is(unclassified, Internal) = false, want true")
	}
	missing := error(quern.E(quern.NotFound, quern.CodeNotFound, "gone"))
	if !quern.Is(missing, quern.NotFound) || quern.Is(missing, quern.Gone) {
		t.Error("Is does not tell NotFound from Gone")
	}
}

func TestKindsAreStoredByName(t *testing.T) {
	t.Parallel()
	for _, kind := range quern.Kinds() {
		text, err := json.Marshal(quern.Failure{Kind: kind})
		var back quern.Failure
		if err != nil || json.Unmarshal(text, &back) != nil || back.Kind != kind {
			t.Errorf("%s comes back as %v, want %v (%v)", text, back.Kind, kind, err)
		}
	}
	var old quern.Failure
	if err := json.Unmarshal([]byte(`{"kind":"of another time"}`), &old); err != nil || old.Kind != quern.Internal {
		t.Errorf("an unknown kind is %v (%v), want internal", old.Kind, err)
	}
}

func TestInField(t *testing.T) {
	t.Parallel()
	refused := quern.E(quern.Invalid, "INVALID_INPUT", "no").With(
		quern.Fault("required", "query", "must not be empty"), quern.Fault("type", "limit", "is no number"))
	var renamed *quern.Error
	if !errors.As(quern.InField(fmt.Errorf("asking: %w", refused), "query", "question"), &renamed) {
		t.Fatal("InField returns no Error for one")
	}
	want := []quern.SubError{quern.Fault("required", "question", "must not be empty"), quern.Fault("type", "limit", "is no number")}
	if !slices.Equal(renamed.Sub, want) || refused.Sub[0].Field != "query" {
		t.Errorf("InField = %v, of %v", renamed.Sub, refused.Sub)
	}
	if other := errors.New("other"); quern.InField(other, "query", "question") != other {
		t.Error("InField changes an error that is none of ours")
	}
}
