package iceberg

import (
	"context"
	"net/http"
	"strconv"

	"quern"
	"quern/catalog"
)

// pageLimit is how many entries are read at a time, and at most on one page.
const pageLimit = 1000

func (s *Service) config(r request) (any, error) {
	w, err := readWarehouse(r.URL.Query().Get("warehouse"), r.principal.User.Username)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"defaults":  map[string]string{},
		"overrides": map[string]string{"prefix": w.prefix()},
		"endpoints": endpoints(),
	}, nil
}

// listing is a page of namespaces or tables.
type listing struct {
	Namespaces  *[][]string   `json:"namespaces,omitempty"`
	Identifiers *[]identifier `json:"identifiers,omitempty"`
	Next        *string       `json:"next-page-token,omitempty"`
}

type identifier struct {
	Namespace []string `json:"namespace"`
	Name      string   `json:"name"`
}

func (s *Service) namespaces(r request) (any, error) {
	all := [][]string{}
	if parent := r.URL.Query().Get("parent"); parent != "" {
		_, err := s.namespaceNamed(r, parent)
		return listing{Namespaces: &all}, err // namespaces have one level
	}
	if r.warehouse.byID() {
		all = append(all, []string{byIDNamespace})
		return listing{Namespaces: &all}, nil
	}
	next, err := s.pages(r, s.Catalog.Namespaces, catalog.Filter{Owner: r.warehouse.owner}, func(l catalog.Listed) string {
		all = append(all, []string{l.Path.Namespace})
		return l.Path.Namespace
	})
	return listing{Namespaces: &all, Next: next}, err
}

func (s *Service) namespace(r request) (any, error) {
	name, err := s.namespaceNamed(r, r.PathValue("namespace"))
	if err != nil {
		return nil, err
	}
	return map[string]any{"namespace": []string{name}, "properties": map[string]string{}}, nil
}

// namespaceNamed returns a namespace's name as it is spelt, if the caller sees it.
func (s *Service) namespaceNamed(r request, name string) (string, error) {
	if r.warehouse.byID() {
		if name != byIDNamespace {
			return "", noNamespace(nil)
		}
		return name, nil
	}
	n, err := s.Catalog.Namespace(r.Context(), r.principal, quern.NamespacePath{Owner: r.warehouse.owner, Namespace: name})
	if quern.Is(err, quern.NotFound) {
		err = noNamespace(err)
	}
	return n.Name, err
}

func (s *Service) tables(r request) (any, error) {
	name, err := s.namespaceNamed(r, r.PathValue("namespace"))
	if err != nil {
		return nil, err
	}
	all := []identifier{}
	if r.warehouse.byID() {
		return listing{Identifiers: &all}, nil // listed to nobody
	}
	next, err := s.pages(r, s.Catalog.Tables, catalog.Filter{Owner: r.warehouse.owner, Namespace: name}, func(l catalog.Listed) string {
		all = append(all, identifier{[]string{l.Path.Namespace}, l.Path.Dataset})
		return l.Path.Dataset
	})
	return listing{Identifiers: &all, Next: next}, err
}

// lister reads a page of a list.
type lister func(context.Context, quern.Principal, catalog.Filter) ([]catalog.Listed, bool, error)

// pages reads a list: all of it, or one page where the client asks for pages. add takes
// an entry and returns its name.
func (s *Service) pages(r request, list lister, f catalog.Filter, add func(catalog.Listed) string) (next *string, err error) {
	query := r.URL.Query()
	paged := query.Has("pageToken")
	if f.Limit, err = pageSize(query.Get("pageSize"), paged); err != nil {
		return nil, err
	}
	if after := query.Get("pageToken"); after != "" {
		f.After = quern.DatasetPath{Owner: r.warehouse.owner, Namespace: after}
		if f.Namespace != "" {
			f.After = quern.DatasetPath{Owner: r.warehouse.owner, Namespace: f.Namespace, Dataset: after}
		}
	}
	for {
		page, more, err := list(r.Context(), r.principal, f)
		if err != nil {
			return nil, err
		}
		var last string
		for _, l := range page {
			last, f.After = add(l), l.Path
		}
		if !more {
			return nil, nil
		}
		if paged {
			return &last, nil
		}
	}
}

