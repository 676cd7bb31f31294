package rest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quern/api/apitest"
	"quern/rest"
)

const tokenPath = "/api/v1/user/token"

func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, body := range map[string]string{
		"empty":            "",
		"space":            "  \n",
		"cut off":          `{"name":"x"`,
		"comma":            `{"name":"x",}`,
		"comma in array":   `{"name":"x","accessRestrictedTo":[1,]}`,
		"single quotes":    `{'name':'x'}`,
		"trailing":         `{"name":"x"} {}`,
		"trailing garbage": `{"name":"x"}]`,
		"twice":            `{"name":"x","name":"y"}`,
		"twice, unknown":   `{"name":"x","y":{"z":1,"z":2}}`,
		"not UTF-8":        "{\"name\":\"\xff\"}",
		"byte order mark":  "\xef\xbb\xbf{\"name\":\"x\"}",
		"number too large": `{"name":"x","y":1e999}`,
		"deep":             `{"name":"x","y":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`,
		"deep, unclosed":   strings.Repeat(`{"a":`, 10000),
		"NaN":              `{"name":NaN}`,
		"control":          "{\"name\":\"a\nb\"}",
	} {
		got := w.do(ask{method: "POST", path: tokenPath, token: "ada", body: body})
		if e := got.failure(t); got.StatusCode != http.StatusBadRequest || e.ErrorCode != "MALFORMED_JSON" {
			t.Errorf("createToken(%s) = %d %s, want 400 MALFORMED_JSON", name, got.StatusCode, got.body)
		}
	}
}

func TestInvalidBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		name, body string
		want       []string // code and field of each sub error
	}{
		{"null", `null`, []string{"required body"}},
		{"array", `[]`, []string{"type body"}},
		{"string", `"name"`, []string{"type body"}},
		{"missing", `{}`, []string{"required name"}},
		{"other case", `{"NAME":"x"}`, []string{"required name"}},
		{"null member", `{"name":null}`, []string{"required name"}},
		{"wrong type", `{"name":5}`, []string{"type name"}},
		{"empty", `{"name":""}`, []string{"minLength name"}},
		{"too long", `{"name":"` + strings.Repeat("ä", 101) + `"}`, []string{"maxLength name"}},
		{"not a time", `{"name":"x","expires_at":"soon"}`, []string{"format expires_at"}},
		{"no such day", `{"name":"x","expires_at":"2031-02-30T00:00:00Z"}`, []string{"format expires_at"}},
		{"no items", `{"name":"x","accessRestrictedTo":[]}`, []string{"minItems accessRestrictedTo"}},
		{"not an array", `{"name":"x","accessRestrictedTo":{}}`, []string{"type accessRestrictedTo"}},
		{"several", `{"name":7,"expires_at":8,"accessRestrictedTo":[{"username":"a"},{"username":1,"namespace":"-"},null]}`, []string{
			"required accessRestrictedTo[0].namespace", "pattern accessRestrictedTo[1].namespace",
			"type accessRestrictedTo[1].username", "required accessRestrictedTo[2]", "type expires_at", "type name",
		}},
		{"two rules, one field", `{"name":"x","accessRestrictedTo":[{"username":"a","namespace":""}]}`, []string{"minLength accessRestrictedTo[0].namespace"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := w.do(ask{method: "POST", path: tokenPath, token: "ada", body: tt.body})
			e := got.failure(t)
			if got.StatusCode != http.StatusUnprocessableEntity || e.ErrorCode != "VALIDATION_FAILED" {
				t.Fatalf("createToken(%s) = %d %s, want 422 VALIDATION_FAILED", tt.body, got.StatusCode, got.body)
			}
			var found []string
			for _, sub := range e.SubErrors {
				field, _, _ := strings.Cut(sub.Message, ": ")
				found = append(found, sub.Code+" "+field)
			}
			if strings.Join(found, "; ") != strings.Join(tt.want, "; ") {
				t.Errorf("createToken(%s) found %q, want %q", tt.body, found, tt.want)
			}
		})
	}
}

func TestValidBodies(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"characters, not bytes": `{"name":"` + strings.Repeat("𝄞", 100) + `"}`,
		"nulls left out":        `{"name":"x","expires_at":null,"accessRestrictedTo":null}`,
		"unknown members":       `{"name":"x","other":{"deep":[1,2,{"a":null}]},"name2":1e300}`,
		"space around":          " \r\n\t{\"name\" : \"x\"}\n ",
		"nesting at the limit":  `{"name":"x","y":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`,
	} {
		w := newWorld(t)
		got := w.do(ask{method: "POST", path: tokenPath, token: "ada", body: body})
		if got.StatusCode != http.StatusOK {
			t.Errorf("createToken(%s) = %d %s, want 200", name, got.StatusCode, got.body)
		}
	}
}

