package knowledge

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quern"
	"quern/catalog"
	"quern/store"
	"quern/tree"
)

const (
	// mostDatasets is how many datasets of a namespace are looked at.
	mostDatasets = 1_000
	// keptVersions is how many versions of a document are kept.
	keptVersions = 200
)

// Service keeps the knowledge of namespaces.
type Service struct {
	store   *store.Store
	catalog *catalog.Service
	now     func() time.Time
	cache   cache
}

// Options says what a Service works with.
type Options struct {
	Store   *store.Store
	Catalog *catalog.Service
	Now     func() time.Time
}

// New makes a Service.
func New(o Options) *Service { return &Service{store: o.Store, catalog: o.Catalog, now: o.Now} }

// Current is the document of a namespace as somebody sees it.
type Current struct {
	Document
	Version  int64
	Problems []Problem
}

// Read returns the entries whose datasets the principal all sees, and what is
// wrong with them now. NotFound when the namespace is not one the principal sees.
func (s *Service) Read(ctx context.Context, p quern.Principal, in quern.NamespacePath) (Current, error) {
	var made Current
	err := s.store.View(ctx, func(tx *store.Tx) error {
		r, err := s.reader(ctx, tx, p, in)
		if err != nil {
			return err
		}
		made = r.current()
		return nil
	})
	return made, err
}

// reader is a document as one principal stands to it, in one transaction.
type reader struct {
	standing catalog.Standing
	roles    map[string]quern.Role // of datasets, by the keys of their names
	tables   tables
	whole    Document
	version  int64
}

func (s *Service) reader(ctx context.Context, tx *store.Tx, p quern.Principal, in quern.NamespacePath) (*reader, error) {
	standing, err := s.catalog.Standing(ctx, tx, p, in, mostDatasets)
	if err != nil {
		return nil, err
	}
	path := quern.NamespacePath{Owner: standing.Namespace.Owner, Namespace: standing.Namespace.Name}
	r := &reader{standing: standing, roles: map[string]quern.Role{}, tables: tables{path, map[string]tree.Table{}}}
	for _, d := range standing.Datasets {
		key := quern.NameKey(d.Name)
		table := tree.Table{Path: d.Path()}
		for _, c := range d.Columns {
			table.Columns = append(table.Columns, c.Column)
		}
		r.roles[key], r.tables.all[key] = d.Role, table
	}
	all, err := tx.KnowledgeVersions(ctx, standing.Namespace.ID, maxVersion, 1)
	if err != nil || len(all) == 0 {
		return r, err
	}
	r.version = all[0].Version
	return r, json.Unmarshal([]byte(all[0].Document), &r.whole)
}

// maxVersion is above every version.
const maxVersion = 1 << 62

// sees reports whether the principal sees an entry: all of its datasets, of which
// those that are not there yet are seen by who sees every dataset.
func (r *reader) sees(e entry) bool { return r.stands(e, quern.Viewer) }

// stands reports whether the principal is at least so much to what an entry is
// about.
func (r *reader) stands(e entry, least quern.Role) bool {
	if r.standing.Role.AtLeast(least) {
		return true
	}
	about := e.datasets()
	for _, name := range about {
		if !r.roles[quern.NameKey(name)].AtLeast(least) {
			return false
		}
	}
	return len(about) > 0 || least == quern.Viewer
}

func (r *reader) current() Current {
	seen := r.whole.filter(r.sees)
	return Current{Document: seen, Version: r.version, Problems: seen.problems(r.tables)}
}

// Change is how a document is changed: Put takes the place of all that its writer
// sees, or else Merge is added to it and Remove taken away.
type Change struct {
	Put           *Document
	Merge, Remove *Document
	// IfVersion is the version that the writer changes; another current one is a
	// Conflict.
	IfVersion int64
}

// Write changes the document and returns it as its writer sees it. Invalid when an
// entry that is new or changed does not hold; Forbidden when the principal may not
// change an entry; Conflict when another version is current.
func (s *Service) Write(ctx context.Context, p quern.Principal, in quern.NamespacePath, c Change) (Current, error) {
	for _, d := range []*Document{c.Put, c.Merge} {
		if d == nil {
			continue
		}
		if err := checkForm(d); err != nil {
			return Current{}, err
		}
	}
	var made Current
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		r, err := s.reader(ctx, tx, p, in)
		if err != nil {
			return err
		}
		if err := s.write(ctx, tx, r, p, c); err != nil {
			return err
		}
		made = r.current()
		return nil
	})
	return made, err
}

func (s *Service) write(ctx context.Context, tx *store.Tx, r *reader, p quern.Principal, c Change) error {
	if !r.mayWrite() {
		return forbidden("you may read this namespace's knowledge, not change it")
	}
	if err := p.MayChange(); err != nil {
		return err
	}
	seen := r.whole.filter(r.sees)
	wanted := seen.Merge(orEmpty(c.Merge), orEmpty(c.Remove))
	if c.Put != nil {
		wanted = *c.Put
	}
	after, err := r.merged(&seen, &wanted, p.User.Username)
	if err != nil {
		return err
	}
	if c.IfVersion != r.version {
		return quern.E(quern.Conflict, quern.CodeConflict, "the knowledge is at version %d: read it again, and write with If-Match: \"%d\"", r.version, r.version)
	}
	if len(Diff(&r.whole, &after)) == 0 {
		return nil
	}
	text, err := json.Marshal(after)
	if err != nil {
		return err
	}
	if len(text) > MaxDocument {
		return quern.E(quern.Invalid, quern.CodeInvalid, "the knowledge is larger than %d bytes", MaxDocument)
	}
	r.whole, r.version = after, r.version+1
	id := r.standing.Namespace.ID
	err = tx.InsertKnowledge(ctx, store.Knowledge{Namespace: id, Version: r.version, Author: p.User.Username, WrittenAt: s.now(), Document: string(text)})
	if err != nil {
		return err
	}
	return tx.PruneKnowledge(ctx, id, r.version-keptVersions)
}

