package feedback_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quern"
	"quern/feedback"
	"quern/store/storetest"
)

// steps are those of a run whose rows nobody should see again.
func steps(queries ...string) (all []quern.Step) {
	for i, q := range queries {
		all = append(all, quern.Step{Index: i, Instruction: "do " + q, Query: q, Data: []json.RawMessage{json.RawMessage(`{"secret":1}`)}})
	}
	return all
}

func TestRatedRunsArePaged(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d *desk) {
		var want []quern.RunID
		for i := range 7 {
			id := d.run(quern.Run{Steps: steps("select 1")})
			if err := d.give(id, i%2 == 0, "c"); err != nil {
				t.Fatal(err)
			}
			want = append([]quern.RunID{id}, want...)
		}
		d.run(quern.Run{}) // not rated
		bob := quern.Principal{User: storetest.User(t, d.store, "bob")}
		theirs := storetest.Run(t, d.store, bob.User, quern.Run{})
		if err := d.Give(t.Context(), bob, quern.Feedback{Run: theirs.ID}); err != nil {
			t.Fatal(err)
		}
		var got []quern.RunID
		filter := feedback.Filter{Limit: 3}
		for pages := 0; ; pages++ {
			page, err := d.Rated(t.Context(), d.ada, filter)
			if err != nil || pages > 3 {
				t.Fatalf("page %d: %v", pages, err)
			}
			for _, r := range page.Rated {
				got = append(got, r.Run.ID)
				if len(r.Run.Steps) != 1 || r.Run.Steps[0].Query != "select 1" || r.Run.Steps[0].Data != nil || r.Feedback.Comment != "c" {
					t.Errorf("a rated run is %+v", r)
				}
			}
			if filter.After = page.Next; filter.After == "" {
				break
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d rated runs, want %d", len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("rated run %d is %s, want %s", i, got[i], want[i])
			}
		}
	})
}

func TestRatedRunsAreNarrowed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d *desk) {
		up, down := true, false
		for _, r := range []quern.Run{{}, {}, {In: quern.NamespacePath{Owner: "bob", Namespace: "Mill"}, Token: "t"}} {
			if err := d.give(d.run(r), r.Token == "", ""); err != nil {
				t.Fatal(err)
			}
		}
		restricted := d.ada
		restricted.Token, restricted.Scopes = "t", []quern.Scope{{Username: "bob", Namespace: "mill"}}
		for name, c := range map[string]struct {
			who    quern.Principal
			filter feedback.Filter
			want   int
		}{
			"all": {d.ada, feedback.Filter{}, 3}, "up": {d.ada, feedback.Filter{ThumbsUp: &up}, 2}, "down": {d.ada, feedback.Filter{ThumbsUp: &down}, 1},
			"her own namespace": {d.ada, feedback.Filter{In: quern.NamespacePath{Namespace: "HARBOUR"}}, 2},
			"bob's namespace":   {d.ada, feedback.Filter{In: quern.NamespacePath{Owner: "bob", Namespace: "mill"}}, 1},
			"a token's":         {restricted, feedback.Filter{}, 1},
		} {
			c.filter.Limit = 10
			page, err := d.Rated(t.Context(), c.who, c.filter)
			if err != nil || len(page.Rated) != c.want || page.Next != "" {
				t.Errorf("%s: %d runs, next %q, %v; want %d", name, len(page.Rated), page.Next, err, c.want)
			}
		}
		if _, err := d.Rated(t.Context(), d.ada, feedback.Filter{After: "x", Limit: 1}); !quern.Is(err, quern.Malformed) {
			t.Errorf("a cursor that is none = %v, want Malformed", err)
		}
	})
}

func TestAnExportIsATestSet(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, d *desk) {
		for range 60 { // more than an export reads at once
			if err := d.give(d.run(quern.Run{Steps: steps("select 1")}), true, ""); err != nil {
				t.Fatal(err)
			}
		}
		asked := d.run(quern.Run{Steps: []quern.Step{{Clarification: &quern.Clarification{Question: "Which?"}}}})
		several := d.run(quern.Run{Agent: quern.AgentAssistant, Steps: steps("select 2", "select 3")})
		for _, id := range []quern.RunID{asked, several} {
			if err := d.give(id, false, "wrong"); err != nil {
				t.Fatal(err)
			}
		}
		var lines []string
		for c, err := range d.Export(t.Context(), d.ada, feedback.Filter{}) {
			line, _ := json.Marshal(c)
			lines = append(lines, string(line))
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(lines) != 62 {
			t.Fatalf("%d cases, want 62", len(lines))
		}
		want := `{"db":"harbour","question":"do select 2","sql":"select 2","rating":"down","comment":"wrong","runId":"` + string(several) + `","step":0}`
		if lines[0] != want {
			t.Errorf("the first case is\n%s, want\n%s", lines[0], want)
		}
		if !strings.HasPrefix(lines[2], `{"db":"harbour","question":"How many ships are there?","sql":"select 1","rating":"up",`) {
			t.Errorf("the third case is %s", lines[2])
		}
	})
}
