package run_test

import (
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/ask"
	"quern/catalog"
	"quern/run"
)

func shared(in quern.NamespacePath) catalog.Target {
	return catalog.Target{Owner: in.Owner, Namespace: in.Namespace}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"How many ships?":                 "How many ships?",
		"  How\n\tmany\x00 ships ?  ":     "How many ships ?",
		strings.Repeat("ü", 80):           strings.Repeat("ü", 80),
		strings.Repeat("ü", 81):           strings.Repeat("ü", 79) + "…",
		strings.Repeat("word, ", 20):      "word, word, word, word, word, word, word, word, word, word, word, word, word…",
		"bad \xff bytes":                  "bad \uFFFD bytes",
		"a " + strings.Repeat("long", 40): "a " + strings.Repeat("long", 20)[:77] + "…",
	} {
		if got := run.Title(question); got != want {
			t.Errorf("title of %q = %q, want %q", question, got, want)
		}
	}
}

func TestAConversation(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		ctx, bo := t.Context(), h.user("bo")
		s, _ := h.working()
		first := h.ask(s, "How many ships?")
		h.finished(s, first.ID, quern.RunCompleted)
		choices := []quern.Choice{{Label: "by year", Question: "How many a year?", Query: "SELECT count(*) FROM ships"}}
		h.script.answer = func(ask.Work) (quern.Result, error) {
			return quern.Result{Response: "Which?", Clarification: &quern.Clarification{Question: "Which?", Choices: choices}}, nil
		}
		follow := run.Ask{Conversation: first.Conversation, Task: quern.Task{Question: "And when?"}}
		second := h.askAs(s, h.ada, follow)
		if done := h.finished(s, second.ID, quern.RunCompleted); !done.AskedBack() {
			t.Errorf("run = %+v, want it to ask back", done.Result)
		}
		if w := h.script.seen("plan"); len(w.Earlier) != 1 || w.Earlier[0].Question != "How many ships?" || w.Earlier[0].Query == nil || w.Choices != nil {
			t.Errorf("work of the second turn = %+v, want the first turn as it was read", w)
		}
		for e, err := range s.Events(ctx, h.ada, second.ID, 0) {
			if h.must(err); e.Type == quern.EventAnswer && string(e.Data) != `{"response":"Which?","clarification":{"question":"Which?","choices":[{"label":"by year","question":"How many a year?"}]}}` {
				t.Errorf("answer = %s, want the choices without their queries", e.Data)
			}
		}
		third := h.askAs(s, h.ada, run.Ask{Conversation: first.Conversation, Task: quern.Task{Question: "1"}})
		h.finished(s, third.ID, quern.RunCompleted)
		if w := h.script.seen("plan"); len(w.Earlier) != 2 || len(w.Choices) != 1 || w.Choices[0] != choices[0] {
			t.Errorf("work of the third turn = %+v, want two turns and the choice, its query included", w)
		}
		fourth := h.askAs(s, h.ada, run.Ask{Conversation: first.Conversation, Task: quern.Task{Question: "and then?"}})
		h.finished(s, fourth.ID, quern.RunCompleted)
		if w := h.script.seen("plan"); len(w.Earlier) == 0 || !slices.Contains(w.Earlier[len(w.Earlier)-1].Said, "How many a year?") {
			t.Errorf("work of the fourth turn = %+v, want what the choice stood for among what was said", w)
		}
		c, turns, _, err := s.Conversation(ctx, h.ada, first.Conversation, run.Part{})
		if err != nil || c.Title != "How many ships?" || len(turns) != 4 || turns[0].ID != first.ID || turns[2].ID != third.ID || turns[1].Result == nil {
			t.Errorf("Conversation() = %+v %v %v, want four turns, oldest first", c, turns, err)
		}
		for name, id := range map[string]quern.ConversationID{"foreign": c.ID, "unknown": quern.NewID[quern.ConversationID](), "malformed": "x"} {
			_, _, _, err := s.Conversation(ctx, bo, id, run.Part{})
			h.wantKind("Conversation() that is "+name, err, quern.NotFound)
			_, err = s.Rename(ctx, bo, id, "mine")
			h.wantKind("Rename() of one that is "+name, err, quern.NotFound)
			h.wantKind("DeleteConversation() of one that is "+name, s.DeleteConversation(ctx, bo, id), quern.NotFound)
		}
	})
}

func TestConversationsOfPeopleAndTokens(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		ctx := t.Context()
		s := h.replica()
		narrow := h.token(h.ada, quern.TokenSpec{Scopes: []quern.Scope{{Username: "ada", Namespace: "Harbour"}}})
		one := h.ask(s, "one")
		two := h.askAs(s, narrow, run.Ask{Task: quern.Task{Question: "two"}})
		three := h.ask(s, "three")
		h.askAs(s, h.ada, run.Ask{Conversation: two.Conversation, Task: quern.Task{Question: "by her own hand"}})
		list := func(p quern.Principal, in quern.NamespacePath, limit int) (titles string) {
			for after := ""; ; {
				page, next, err := s.Conversations(ctx, p, in, after, limit)
				h.must(err)
				for _, c := range page {
					titles += c.Title + " "
				}
				if after = next; next == "" {
					return strings.TrimSpace(titles)
				}
			}
		}
		for _, c := range []struct {
			p    quern.Principal
			in   quern.NamespacePath
			want string
		}{
			{h.ada, quern.NamespacePath{}, "two three one"},
			{h.ada, quern.NamespacePath{Owner: "self", Namespace: "hARBOUR"}, "two three one"},
			{h.ada, quern.NamespacePath{Owner: "Ada"}, "two three one"},
			{narrow, quern.NamespacePath{}, "two"},
		} {
			for _, limit := range []int{1, 100} {
				if got := list(c.p, c.in, limit); got != c.want {
					t.Errorf("Conversations(%v, %d a page) = %q, want %q", c.in, limit, got, c.want)
				}
			}
		}
		_, _, err := s.Conversations(ctx, h.ada, quern.NamespacePath{Owner: "ada", Namespace: "other"}, "", 1)
		h.wantKind("Conversations() of a namespace that is not there", err, quern.NotFound)
		if _, turns, _, err := s.Conversation(ctx, narrow, two.Conversation, run.Part{}); err != nil || len(turns) != 1 || turns[0].ID != two.ID {
			t.Errorf("Conversation() of a token = %v, %v, want the turn that it asked alone", turns, err)
		}
		_, err = s.Run(ctx, narrow, one.ID)
		h.wantKind("Run() beyond the token", err, quern.NotFound)
		if page, err := s.Runs(ctx, narrow, run.Filter{Limit: 10}); err != nil || page.Total != 1 {
			t.Errorf("Runs() of a token = %+v, %v, want its one", page, err)
		}
		if c, err := s.Rename(ctx, h.ada, three.Conversation, " Drei \n"); err != nil || c.Title != "Drei" {
			t.Errorf("Rename() = %+v, %v, want Drei", c, err)
		}
		for _, title := range []string{"", " ", strings.Repeat("ü", 201)} {
			_, err := s.Rename(ctx, h.ada, three.Conversation, title)
			h.wantKind("Rename() to a bad title", err, quern.Invalid)
		}
		h.must(s.DeleteConversation(ctx, h.ada, three.Conversation))
		_, err = s.Run(ctx, h.ada, three.ID)
		h.wantKind("Run() of a deleted conversation", err, quern.NotFound)
	})
}
