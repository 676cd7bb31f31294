package nlq_test

import (
	"slices"
	"testing"

	"quern/nlq"
	"quern/tree"
)

func TestTurnsKeepWhatWasSaid(t *testing.T) {
	t.Parallel()
	q := &tree.Query{}
	var none *nlq.Turn
	first := none.Without("hello?")
	if first.Query != nil || first.Behind != "hello?" || !slices.Equal(first.Said, []string{"hello?"}) {
		t.Errorf("a turn after none that got no answer = %+v", first)
	}
	second := first.Next("how many?", q, true)
	if second.Query != q || second.Behind != "" || !second.Doubt || !slices.Equal(second.Said, []string{"hello?", "how many?"}) {
		t.Errorf("a turn that got an answer = %+v", second)
	}
	third, other := second.Without("why?"), second.Without("who?")
	if third.Query != q || third.Question != "how many?" || third.Behind != "why?" {
		t.Errorf("a turn behind which a question got no answer = %+v", third)
	}
	if !slices.Equal(third.Said, []string{"hello?", "how many?", "why?"}) || !slices.Equal(other.Said, []string{"hello?", "how many?", "who?"}) {
		t.Errorf("said %q and %q, want each its own", third.Said, other.Said)
	}
	fourth := third.Next("in May?", q, false)
	if want := []string{"how many?", "why?", "in May?"}; !slices.Equal(fourth.Said, want) || len(fourth.Said) > nlq.MostSaid {
		t.Errorf("said %q, want the last three", fourth.Said)
	}
}
