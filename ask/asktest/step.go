package asktest

import (
	"encoding/json"
	"strings"

	"quern"
)

// Step returns a step of columns and rows, each a JSON array.
func Step(tree string, columns []quern.Column, rows ...string) quern.Step {
	s := quern.Step{Instruction: "look", Query: tree, Reasoning: "Lists things", Columns: columns, Tree: tree, TotalCount: int64(len(rows)), Data: []json.RawMessage{}}
	for _, row := range rows {
		var values []json.RawMessage
		if err := json.Unmarshal([]byte(row), &values); err != nil {
			panic(err)
		}
		members := make([]string, 0, len(values)+1)
		for i, v := range values {
			name, _ := json.Marshal(columns[i].Name)
			members = append(members, string(name)+":"+string(v))
		}
		s.Data = append(s.Data, json.RawMessage("{"+strings.Join(append(members, `"__metadata":{"score":0.77}`), ",")+"}"))
	}
	return s
}

// Hostile are values that try to be more than values where they are shown.
var Hostile = []string{"", "plain", "a|b", "`code`", "**bold** _it_ snake_case", "line\nbreak\r\n| forged | row |", "<script>alert(1)</script>", "[click](http://evil.example/1)", "![img](x)",
	"&lt;b&gt; &#42;", "\u202eesrever\u202c 42", "\x1b[31mred\x07", "1. first\n2. second", "# heading", "Boeing 747-8", "it's 12:30 on 2024-01-02", strings.Repeat("long 12345 ", 40),
	strings.Repeat("7", 200), "≈ 3.14 × 10^5", "1,234.5", "\\", "\\|", "a\\", "—", "https://example.org/a_b_c?x=1&y=2", "~~gone~~", "-5", "(5)", "\U000E0041\U000E0042hidden", "12.", "Q1/2024", "٣٤"}
