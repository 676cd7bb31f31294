package quern_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"quern"
)

// trail makes an audit trail of stretches of three entries each, one entry that is not
// sealed, and some stretches that are cut.
func trail(stretches, cut int) (lines []quern.AuditLine) {
	before := ""
	entry := func(i, j int) *quern.AuditEntry {
		return &quern.AuditEntry{ID: fmt.Sprintf("%d-%d", i, j), At: time.Unix(int64(i), 0).UTC(), Actor: "a", Action: quern.AuditSignIn, Detail: map[string]string{"x": "y"}}
	}
	for i := 1; i <= stretches; i++ {
		seal := quern.AuditSeal{Stretch: int64(i), Entries: 3, Before: before, Cut: i <= cut}
		chain := quern.NewAuditChain(before)
		for j := range 3 {
			chain.Add(*entry(i, j))
			if !seal.Cut {
				lines = append(lines, quern.AuditLine{Entry: entry(i, j)})
			}
		}
		seal.Digest = chain.Digest()
		before = seal.Digest
		lines = append(lines, quern.AuditLine{Seal: &seal})
	}
	return append(lines, quern.AuditLine{Entry: entry(99, 0)})
}

func verify(lines []quern.AuditLine) (v quern.AuditVerifier, err error) {
	for _, line := range lines {
		if err := v.Line(line); err != nil {
			return v, err
		}
	}
	v.End()
	return v, nil
}

func TestAuditTrailsShowTampering(t *testing.T) {
	t.Parallel()
	v, err := verify(trail(4, 1))
	if err != nil || v.Stretches != 4 || v.Cut != 1 || v.Entries != 9 || v.Open != 1 {
		t.Fatalf("an honest trail = %+v, %v, want 9 entries in 4 stretches, 1 of them cut, and 1 open", v, err)
	}
	if _, err := verify(trail(4, 0)[4:]); err != nil {
		t.Errorf("a trail from its second stretch on = %v, want it good", err)
	}
	for name, tamper := range map[string]func(lines []quern.AuditLine) []quern.AuditLine{
		"an entry changed": func(l []quern.AuditLine) []quern.AuditLine { l[1].Entry.Actor = "b"; return l },
		"a detail changed": func(l []quern.AuditLine) []quern.AuditLine { l[1].Entry.Detail["x"] = "z"; return l },
		"a time changed": func(l []quern.AuditLine) []quern.AuditLine {
			l[1].Entry.At = l[1].Entry.At.Add(time.Microsecond)
			return l
		},
		"an entry gone":            func(l []quern.AuditLine) []quern.AuditLine { return slices.Delete(l, 1, 2) },
		"an entry added":           func(l []quern.AuditLine) []quern.AuditLine { return slices.Insert(l, 1, l[0]) },
		"two entries swapped":      func(l []quern.AuditLine) []quern.AuditLine { l[0], l[1] = l[1], l[0]; return l },
		"a stretch gone":           func(l []quern.AuditLine) []quern.AuditLine { return slices.Delete(l, 4, 8) },
		"a stretch said to be cut": func(l []quern.AuditLine) []quern.AuditLine { l[3].Seal.Cut = true; return l },
		"a digest changed":         func(l []quern.AuditLine) []quern.AuditLine { l[3].Seal.Digest = l[7].Seal.Digest; return l },
		"a stretch sealed anew": func(l []quern.AuditLine) []quern.AuditLine {
			l[4].Entry.Actor = "b"
			chain := quern.NewAuditChain(l[7].Seal.Before)
			for _, line := range l[4:7] {
				chain.Add(*line.Entry)
			}
			l[7].Seal.Digest = chain.Digest()
			return l
		},
		"a first stretch with one before": func(l []quern.AuditLine) []quern.AuditLine { l[3].Seal.Before = "x"; return l },
		"a line of nothing":               func(l []quern.AuditLine) []quern.AuditLine { l[0] = quern.AuditLine{}; return l },
	} {
		if _, err := verify(tamper(trail(4, 0))); err == nil {
			t.Errorf("%s: the trail is taken for good", name)
		}
	}
}
