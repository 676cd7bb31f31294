package api_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quern/api"
)

// style is how the contract is written beyond what makes it valid. Each rule
// returns what it finds wrong; testdata/style.yaml breaks every one of them.
var style = []struct {
	name string
	rule func(doc *openapi3.T, source string) []string
}{
	{"everything in sight is described", undescribed},
	{"tags are declared and used", strayTags},
	{"every operation can succeed", withoutSuccess},
	{"addresses are plain", oddAddresses},
	{"no two addresses mean the same", ambiguousAddresses},
	{"every component is used", unusedComponents},
	{"enums are of their type, without repetition", oddEnums},
	{"texts carry no code", codeInTexts},
}

func TestStyle(t *testing.T) {
	t.Parallel()
	for _, s := range style {
		for _, wrong := range s.rule(api.Contract(), readText(t, "openapi.yaml")) {
			t.Errorf("%s: %s", s.name, wrong)
		}
	}
}

func TestStyleFindsEach(t *testing.T) {
	t.Parallel()
	source := readText(t, "testdata/style.yaml")
	doc, err := openapi3.NewLoader().LoadFromData([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range style {
		if len(s.rule(doc, source)) == 0 {
			t.Errorf("%s: found nothing wrong with testdata/style.yaml", s.name)
		}
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func undescribed(doc *openapi3.T, _ string) (wrong []string) {
	missing := func(what, text string) {
		if strings.TrimSpace(text) == "" {
			wrong = append(wrong, what+" has no description")
		}
	}
	missing("the contract", doc.Info.Description)
	for _, tag := range doc.Tags {
		missing("tag "+tag.Name, tag.Description)
	}
	for name, schema := range doc.Components.Schemas {
		missing("schema "+name, schema.Value.Description)
	}
	for name, p := range doc.Components.Parameters {
		missing("parameter "+name, p.Value.Description)
	}
	eachOperation(doc, func(address, method string, op *openapi3.Operation) {
		missing(method+" "+address, op.Description)
		for _, p := range op.Parameters {
			missing(method+" "+address+" "+p.Value.Name, p.Value.Description)
		}
		if op.RequestBody != nil {
			missing(method+" "+address+" body", op.RequestBody.Value.Description)
		}
	})
	return wrong
}

func strayTags(doc *openapi3.T, _ string) (wrong []string) {
	used := map[string]bool{}
	eachOperation(doc, func(address, method string, op *openapi3.Operation) {
		for _, tag := range op.Tags {
			used[tag] = true
			if doc.Tags.Get(tag) == nil {
				wrong = append(wrong, fmt.Sprintf("%s %s has the tag %s, which is not declared", method, address, tag))
			}
		}
	})
	for _, tag := range doc.Tags {
		if !used[tag.Name] {
			wrong = append(wrong, "no operation has the tag "+tag.Name)
		}
	}
	return wrong
}

func withoutSuccess(doc *openapi3.T, _ string) (wrong []string) {
	eachOperation(doc, func(address, method string, op *openapi3.Operation) {
		succeeds := func(status string) bool { return strings.HasPrefix(status, "2") || strings.HasPrefix(status, "3") }
		if !slices.ContainsFunc(slices.Collect(maps.Keys(op.Responses.Map())), succeeds) {
			wrong = append(wrong, method+" "+address+" has no answer of success")
		}
	})
	return wrong
}

var plainAddress = regexp.MustCompile(`^(/([a-z0-9]+([A-Z][a-z]+)*(-[a-z0-9]+)*|\.well-known|\{[a-z][A-Za-z]*\}|[a-z-]+\.json))+(:[a-z]+)?$`)

func oddAddresses(doc *openapi3.T, _ string) (wrong []string) {
	for address := range doc.Paths.Map() {
		if !plainAddress.MatchString(address) {
			wrong = append(wrong, address)
		}
	}
	return wrong
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

func ambiguousAddresses(doc *openapi3.T, _ string) (wrong []string) {
	first := map[string]string{}
	for address := range doc.Paths.Map() {
		shape := parameter.ReplaceAllString(address, "{}")
		if other, ok := first[shape]; ok {
			wrong = append(wrong, address+" and "+other)
		}
		first[shape] = address
	}
	return wrong
}

func unusedComponents(doc *openapi3.T, source string) (wrong []string) {
	look := func(kind string, names []string) {
		for _, name := range names {
			used := regexp.MustCompile(`#/components/` + kind + `/` + regexp.QuoteMeta(name) + `\b`)
			if !used.MatchString(source) {
				wrong = append(wrong, kind+"/"+name)
			}
		}
	}
	c := doc.Components
	look("schemas", slices.Collect(maps.Keys(c.Schemas)))
	look("parameters", slices.Collect(maps.Keys(c.Parameters)))
	look("responses", slices.Collect(maps.Keys(c.Responses)))
	look("requestBodies", slices.Collect(maps.Keys(c.RequestBodies)))
	look("headers", slices.Collect(maps.Keys(c.Headers)))
	return wrong
}

func oddEnums(doc *openapi3.T, _ string) (wrong []string) {
	var walk func(where string, ref *openapi3.SchemaRef)
	walk = func(where string, ref *openapi3.SchemaRef) {
		if ref == nil || ref.Ref != "" && strings.Contains(where, ".") {
			return
		}
		seen := map[any]bool{}
		for _, v := range ref.Value.Enum {
			_, isText := v.(string)
			if seen[v] || isText != ref.Value.Type.Is("string") && v != nil {
				wrong = append(wrong, fmt.Sprintf("%s: %v", where, v))
			}
			seen[v] = true
		}
		walk(where+".items", ref.Value.Items)
		for name, member := range ref.Value.Properties {
			walk(where+"."+name, member)
		}
	}
	for name, schema := range doc.Components.Schemas {
		walk(name, schema)
	}
	return wrong
}

var code = regexp.MustCompile(`(?i)<script|\beval\(`)

func codeInTexts(_ *openapi3.T, source string) []string { return code.FindAllString(source, -1) }

func eachOperation(doc *openapi3.T, visit func(address, method string, op *openapi3.Operation)) {
	for address, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			visit(address, method, op)
		}
	}
}
