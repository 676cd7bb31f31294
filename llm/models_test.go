package llm_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/llm"
)

func newModels(model llm.Model, names ...string) *llm.Models {
	return llm.New(llm.Options{
		Provider: "openai", Names: names, Open: func(string) llm.Model { return model },
		Ledger:  &ledger{spent: map[quern.UserID]quern.ModelUsage{}},
		Timeout: time.Minute, Concurrency: 4, Failures: 1, Rest: time.Minute,
		Now: time.Now, Rand: func() float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
	})
}

func TestChoose(t *testing.T) {
	t.Parallel()
	two, none := newModels(steps(says("ok")), "big", "small"), &llm.Models{}
	for _, tt := range []struct {
		models         *llm.Models
		provider, name string
		want           string // provider/name, with ! when it was named
		wrong          string // in the sub error of a refusal
	}{
		{two, "", "", "openai/big", ""},
		{two, "", "small", "openai/small!", ""},
		{two, "openai", "", "openai/big!", ""},
		{two, "openai", "small", "openai/small!", ""},
		{two, "", "embedded", "embedded/embedded!", ""},
		{two, "embedded", "", "embedded/embedded!", ""},
		{two, "embedded", "embedded", "embedded/embedded!", ""},
		{two, "embedded", "big", "", "model: big is not one of embedded, big, small"},
		{two, "openai", "embedded", "", "model: embedded"},
		{two, "", "huge", "", "model: huge is not one of embedded, big, small"},
		{two, "anthropic", "big", "", "provider: anthropic is not one of embedded, openai"},
		{two, "http://169.254.169.254/", "big", "", "provider: http://169.254.169.254/"},
		{none, "", "", "embedded/embedded", ""},
		{none, "", "embedded", "embedded/embedded!", ""},
		{none, "", "big", "", "model: big is not one of embedded"},
		{none, "openai", "", "", "provider: openai is not one of embedded"},
	} {
		got, err := tt.models.Choose(tt.provider, tt.name)
		if tt.wrong != "" {
			e, _ := err.(*quern.Error)
			if e == nil || e.Kind != quern.Invalid || len(e.Sub) != 1 || !strings.HasPrefix(e.Sub[0].Message, tt.wrong) {
				t.Errorf("Choose(%q, %q) = %v, want Invalid with %q", tt.provider, tt.name, err, tt.wrong)
			}
			continue
		}
		text := got.Provider + "/" + got.Name
		if got.Named {
			text += "!"
		}
		if err != nil || text != tt.want || got.Embedded() != strings.HasPrefix(tt.want, "embedded") {
			t.Errorf("Choose(%q, %q) = %s, %v, want %s", tt.provider, tt.name, text, err, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	models := newModels(steps(fails(llm.Fault{Reason: llm.Denied})), "big", "small")
	chosen, err := models.Choose("", "small")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chosen.Model.Complete(t.Context(), llm.Request{For: "ada"}); reason(err) != llm.Denied {
		t.Errorf("Complete = %v, want the denial", err)
	}
	list := models.List()
	if len(list) != 3 || !list[0].Default || list[0].State != llm.Available || list[1].State != llm.Failing || list[1].Until.IsZero() ||
		list[2].Name != llm.Embedded || list[2].Default || list[2].State != llm.Available {
		t.Errorf("List = %+v, want big by default, small failing, embedded always", list)
	}
	if list := (&llm.Models{}).List(); len(list) != 1 || !list[0].Default {
		t.Errorf("List of none = %+v, want the embedded one by default", list)
	}
}
