package rest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/api"
	"quern/catalog"
)

// model is what sharing means, in a few maps: who may see what, worked out from
// scratch at every question.
type model struct {
	namespaces map[string]int            // "owner/ns" → which one, counted from the first ever made
	datasets   map[string]int            // "owner/ns/ds" → which one
	grants     map[int]map[string]string // of a namespace or dataset → user → role
	made       int
}

func (m *model) role(user, owner, ns, ds string) string {
	if _, ok := m.datasets[owner+"/"+ns+"/"+ds]; !ok {
		return ""
	}
	if user == owner {
		return "owner"
	}
	roles := []string{m.grants[m.namespaces[owner+"/"+ns]][user], m.grants[m.datasets[owner+"/"+ns+"/"+ds]][user]}
	if slices.Contains(roles, "editor") {
		return "editor"
	}
	return max(roles[0], roles[1])
}

// knows reports whether the user may know of the namespace.
func (m *model) knows(user, owner, ns string) bool {
	n, ok := m.namespaces[owner+"/"+ns]
	if !ok {
		return false
	}
	if user == owner || m.grants[n][user] != "" {
		return true
	}
	for path, d := range m.datasets {
		if strings.HasPrefix(path, owner+"/"+ns+"/") && m.grants[d][user] != "" {
			return true
		}
	}
	return false
}

// move does one random thing, in the model and over the wire, and returns what it
// was. The answer must be the one the model foresees.
func (m *model) move(h *house, r *rand.Rand) string {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	actor, owner, ns, ds := pick(modelUsers...), pick(modelUsers...), pick("a", "b"), pick("x", "y")
	if r.IntN(3) > 0 {
		owner = actor // most moves should succeed
	}
	at, in := owner+"/"+ns+"/"+ds, owner+"/"+ns
	switch r.IntN(8) {
	case 0, 1: // create
		at, in = actor+"/"+ns+"/"+ds, actor+"/"+ns
		want := 201
		if _, ok := m.datasets[at]; ok {
			want = 409
		}
		h.want(want, actor, "POST", "/ingest/new/"+ns+"/"+ds, "")
		if want == 201 {
			if _, ok := m.namespaces[in]; !ok {
				m.made++
				m.namespaces[in] = m.made
			}
			m.made++
			m.datasets[at] = m.made
		}
		return fmt.Sprintf("%s creates %s: %d", actor, at, want)
	case 2, 3, 4: // share or revoke
		return m.moveShare(h, r, actor, owner, ns, ds)
	case 5: // rename a dataset
		to := pick("x", "y")
		want := m.ownerOnly(actor, owner, ns, ds)
		_, taken := m.datasets[in+"/"+to]
		if want == 200 && taken && to != ds {
			want = 409
		}
		h.want(want, actor, "POST", "/data/"+at+"/rename", to)
		if want == 200 {
			id := m.datasets[at]
			delete(m.datasets, at)
			m.datasets[in+"/"+to] = id
		}
		return fmt.Sprintf("%s renames %s to %s: %d", actor, at, to, want)
	case 6: // delete a dataset
		want := m.ownerOnly(actor, owner, ns, ds)
		h.want(want, actor, "DELETE", "/data/"+at+"/balefire", "")
		if want == 200 {
			delete(m.datasets, at)
		}
		return fmt.Sprintf("%s deletes %s: %d", actor, at, want)
	}
	return m.moveNamespace(h, r, actor, owner, ns)
}

func (m *model) ownerOnly(actor, owner, ns, ds string) int {
	role := m.role(actor, owner, ns, ds)
	if ds == "" {
		role = map[bool]string{true: "viewer"}[m.knows(actor, owner, ns)]
		if actor == owner && role != "" {
			role = "owner"
		}
	}
	return map[string]int{"": 404, "owner": 200}[role] + map[bool]int{true: 403}[role == "viewer" || role == "editor"]
}

func (m *model) moveShare(h *house, r *rand.Rand, actor, owner, ns, ds string) string {
	grantee, role := modelUsers[r.IntN(len(modelUsers))], []string{"viewer", "editor"}[r.IntN(2)]
	target, path, id := "datasets/"+owner+"/"+ns+"/"+ds, owner+"/"+ns+"/"+ds, m.datasets[owner+"/"+ns+"/"+ds]
	if r.IntN(2) == 0 {
		ds = ""
		target, path, id = "namespaces/"+owner+"/"+ns, owner+"/"+ns, m.namespaces[owner+"/"+ns]
	}
	want := m.ownerOnly(actor, owner, ns, ds)
	if r.IntN(3) == 0 {
		if want == 200 && m.grants[id][grantee] == "" {
			want = 404
		}
		h.want(want, actor, "DELETE", "/permissions/"+target+"/shares", `{"username":"`+grantee+`"}`)
		if want == 200 {
			delete(m.grants[id], grantee)
		}
		return fmt.Sprintf("%s revokes %s's role on %s: %d", actor, grantee, path, want)
	}
	if want == 200 && grantee == owner {
		want = 422
	}
	h.want(want, actor, "POST", "/permissions/"+target+"/shares", `{"username":"`+grantee+`","role":"`+role+`"}`)
	if want == 200 {
		if m.grants[id] == nil {
			m.grants[id] = map[string]string{}
		}
		m.grants[id][grantee] = role
	}
	return fmt.Sprintf("%s makes %s %s of %s: %d", actor, grantee, role, path, want)
}

