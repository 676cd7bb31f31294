package quern_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quern/api"
)

var gapRow = regexp.MustCompile(`(?m)^\| (?P<kind>[a-z]+) \| (?P<what>[^|]+) \| (?P<why>[^|]+) \|$`)

// TestGapsAreThoseThatAreWrittenDown holds docs/gaps.md to the program: what is
// listed is missing, and what the contract takes without effect is listed.
func TestGapsAreThoseThatAreWrittenDown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/gaps.md")
	if err != nil {
		t.Fatal(err)
	}
	gaps := map[string][]string{}
	for _, m := range gapRow.FindAllStringSubmatch(string(text), -1) {
		kind := m[gapRow.SubexpIndex("kind")]
		gaps[kind] = append(gaps[kind], strings.Trim(m[gapRow.SubexpIndex("what")], "`"))
	}
	delete(gaps, "kind")
	if got, want := slices.Sorted(maps.Keys(gaps)), []string{"member", "operation", "word"}; !slices.Equal(got, want) {
		t.Errorf("docs/gaps.md has the kinds %v, want %v", got, want)
	}
	for _, what := range gaps["operation"] {
		method, path, _ := strings.Cut(what, " ")
		if item := api.Contract().Paths.Value(path); item != nil && item.GetOperation(method) != nil {
			t.Errorf("%s is in the contract: take it out of docs/gaps.md", what)
		}
	}
	members := withoutEffect()
	slices.Sort(gaps["member"])
	if !slices.Equal(gaps["member"], members) {
		t.Errorf("docs/gaps.md names the members %v, want those that the contract says to be without effect: %v", gaps["member"], members)
	}
}

var effectless = regexp.MustCompile(`(?i)\bwithout effect\b`)

// withoutEffect returns the names of members that the contract says to have none.
func withoutEffect() []string {
	found := map[string]bool{}
	for _, schema := range api.Contract().Components.Schemas {
		collect(schema, found)
	}
	return slices.Sorted(maps.Keys(found))
}

func collect(ref *openapi3.SchemaRef, found map[string]bool) {
	if ref == nil || ref.Ref != "" {
		return
	}
	for name, member := range ref.Value.Properties {
		if member.Value != nil && effectless.MatchString(member.Value.Description) {
			found[name] = true
		}
		collect(member, found)
	}
	collect(ref.Value.Items, found)
	for _, part := range slices.Concat(ref.Value.AllOf, ref.Value.OneOf, ref.Value.AnyOf) {
		collect(part, found)
	}
}
