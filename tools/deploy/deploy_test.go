// Package deploy_test holds the compose file and the chart against what they are for:
// Compose's own loader, Helm's own rendering, and the types of Kubernetes.
package deploy_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	yamlstream "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

const chartDir = "../../packaging/chart"

func TestComposeFile(t *testing.T) {
	t.Parallel()
	load := func(env ...string) ([]string, error) {
		o, err := cli.NewProjectOptions([]string{"../../packaging/compose.yaml"}, cli.WithEnv(env))
		if err != nil {
			t.Fatal(err)
		}
		p, err := o.LoadProject(t.Context())
		if err != nil {
			return nil, err
		}
		if got := p.Services["quern"].Environment["QUERN_DATABASE_URL"]; got == nil || !strings.Contains(*got, ":one@postgres") {
			t.Errorf("QUERN_DATABASE_URL = %v, want the password in it", got)
		}
		return p.ServiceNames(), nil
	}
	names, err := load("POSTGRES_PASSWORD=one", "S3_SECRET=two")
	if slices.Sort(names); err != nil || !slices.Equal(names, []string{"bucket", "postgres", "quern", "s3"}) {
		t.Errorf("compose.yaml has %v, %v, want four services", names, err)
	}
	if _, err := load(); err == nil || !strings.Contains(err.Error(), "set it in .env") {
		t.Errorf("compose.yaml without passwords = %v, want an error that names them", err)
	}
}

// kinds are the types that manifests are read into, strictly.
var kinds = map[string]func() any{
	"Deployment":            func() any { return &appsv1.Deployment{} },
	"Service":               func() any { return &corev1.Service{} },
	"PersistentVolumeClaim": func() any { return &corev1.PersistentVolumeClaim{} },
	"NetworkPolicy":         func() any { return &networkingv1.NetworkPolicy{} },
	"Ingress":               func() any { return &networkingv1.Ingress{} },
	"PodDisruptionBudget":   func() any { return &policyv1.PodDisruptionBudget{} },
}

// render renders the chart with values, and reads every manifest.
func render(t *testing.T, values map[string]any) (map[string]any, error) {
	t.Helper()
	chart, err := loader.Load(chartDir)
	if err != nil {
		t.Fatal(err)
	}
	release := chartutil.ReleaseOptions{Name: "try", Namespace: "default"}
	all, err := chartutil.ToRenderValues(chart, values, release, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	texts, err := engine.Render(chart, all)
	if err != nil {
		return nil, err
	}
	found := map[string]any{}
	for name, text := range texts {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		documents := yamlstream.NewDocumentDecoder(io.NopCloser(strings.NewReader(text)))
		for {
			buffer := make([]byte, 64<<10)
			n, err := documents.Read(buffer)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			document := buffer[:n]
			if len(bytes.TrimSpace(document)) == 0 {
				continue
			}
			var head struct{ Kind string }
			if err := yaml.Unmarshal(document, &head); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, document)
			}
			make, ok := kinds[head.Kind]
			if !ok {
				t.Fatalf("%s has a %q, which is not looked at: add it to kinds", name, head.Kind)
			}
			object := make()
			if err := yaml.UnmarshalStrict(document, object); err != nil {
				t.Fatalf("%s: %s is not one: %v\n%s", name, head.Kind, err, document)
			}
			found[head.Kind] = object
		}
	}
	return found, nil
}

func TestChart(t *testing.T) {
	t.Parallel()
	several := map[string]any{
		"secret":   "quern",
		"settings": map[string]any{"s3_endpoint": "https://s3.example", "s3_bucket": "quern", "query_rows": 1000},
		"ingress":  map[string]any{"enabled": true, "tls": "certificate", "className": "nginx"},
	}
	found, err := render(t, several)
	if err != nil || len(found) != 5 {
		t.Fatalf("several servers = %v, %v, want five kinds", found, err)
	}
	wantServer(t, found["Deployment"].(*appsv1.Deployment))
	if p := found["NetworkPolicy"].(*networkingv1.NetworkPolicy); len(p.Spec.PolicyTypes) != 2 || len(p.Spec.Egress) != 2 {
		t.Errorf("the NetworkPolicy is %+v, want both directions, DNS and what values say", p.Spec)
	}
	if p := found["PodDisruptionBudget"].(*policyv1.PodDisruptionBudget); p.Spec.MaxUnavailable.IntValue() != 1 {
		t.Errorf("the PodDisruptionBudget is %+v, want one at a time", p.Spec)
	}

	single := map[string]any{"replicas": 1, "persistence": map[string]any{"enabled": true}}
	if found, err = render(t, single); err != nil || found["PersistentVolumeClaim"] == nil {
		t.Errorf("a single server = %v, %v, want a volume of its own", found, err)
	}
	for why, values := range map[string]map[string]any{
		"share a database": {"replicas": 2},
		"is for a single server": {
			"replicas": 2, "secret": "x", "settings": map[string]any{"s3_endpoint": "x"}, "persistence": map[string]any{"enabled": true},
		},
		"replica": {"replica": 1},
	} {
		if _, err := render(t, values); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("the chart with %v = %v, want an error with %q", values, err, why)
		}
	}
	for _, m := range lint.All(chartDir, single, "default", true).Messages {
		if m.Severity >= support.WarningSev {
			t.Errorf("helm lint: %v", m)
		}
	}
}

func wantServer(t *testing.T, d *appsv1.Deployment) {
	t.Helper()
	pod := d.Spec.Template.Spec
	c := pod.Containers[0]
	if c.ReadinessProbe.HTTPGet.Path != "/readyz" || c.LivenessProbe.HTTPGet.Path != "/healthz" || c.StartupProbe == nil {
		t.Errorf("the probes are %+v, %+v, want those of the server", c.ReadinessProbe, c.LivenessProbe)
	}
	if !*pod.SecurityContext.RunAsNonRoot || !*c.SecurityContext.ReadOnlyRootFilesystem || *c.SecurityContext.AllowPrivilegeEscalation {
		t.Errorf("the server may %+v, want it to run as nobody", c.SecurityContext)
	}
	var names []string
	for _, e := range c.Env {
		names = append(names, e.Name+"="+e.Value)
	}
	if !slices.Contains(names, "QUERN_QUERY_ROWS=1000") || c.EnvFrom[0].SecretRef.Name != "quern" {
		t.Errorf("the variables are %v and %v, want settings and the secret", names, c.EnvFrom)
	}
}
