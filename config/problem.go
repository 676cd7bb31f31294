package config

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with the settings.
type Problem struct {
	Where  string // the flag, variable or file key
	Reason string
}

// Problems is the error that Load returns: everything that is wrong, in the
// order in which it was found.
type Problems struct{ List []Problem }

func (p *Problems) add(where, format string, args ...any) {
	p.List = append(p.List, Problem{Where: where, Reason: fmt.Sprintf(format, args...)})
}

func (p *Problems) Error() string {
	var b strings.Builder
	if len(p.List) == 1 {
		b.WriteString("a setting cannot be used:")
	} else {
		fmt.Fprintf(&b, "%d settings cannot be used:", len(p.List))
	}
	for _, problem := range p.List {
		fmt.Fprintf(&b, "\n  %s: %s", problem.Where, problem.Reason)
	}
	return b.String()
}
