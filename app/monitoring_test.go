package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"quern/app"
)

var (
	sample       = regexp.MustCompile(`(?m)^(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?P<labels>[^}]*)\})? `)
	label        = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)`)
	selector     = regexp.MustCompile(`([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(\{[^}]*\})?`)
	grouping     = regexp.MustCompile(`\b(by|without|on|ignoring)\s*\(([^)]*)\)`)
	quotedOrSpan = regexp.MustCompile(`"[^"]*"|\[[^\]]*\]`)
)

// outside are metrics and labels that Prometheus itself adds.
var outside = map[string][]string{"up": {"job", "instance"}}

// functions and operators of PromQL that the files use; any other word is a metric.
var words = strings.Fields("sum max min rate increase histogram_quantile min_over_time and or unless")

// exposed reads which metrics there are, and their labels.
func exposed(text string) map[string][]string {
	all := map[string][]string{}
	for _, found := range sample.FindAllStringSubmatch(text, -1) {
		for _, l := range label.FindAllStringSubmatch(found[3], -1) {
			if !slices.Contains(all[found[1]], l[1]) {
				all[found[1]] = append(all[found[1]], l[1])
			}
		}
		all[found[1]] = append(all[found[1]], "instance", "job")
	}
	for name, labels := range outside {
		all[name] = labels
	}
	return all
}

// unknown lists what an expression asks for and no server has.
func unknown(expr string, has map[string][]string) (wrong []string) {
	var metrics []string
	bare := grouping.ReplaceAllString(expr, " ")
	for _, found := range selector.FindAllStringSubmatch(quotedOrSpan.ReplaceAllString(bare, ""), -1) {
		name := found[1]
		if slices.Contains(words, name) {
			continue
		}
		if has[name] == nil {
			wrong = append(wrong, "metric "+name)
			continue
		}
		metrics = append(metrics, name)
		for _, l := range label.FindAllStringSubmatch(found[2], -1) {
			if !slices.Contains(has[name], l[1]) {
				wrong = append(wrong, "label "+l[1]+" of "+name)
			}
		}
	}
	for _, found := range grouping.FindAllStringSubmatch(expr, -1) {
		for _, l := range strings.Split(found[2], ",") {
			l = strings.TrimSpace(l)
			if !slices.ContainsFunc(metrics, func(name string) bool { return slices.Contains(has[name], l) }) {
				wrong = append(wrong, "label "+l+" in "+found[0])
			}
		}
	}
	if len(metrics) == 0 {
		wrong = append(wrong, "no metric at all")
	}
	return wrong
}

// expressions reads those of the dashboard and of the alert rules, by title.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	read := func(name string, into any, parse func([]byte, any) error) {
		text, err := os.ReadFile("../packaging/monitoring/" + name)
		if err == nil {
			err = parse(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ RefID, Expr string }
		}
	}
	read("grafana-dashboard.json", &dashboard, json.Unmarshal)
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			all["panel "+p.Title+" "+target.RefID] = target.Expr
		}
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	read("prometheus-alerts.yaml", &rules, yaml.Unmarshal)
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			all["alert "+r.Alert] = r.Expr
		}
	}
	return all
}

func TestDashboardAndAlertsAskForWhatThereIs(t *testing.T) {
	t.Parallel()
	const token = "a-token-for-metrics"
	a, stop := startWith(t, settings(t, map[string]string{"metrics_listen": "127.0.0.1:0", "metrics_token": token}), app.Options{Log: &journal{}})
	defer stop()
	if status, _ := get(t, a.URL()+"/metrics"); status == http.StatusOK {
		t.Errorf("GET /metrics where everything else is = %d, want none", status)
	}
	if status, _ := get(t, a.MetricsURL()); status != http.StatusUnauthorized {
		t.Errorf("GET /metrics without its token = %d, want 401", status)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.MetricsURL(), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Close = true
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	wantLimits(t, string(body))
	has := exposed(string(body))
	all := expressions(t)
	if len(all) < 30 {
		t.Errorf("there are %d expressions, want those of all panels and alerts", len(all))
	}
	for where, expr := range all {
		if wrong := unknown(expr, has); len(wrong) > 0 {
			t.Errorf("%s asks for what no server has: %s in %s", where, strings.Join(wrong, ", "), expr)
		}
	}
	// The reader finds what is wrong.
	for _, expr := range []string{
		"sum(rate(quern_nothing_total[5m]))", `quern_backlog{kind="runs"}`, "sum by (flavour) (quern_backlog)", "sum(1)",
	} {
		if len(unknown(expr, has)) == 0 {
			t.Errorf("unknown(%s) finds nothing wrong", expr)
		}
	}
}

var standing = regexp.MustCompile(`(?m)^(?P<name>quern_[a-z_]+)\{(?P<label>[^}]*)\} (?P<value>\S+)$`)

// wantLimits wants a limit beside everything that is taken, and all the queues, pools
// and caches of a server on files.
func wantLimits(t *testing.T, text string) {
	t.Helper()
	all := map[string]map[string]float64{}
	for _, found := range standing.FindAllStringSubmatch(text, -1) {
		if all[found[1]] == nil {
			all[found[1]] = map[string]float64{}
		}
		value, err := strconv.ParseFloat(found[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		all[found[1]][found[2]] = value
	}
	for taken, limit := range map[string]string{
		"quern_queue_running": "quern_queue_places", "quern_queue_waiting": "quern_queue_room", "quern_places_taken": "quern_places_limit",
		"quern_cache_entries": "quern_cache_entries_limit", "quern_cache_bytes": "quern_cache_bytes_limit",
		"quern_work_held": "quern_work_places", "quern_db_connections_open": "quern_db_connections_limit",
	} {
		if len(all[taken]) == 0 || len(all[taken]) != len(all[limit]) {
			t.Errorf("%s has %v beside %s with %v, want a limit for each", taken, all[taken], limit, all[limit])
		}
		for label, n := range all[taken] {
			if most := all[limit][label]; most <= 0 || n > most {
				t.Errorf("%s{%s} is %v of %v, want at most a limit that is positive", taken, label, n, most)
			}
		}
	}
	for name, labels := range map[string][]string{
		"quern_queue_waiting": {`queue="queries"`, `queue="writes"`, `queue="scans"`},
		"quern_workers_idle":  {`work="query"`, `work="document"`},
		"quern_places_taken": {`what="password_hashes"`, `what="previews"`, `what="questions"`, `what="dataset_indexing"`, `what="suggestions"`,
			`what="table_files"`, `what="token_uses"`, `what="upload_parts"`, `what="client_documents"`},
		"quern_cache_entries": {`cache="knowledge"`, `cache="lessons"`, `cache="engine_instances"`, `cache="offered_readings"`, `cache="wordings"`,
			`cache="suggestions"`, `cache="suggested_by_models"`, `cache="client_documents"`, `cache="token_signatures"`},
		"quern_cache_bytes": {`cache="value_indexes"`, `cache="link_sketches"`},
	} {
		for _, label := range labels {
			if _, there := all[name][label]; !there {
				t.Errorf("%s{%s} is not told; there are %v", name, label, all[name])
			}
		}
	}
}