func orEmpty(d *Document) *Document {
	if d == nil {
		return &Document{}
	}
	return d
}

func forbidden(format string, args ...any) error {
	return quern.E(quern.Forbidden, quern.CodeForbidden, format, args...)
}

// mayWrite reports whether there is anything that the principal may write about.
func (r *reader) mayWrite() bool {
	may := r.standing.Role.AtLeast(quern.Editor)
	for _, role := range r.roles {
		may = may || role.AtLeast(quern.Editor)
	}
	return may
}

// merged returns the whole document with what the writer sees of it changed to
// what is wanted. What the writer does not see stays; what does not change is not
// looked at again.
func (r *reader) merged(seen, wanted *Document, writer string) (Document, error) {
	if err := checkSizes(wanted); err != nil {
		return Document{}, err
	}
	signed := sign(seen, wanted, writer)
	var f failures
	var denied error
	hidden := r.whole.filter(func(e entry) bool { return !r.sees(e) })
	hidden.change(&signed, func(kind string) func(own, other entry) entry {
		return func(own, other entry) entry {
			if own != nil && other != nil {
				f.add(kind, other, "its name is taken")
			}
			return nil
		}
	})
	whole := hidden.Merge(&signed, &Document{})
	seen.change(&signed, func(kind string) func(own, other entry) entry {
		return func(own, other entry) entry {
			if own != nil && other != nil && same(own, other) {
				return nil
			}
			for _, e := range []entry{own, other} {
				if e != nil && !r.stands(e, quern.Editor) {
					denied = forbidden("you may not change %s %s: it is not about datasets alone that you may edit", kind, quern.Clip(e.key(), 100))
				}
			}
			if err := r.checkNew(&whole, other); err != nil {
				f.add(kind, other, "%s", err)
			}
			return nil
		}
	})
	if denied != nil {
		return Document{}, denied
	}
	if err := f.err(); err != nil {
		return Document{}, err
	}
	return whole, checkSizes(&whole)
}

// checkNew fails when an entry that is new or changed does not hold; one that waits
// for a dataset does.
func (r *reader) checkNew(whole *Document, e entry) error {
	if e == nil {
		return nil
	}
	err := whole.check(e, r.tables)
	if err != nil && isWaiting(err) && len(e.datasets()) > 0 {
		return nil
	}
	return err
}

// sign returns a document whose verified questions say who vouches for them: the
// writer for those that are new or changed.
func sign(before, after *Document, writer string) Document {
	signed := *after
	signed.Verified = nil
	known := map[string]Verified{}
	for _, v := range before.Verified {
		known[v.key()] = v
	}
	for _, v := range after.Verified {
		old, ok := known[v.key()]
		v.By = old.By
		if !ok || !same(old, v) {
			v.By = writer
		}
		signed.Verified = append(signed.Verified, v)
	}
	return signed
}

// Versions lists versions, newest first, from one on downwards (0: the current
// one), with what each changed of what the principal sees.
func (s *Service) Versions(ctx context.Context, p quern.Principal, in quern.NamespacePath, upTo int64, limit int) ([]Version, error) {
	var all []Version
	err := s.store.View(ctx, func(tx *store.Tx) error {
		all = nil
		r, err := s.reader(ctx, tx, p, in)
		if err != nil {
			return err
		}
		if upTo <= 0 {
			upTo = maxVersion
		}
		kept, err := tx.KnowledgeVersions(ctx, r.standing.Namespace.ID, upTo, limit+1)
		if err != nil {
			return err
		}
		documents := make([]Document, len(kept)+1)
		for i, k := range kept {
			var whole Document
			if err := json.Unmarshal([]byte(k.Document), &whole); err != nil {
				return err
			}
			documents[i] = whole.filter(r.sees)
		}
		for i, k := range kept[:min(len(kept), limit)] {
			changes := shortened(Diff(&documents[i+1], &documents[i]))
			all = append(all, Version{k.Version, k.Author, k.WrittenAt, changes})
		}
		return nil
	})
	return all, err
}

// At returns a version as the principal sees it now. NotFound when it is not kept.
func (s *Service) At(ctx context.Context, p quern.Principal, in quern.NamespacePath, version int64) (Current, error) {
	var made Current
	err := s.store.View(ctx, func(tx *store.Tx) error {
		r, err := s.reader(ctx, tx, p, in)
		if err != nil {
			return err
		}
		kept, err := tx.KnowledgeVersions(ctx, r.standing.Namespace.ID, version, 1)
		if err != nil {
			return err
		}
		if len(kept) == 0 || kept[0].Version != version {
			return quern.E(quern.NotFound, quern.CodeNotFound, "not found")
		}
		r.whole, r.version = Document{}, version
		if err := json.Unmarshal([]byte(kept[0].Document), &r.whole); err != nil {
			return fmt.Errorf("version %d cannot be read: %w", version, err)
		}
		made = r.current()
		return nil
	})
	return made, err
}