func pageSize(given string, paged bool) (int, error) {
	if given == "" || !paged {
		return pageLimit, nil
	}
	n, err := strconv.Atoi(given)
	if err != nil || n < 1 {
		return 0, quern.E(quern.Malformed, quern.CodeMalformedParameter, "pageSize: must be a number above 0")
	}
	return min(n, pageLimit), nil
}

// dataset returns the dataset that a request names, if the caller may read it and it is
// a table.
func (s *Service) dataset(r request) (quern.Dataset, error) {
	namespace, name := r.PathValue("namespace"), r.PathValue("table")
	var d quern.Dataset
	var err error
	switch {
	case !r.warehouse.byID():
		path := quern.DatasetPath{Owner: r.warehouse.owner, Namespace: namespace, Dataset: name}
		d, err = s.Catalog.Dataset(r.Context(), r.principal, path, catalog.Read)
	case namespace != byIDNamespace || !quern.ValidID(name):
		return d, noTable(nil)
	default:
		d, err = s.Catalog.ByID(r.Context(), r.principal, quern.DatasetID(quern.CanonicalID(name)), catalog.Read)
	}
	if err == nil && !d.Draft {
		err = s.Tables.Exists(r.Context(), d)
	}
	if quern.Is(err, quern.NotFound) || d.Draft {
		err = noTable(err)
	}
	return d, err
}

// loadedTable is what a load answers.
type loadedTable struct {
	Location    string            `json:"metadata-location,omitempty"`
	Metadata    any               `json:"metadata"`
	Config      map[string]string `json:"config"`
	Credentials []credential      `json:"storage-credentials,omitempty"`
}

type credential struct {
	Prefix string            `json:"prefix"`
	Config map[string]string `json:"config"`
}

func (s *Service) table(r request) (any, error) {
	shown := r.URL.Query().Get("snapshots")
	if shown != "" && shown != "all" && shown != "refs" {
		return nil, quern.E(quern.Malformed, quern.CodeMalformedParameter, "snapshots: must be all or refs")
	}
	d, err := s.dataset(r)
	if err != nil || r.Method == http.MethodHead {
		return nil, err
	}
	loaded, err := s.Tables.Load(r.Context(), d)
	if quern.Is(err, quern.NotFound) {
		err = noTable(err)
	}
	if err != nil {
		return nil, err
	}
	config, err := s.settings(r, d.ID)
	if err != nil {
		return nil, err
	}
	if shown == "refs" {
		loaded.Metadata = loaded.Metadata.Referenced()
	}
	return loadedTable{loaded.Location, loaded.Metadata, config, []credential{{loaded.Metadata.Location, config}}}, nil
}

func (s *Service) credentials(r request) (any, error) {
	d, err := s.dataset(r)
	if err != nil {
		return nil, err
	}
	config, err := s.settings(r, d.ID)
	return map[string]any{"storage-credentials": []credential{{s.Tables.Location(d.ID), config}}}, err
}

// settings are what the client reads the table's objects with.
func (s *Service) settings(r request, id quern.DatasetID) (map[string]string, error) {
	config, err := s.Tables.Credentials(r.Context(), r.principal, id)
	if err == nil && r.warehouse.noEndpoint {
		delete(config, "s3.endpoint")
	}
	return config, err
}

// metrics takes what clients report of their scans, and does nothing with it.
func (s *Service) metrics(r request) (any, error) {
	_, err := s.dataset(r)
	return nil, err
}

// views are asked for by clients that list both; there are none.
func (s *Service) views(r request) (any, error) {
	_, err := s.namespaceNamed(r, r.PathValue("namespace"))
	return listing{Identifiers: &[]identifier{}}, err
}

func (s *Service) view(request) (any, error) { return nil, noView() }
