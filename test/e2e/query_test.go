package e2e_test

import (
	"strings"
	"testing"
)

func TestQueryFromTheCommandLine(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+token)
	const sql = "select kind, count(*) as ships, max(built) as newest from ships group by kind order by kind limit 2"
	if got, want := h.must("", "query", "-n", "harbour", sql), "kind            ships  newest\nbulk carrier    3      2008\ncontainer ship  3      2020"; got != want {
		t.Errorf("quern query = %q, want %q", got, want)
	}
	const numbered = "select __row, ship from ships order by ship limit 2"
	if got, want := h.must("", "query", "-n", "harbour", numbered), "__row  ship\n0      Ariadne\n1      Borealis"; got != want {
		t.Errorf("quern query of row numbers = %q, want %q", got, want)
	}
	if got := h.must("", "query", "--json", "-n", "ada/harbour", "select 1 as one"); !strings.Contains(got, `"one": 1`) || !strings.Contains(got, `"truncated": false`) {
		t.Errorf("quern query --json = %s, want the row", got)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"query", "-n", "harbour", "select nothing from ships"}, 1, "nothing"},
		{[]string{"query", "-n", "nowhere", "select 1"}, 1, "no such namespace"},
		{[]string{"query", "select 1"}, 2, "--namespace"},
		{[]string{"query", "-n", "harbour"}, 2, "SQL"},
	} {
		if r := h.run("", c.args...); r.code != c.code || !strings.Contains(r.err, c.says) {
			t.Errorf("quern %v = %d %q, want %d saying %q", c.args, r.code, r.err, c.code, c.says)
		}
	}
}