// A member in another case is unknown to the schema, but Go's decoder would
// take it for the known one and hand the handler a value nobody checked.
func TestUncheckedMembersNeverReachAHandler(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.do(ask{method: "POST", path: tokenPath, token: "ada", body: `{"name":"checked","NAME":"` + strings.Repeat("x", 500) + `",
		"accessRestrictedTo":[{"username":"ada","namespace":"harbour","Namespace":"../../etc","nameſpace":"kelvin"}]}`})
	if got.StatusCode != http.StatusOK || w.auth.spec.Name != "checked" || w.auth.spec.Scopes[0].Namespace != "harbour" {
		t.Errorf("createToken = %d, passed on %+v, want what was checked", got.StatusCode, w.auth.spec)
	}
}

func TestContentTypes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		name   string
		header http.Header
		status int
	}{
		{"missing", nil, 200},
		{"JSON", http.Header{"Content-Type": {"application/json"}}, 200},
		{"JSON with charset", http.Header{"Content-Type": {"Application/JSON; charset=UTF-8"}}, 200},
		{"other charset", http.Header{"Content-Type": {"application/json; charset=utf-16"}}, 415},
		{"form", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, 415},
		{"text", http.Header{"Content-Type": {"text/plain"}}, 415},
		{"garbage", http.Header{"Content-Type": {";;"}}, 415},
		{"compressed", http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, 415},
	} {
		got := w.do(ask{method: "POST", path: tokenPath, token: "ada", body: `{"name":"x"}`, header: tt.header})
		if got.StatusCode != tt.status {
			t.Errorf("createToken with content type %s = %d %s, want %d", tt.name, got.StatusCode, got.body, tt.status)
		}
		if tt.status == http.StatusUnsupportedMediaType && got.failure(t).ErrorCode != "UNSUPPORTED_MEDIA_TYPE" {
			t.Errorf("createToken with content type %s = %s, want UNSUPPORTED_MEDIA_TYPE", tt.name, got.body)
		}
	}
}

func TestOversizedBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	big := `{"name":"x","y":"` + strings.Repeat("y", 1<<16) + `"}`
	for name, a := range map[string]ask{
		"announced":  {body: big},
		"in chunks":  {reader: strings.NewReader(big)},
		"not parsed": {reader: strings.NewReader(strings.Repeat("{", 1<<17))},
	} {
		a.method, a.path, a.token = "POST", tokenPath, "ada"
		got := w.do(a)
		if e := got.failure(t); got.StatusCode != http.StatusRequestEntityTooLarge || e.ErrorCode != "BODY_TOO_LARGE" {
			t.Errorf("createToken with a large body, %s = %d %s, want 413 BODY_TOO_LARGE", name, got.StatusCode, got.body)
		}
	}
	exact := `{"name":"x","y":"` + strings.Repeat("y", 1<<16-19) + `"}`
	if got := w.do(ask{method: "POST", path: tokenPath, token: "ada", body: exact}); len(exact) != 1<<16 || got.StatusCode != http.StatusOK {
		t.Errorf("createToken with %d bytes = %d, want 200 at the limit of %d", len(exact), got.StatusCode, 1<<16)
	}
}

func TestInvalidAnswersStaySmall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	items := strings.TrimSuffix(strings.Repeat(`{"username":1},`, 2000), ",")
	got := w.do(ask{method: "POST", path: tokenPath, token: "ada", body: `{"` + strings.Repeat("k", 9000) + `":1,"accessRestrictedTo":[` + items + `]}`})
	if e := got.failure(t); got.StatusCode != http.StatusUnprocessableEntity || len(e.SubErrors) != 100 || len(got.body) > 16<<10 {
		t.Errorf("createToken = %d with %d sub errors in %d bytes, want 422 with 100 in few", got.StatusCode, len(e.SubErrors), len(got.body))
	}
}

// FuzzBody holds the edge to its promise for any body: an answer of the
// contract, and no value that the schema does not accept behind it.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"name":"x"}`, `{"name":null}`, `{"name":"x","NAME":"y"}`, `[`, `{"name":"x","expires_at":"2031-01-31T00:00:00Z"}`,
		`{"name":"x","accessRestrictedTo":[{"username":"a","namespace":"b"}]}`, `1e999`, "\xff", `{"name":"\ud800"}`, `{"a":{"a":[[]]}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		auth := &service{}
		r := httptest.NewRequestWithContext(t.Context(), "POST", tokenPath, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer ada")
		got := httptest.NewRecorder()
		apitest.Handler(t, rest.New(rest.Deps{Auth: auth, Tokens: auth, Usage: auth})).ServeHTTP(got, r)
		switch got.Code {
		case 200:
			name := auth.spec.Name
			if n := len([]rune(name)); n < 1 || n > 100 || !json.Valid([]byte(body)) {
				t.Errorf("createToken(%q) passed on the name %q", body, name)
			}
		case 400, 413, 422:
		default:
			t.Errorf("createToken(%q) = %d %s, want 200, 400, 413 or 422", body, got.Code, got.Body)
		}
	})
}
