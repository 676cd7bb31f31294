package api_test

import (
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quern"
	"quern/api"
)

func TestCodesAreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	schema := api.Contract().Components.Schemas["ErrorCode"].Value
	var listed []quern.Code
	for _, v := range schema.Enum {
		listed = append(listed, quern.Code(v.(string)))
	}
	if got, want := listed, quern.Codes(); !slices.Equal(got, want) {
		t.Errorf("contract's error codes = %v, want those of quern.Codes: %v", got, want)
	}
	meanings, _ := schema.Extensions["x-meanings"].(map[string]any)
	for _, code := range quern.Codes() {
		if text, _ := meanings[string(code)].(string); text == "" {
			t.Errorf("x-meanings[%s] = %q, want a sentence", code, text)
		}
		if !regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`).MatchString(string(code)) {
			t.Errorf("code %q is not in upper snake case", code)
		}
	}
	if len(meanings) != len(listed) {
		t.Errorf("x-meanings has %d entries, want %d", len(meanings), len(listed))
	}
}

func TestTheContractIsValid(t *testing.T) {
	t.Parallel()
	if err := api.Contract().Validate(t.Context()); err != nil {
		t.Errorf("Validate() = %v, want a valid contract", err)
	}
}

func TestVersionAndSecurity(t *testing.T) {
	t.Parallel()
	doc := api.Contract()
	if got := doc.Info.Version; got != "2.2.3" {
		t.Errorf("info.version = %q, want 2.2.3", got)
	}
	bearer := doc.Components.SecuritySchemes["bearerAuth"].Value
	if bearer.Type != "http" || bearer.Scheme != "bearer" || bearer.BearerFormat != "JWT" {
		t.Errorf("bearerAuth = %s %s %s, want http bearer JWT", bearer.Type, bearer.Scheme, bearer.BearerFormat)
	}
	openID := doc.Components.SecuritySchemes["openId"].Value
	if openID.Type != "oauth2" || openID.Flows.Implicit == nil {
		t.Fatalf("openId = %+v, want oauth2 with the implicit flow", openID)
	}
	if _, ok := openID.Flows.Implicit.Scopes["openid"]; !ok {
		t.Errorf("openId scopes = %v, want openid", openID.Flows.Implicit.Scopes)
	}
	if cookie := doc.Components.SecuritySchemes["browserSession"].Value; cookie.Type != "apiKey" || cookie.In != "cookie" {
		t.Errorf("browserSession = %s in %s, want apiKey in cookie", cookie.Type, cookie.In)
	}
	either := openapi3.SecurityRequirements{{"bearerAuth": {}}, {"openId": {"openid"}}, {"browserSession": {}}}
	for _, op := range api.Operations() {
		got := doc.Security
		if op.Spec.Security != nil {
			got = *op.Spec.Security
		}
		if !op.Public && !reflect.DeepEqual(got, either) {
			t.Errorf("security of %s = %v, want %v", op.ID, got, either)
		}
	}
}

func TestEveryOperationIsComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, op := range api.Operations() {
		if op.ID == "" || seen[op.ID] {
			t.Errorf("%s %s has the operationId %q, want one of its own", op.Method, op.Path, op.ID)
		}
		seen[op.ID] = true
		if op.Tag == "" || op.Spec.Summary == "" || op.Spec.Description == "" {
			t.Errorf("%s needs a tag, a summary and a description", op.ID)
		}
		want := []int{http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusGatewayTimeout}
		if !op.Public {
			want = append(want, http.StatusUnauthorized, http.StatusTooManyRequests)
		}
		if op.Body() != nil && op.Edge == "" {
			want = append(want, 400, 413, 415, 422)
		}
		for _, p := range op.Params {
			switch p.In {
			case "query":
				want = append(want, 400)
			case "path":
				want = append(want, 404)
			}
		}
		for _, status := range want {
			if op.Spec.Responses.Status(status) == nil {
				t.Errorf("%s does not list %d", op.ID, status)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	out, err := api.JSON("https://quern.example/", "https://id.example/authorize?x=<y>&z")
	if err != nil {
		t.Fatalf("JSON() = %v", err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(out)
	if err != nil {
		t.Fatalf("JSON() does not load: %v", err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Errorf("JSON() is not a valid contract: %v", err)
	}
	if got := doc.Servers[0].URL; got != "https://quern.example/api/v1" {
		t.Errorf("server = %q, want the public URL with the base", got)
	}
	if got := doc.Components.SecuritySchemes["openId"].Value.Flows.Implicit.AuthorizationURL; got != "https://id.example/authorize?x=<y>&z" {
		t.Errorf("authorizationUrl = %q, want the one given", got)
	}
	if api.Contract().Servers[0].URL != api.Base {
		t.Errorf("JSON() changed the shared contract: %q", api.Contract().Servers[0].URL)
	}
	if strings.Count(string(out), "operationId") != len(api.Operations()) {
		t.Errorf("JSON() lost operations")
	}
}
