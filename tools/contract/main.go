// Command contract fails when the contract breaks clients of the released one and
// the list of breaks does not name the break with its reason:
//
//	contract api/released.yaml api/openapi.yaml api/breaks.md
//
// It also fails on an entry of the list that has no reason, or that no break
// needs any more. The list itself says how an entry is written.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: contract RELEASED CURRENT BREAKS")
		os.Exit(2)
	}
	complaints, err := compare(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, "contract:", err)
		os.Exit(2)
	}
	for _, c := range complaints {
		fmt.Fprintln(os.Stderr, c)
	}
	if len(complaints) > 0 {
		os.Exit(1)
	}
}

// compare returns what is wrong: nothing when every break is named.
func compare(released, current, list string) ([]string, error) {
	text, err := os.ReadFile(list) //nolint:gosec // the file that the caller named
	if err != nil {
		return nil, err
	}
	entries, complaints := parse(string(text))
	found, err := breaks(released, current)
	if err != nil {
		return nil, err
	}
	return append(complaints, match(entries, found)...), nil
}

// broken is one way in which the current contract breaks a client of the released
// one.
type broken struct {
	Operation string // its operationId; method and path where it has none
	Check     string // the name of the rule that found it
	Text      string
}

func breaks(released, current string) ([]broken, error) {
	loader := openapi3.NewLoader()
	before, err := load.NewSpecInfo(loader, load.NewSource(released))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", released, err)
	}
	after, err := load.NewSpecInfo(loader, load.NewSource(current))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", current, err)
	}
	differences, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), before, after)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	words := checker.NewDefaultLocalizer()
	var out []broken
	for _, c := range checker.CheckBackwardCompatibility(checker.NewConfig(checker.GetAllChecks()), differences, sources) {
		b := broken{Operation: c.GetOperationId(), Check: c.GetId(), Text: c.GetUncolorizedText(words)}
		if b.Operation == "" {
			b.Operation = strings.TrimSpace(c.GetOperation() + " " + c.GetPath())
		}
		out = append(out, b)
	}
	return out, nil
}
