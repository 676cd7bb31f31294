package quern

import "time"

// Namespace is a named group of one owner's datasets.
type Namespace struct {
	ID        NamespaceID
	OwnerID   UserID
	Owner     string // the owner's username
	Name      string
	CreatedAt time.Time
}

// NamespacePath addresses a namespace: whose, and which.
type NamespacePath struct {
	Owner, Namespace string
}

// DatasetPath addresses a dataset.
type DatasetPath struct {
	Owner, Namespace, Dataset string
}

// In returns the path of the namespace the dataset lives in.
func (p DatasetPath) In() NamespacePath { return NamespacePath{p.Owner, p.Namespace} }
