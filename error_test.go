package quern_test

import (
	"encoding/json"
	"errors"
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
