package catalog

import (
	"slices"
	"strings"

	"quern"
	"quern/store"
)

// Action is something a caller wants to do with a namespace or a dataset.
type Action uint8

// The actions. Every verb of every door is one of them.
const (
	Read    Action = iota // see it exists, its metadata, its rows; query and ask
	Inspect               // read the files it was made of
	Audit                 // list and audit shares
	Write                 // ingest, clear, links
	Define                // the inference definition, the order of columns
	Share                 // change shares
	Rename                // give it another name
	Delete                // remove it
	Extend                // create a dataset in the namespace
	actions
)

// changes reports whether an action changes something, which read-only principals
// may not.
func (a Action) changes() bool { return a >= Write }

// needs is the policy: the weakest role that may do each action.
var needs = [actions]quern.Role{
	Read:    quern.Viewer,
	Inspect: quern.Editor,
	Audit:   quern.Owner,
	Write:   quern.Editor,
	Define:  quern.Editor,
	Share:   quern.Owner,
	Rename:  quern.Owner,
	Delete:  quern.Owner,
	Extend:  quern.Owner,
}

// Resource is a namespace, or a dataset in it, as one principal stands to it.
type Resource struct {
	Owner              quern.UserID
	Path               quern.DatasetPath // Dataset is empty for a namespace
	Dataset            quern.DatasetID   // empty for a namespace
	Granted            quern.Role        // the strongest grant the principal's user holds on it
	GrantedSomeDataset bool              // for a namespace: the user was granted a dataset in it
}

func resource(a store.Access) Resource {
	return Resource{
		Owner:              a.Namespace.OwnerID,
		Path:               quern.DatasetPath{Owner: a.Namespace.Owner, Namespace: a.Namespace.Name, Dataset: a.Dataset.Name},
		Dataset:            a.Dataset.ID,
		Granted:            a.NamespaceGrant.Stronger(a.DatasetGrant),
		GrantedSomeDataset: a.Inside,
	}
}

// Can reports whether the principal's role allows the action. Nothing else decides
// over roles; whether the principal changes anything at all, its MayChange says.
func Can(p quern.Principal, a Action, r Resource) bool {
	return role(p, r).AtLeast(needs[a])
}

// Visible reports whether the principal may know that the resource exists.
func Visible(p quern.Principal, r Resource) bool {
	return role(p, r) != quern.Nobody ||
		r.Path.Dataset == "" && (r.GrantedSomeDataset || r.Owner == p.User.ID) && p.Datasets == nil && reaches(p, r.Path.In())
}

// role is what the principal is to the resource: its user's role, or Nobody
// where its token does not reach.
func role(p quern.Principal, r Resource) quern.Role {
	switch {
	case !covers(p, r.Path), p.Datasets != nil && !slices.Contains(p.Datasets, r.Dataset):
		return quern.Nobody
	case r.Owner == p.User.ID:
		return quern.Owner
	}
	return r.Granted
}

// covers reports whether a principal's token includes all of what path names.
func covers(p quern.Principal, path quern.DatasetPath) bool {
	if !p.Restricted() {
		return true
	}
	for _, s := range p.Scopes {
		sameDataset := path.Dataset != "" && strings.EqualFold(s.Dataset, path.Dataset)
		includes := s.Dataset == "" || sameDataset
		if includes && inScope(s, path.In()) {
			return true
		}
	}
	return false
}

// reaches reports whether a principal's token includes something in the
// namespace.
func reaches(p quern.Principal, path quern.NamespacePath) bool {
	if !p.Restricted() {
		return true
	}
	for _, s := range p.Scopes {
		if inScope(s, path) {
			return true
		}
	}
	return false
}

func inScope(s quern.Scope, path quern.NamespacePath) bool {
	return s.Username == path.Owner && strings.EqualFold(s.Namespace, path.Namespace)
}