func (m *model) moveNamespace(h *house, r *rand.Rand, actor, owner, ns string) string {
	want, in := m.ownerOnly(actor, owner, ns, ""), owner+"/"+ns
	if r.IntN(2) == 0 {
		h.want(want, actor, "DELETE", "/data/"+in+"/balefire?deleteDatasets=true", "")
		if want == 200 {
			delete(m.namespaces, in)
			for path := range m.datasets {
				if strings.HasPrefix(path, in+"/") {
					delete(m.datasets, path)
				}
			}
		}
		return fmt.Sprintf("%s deletes %s: %d", actor, in, want)
	}
	to := map[string]string{"a": "b", "b": "a"}[ns]
	if _, taken := m.namespaces[owner+"/"+to]; want == 200 && taken {
		want = 409
	}
	h.want(want, actor, "POST", "/data/"+in+"/rename", to)
	if want == 200 {
		m.namespaces[owner+"/"+to] = m.namespaces[in]
		delete(m.namespaces, in)
		for path, id := range m.datasets {
			if name, ok := strings.CutPrefix(path, in+"/"); ok {
				delete(m.datasets, path)
				m.datasets[owner+"/"+to+"/"+name] = id
			}
		}
	}
	return fmt.Sprintf("%s renames %s to %s: %d", actor, in, to, want)
}

var modelUsers = []string{"ada", "bob", "cyd"}

// check compares what a user sees through every door with what the model says.
func (m *model) check(h *house, user string) {
	h.t.Helper()
	var want []string
	for path := range m.datasets {
		p := strings.Split(path, "/")
		if role := m.role(user, p[0], p[1], p[2]); role != "" {
			want = append(want, path+":"+role)
		}
	}
	slices.Sort(want)
	var got []string
	for _, e := range into[[]api.DatasetEntry](h.t, h.want(200, user, "GET", "/data", "")) {
		got = append(got, e.Owner+"/"+e.Namespace+"/"+e.Name+":"+string(e.Role))
	}
	if !slices.Equal(got, want) {
		h.t.Fatalf("%s sees %v, want %v", user, got, want)
	}
	for _, owner := range modelUsers {
		for _, ns := range []string{"a", "b"} {
			m.checkNamespace(h, user, owner, ns)
		}
	}
}

func (m *model) checkNamespace(h *house, user, owner, ns string) {
	h.t.Helper()
	p, err := h.auth.As(h.t.Context(), user)
	must(h.t, err)
	_, err = h.catalog.Namespace(h.t.Context(), p, quern.NamespacePath{Owner: owner, Namespace: ns})
	if (err == nil) != m.knows(user, owner, ns) {
		h.t.Fatalf("%s asking for namespace %s/%s = %v, want known: %v", user, owner, ns, err, m.knows(user, owner, ns))
	}
	for _, ds := range []string{"x", "y"} {
		role := m.role(user, owner, ns, ds)
		_, err := h.catalog.Snapshot(h.t.Context(), p, quern.DatasetPath{Owner: owner, Namespace: ns, Dataset: ds})
		if (err == nil) != (role != "") {
			h.t.Fatalf("%s reading %s/%s/%s = %v, want role %q", user, owner, ns, ds, err, role)
		}
		_, err = h.catalog.Dataset(h.t.Context(), p, quern.DatasetPath{Owner: owner, Namespace: ns, Dataset: ds}, catalog.Write)
		if (err == nil) != (role == "editor" || role == "owner") {
			h.t.Fatalf("%s writing %s/%s/%s = %v, want role %q", user, owner, ns, ds, err, role)
		}
	}
}

// checkSQL asks in SQL for one dataset, seen or not.
func (m *model) checkSQL(h *house, r *rand.Rand, user string) {
	h.t.Helper()
	owner, ns, ds := modelUsers[r.IntN(3)], []string{"a", "b"}[r.IntN(2)], []string{"x", "y"}[r.IntN(2)]
	want := 422
	switch {
	case m.role(user, owner, ns, ds) != "":
		want = 200
	case !m.knows(user, owner, ns):
		want = 404
	}
	h.want(want, user, "POST", "/query", fmt.Sprintf(`{"username":%q,"namespace":%q,"query":"select count(*) as n from %s"}`, owner, ns, ds))
}

// TestSharingAgainstAModel walks a random path of sharing, renaming, deleting
// and making anew, and after every step compares what everybody sees.
func TestSharingAgainstAModel(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		const steps = 400
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 1))
		m := &model{namespaces: map[string]int{}, datasets: map[string]int{}, grants: map[int]map[string]string{}}
		for _, name := range modelUsers {
			h.user(name)
		}
		var history []string
		for step := range steps {
			history = append(history, m.move(h, r))
			m.check(h, modelUsers[step%len(modelUsers)])
			if step%10 == 0 {
				m.checkSQL(h, r, modelUsers[r.IntN(3)])
			}
			if t.Failed() {
				t.Fatalf("seed %d, step %d, the last steps:\n%s", seed, step, strings.Join(history[max(0, len(history)-12):], "\n"))
			}
		}
		t.Logf("seed %d: %d steps, each checked through lists, metadata and snapshots; every tenth in SQL", seed, steps)
	})
}
