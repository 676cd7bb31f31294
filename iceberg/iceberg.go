package iceberg

import (
	"context"
	"net/http"
	"strings"
	"time"

	"quern"
	"quern/catalog"
	"quern/door"
	"quern/opentable"
)

// Path is where the catalog is.
const Path = "/iceberg"

// Tables is what the catalog needs of the tables.
type Tables interface {
	// Load returns the table of a dataset that the caller may read.
	Load(ctx context.Context, d quern.Dataset) (opentable.Loaded, error)
	// Exists fails with NotFound for a dataset that is no table.
	Exists(ctx context.Context, d quern.Dataset) error
	// Credentials are the settings with which the caller reads the table's objects.
	Credentials(ctx context.Context, p quern.Principal, id quern.DatasetID) (map[string]string, error)
	// Location is where a table's objects lie.
	Location(id quern.DatasetID) string
}

// Catalog is what it needs of the datasets.
type Catalog interface {
	Dataset(context.Context, quern.Principal, quern.DatasetPath, catalog.Action) (quern.Dataset, error)
	ByID(context.Context, quern.Principal, quern.DatasetID, catalog.Action) (quern.Dataset, error)
	Namespace(context.Context, quern.Principal, quern.NamespacePath) (quern.Namespace, error)
	Namespaces(context.Context, quern.Principal, catalog.Filter) ([]catalog.Listed, bool, error)
	Tables(context.Context, quern.Principal, catalog.Filter) ([]catalog.Listed, bool, error)
}

// Options is what a Service works with.
type Options struct {
	Auth    door.Authenticator
	Usage   door.Usage
	Catalog Catalog
	Tables  Tables
	Now     func() time.Time
}

// Service answers the protocol.
type Service struct {
	Options
	mux *http.ServeMux
}

// New makes the service.
func New(o Options) *Service {
	s := &Service{Options: o, mux: http.NewServeMux()}
	for _, op := range operations() {
		verb, path, _ := strings.Cut(op.pattern, " ")
		s.mux.HandleFunc(verb+" "+Path+"/v1"+path, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, op) })
	}
	return s
}

// operation is one address of the protocol.
type operation struct {
	name    string // for the log and the count of requests
	pattern string
	// advertised is the address as clients are told of it; empty for what is answered
	// only so that clients go on.
	advertised string
	answer     func(*Service, request) (any, error)
}

func operations() []operation {
	return []operation{
		{"config", "GET /config", "", (*Service).config},
		{"listNamespaces", "GET /{prefix}/namespaces", "GET /v1/{prefix}/namespaces", (*Service).namespaces},
		{"loadNamespace", "GET /{prefix}/namespaces/{namespace}", "GET /v1/{prefix}/namespaces/{namespace}", (*Service).namespace},
		{"listTables", "GET /{prefix}/namespaces/{namespace}/tables", "GET /v1/{prefix}/namespaces/{namespace}/tables", (*Service).tables},
		{"loadTable", "GET /{prefix}/namespaces/{namespace}/tables/{table}",
			"GET /v1/{prefix}/namespaces/{namespace}/tables/{table}", (*Service).table},
		{"loadCredentials", "GET /{prefix}/namespaces/{namespace}/tables/{table}/credentials",
			"GET /v1/{prefix}/namespaces/{namespace}/tables/{table}/credentials", (*Service).credentials},
		{"reportMetrics", "POST /{prefix}/namespaces/{namespace}/tables/{table}/metrics", "", (*Service).metrics},
		{"listViews", "GET /{prefix}/namespaces/{namespace}/views", "", (*Service).views},
		{"loadView", "GET /{prefix}/namespaces/{namespace}/views/{view}", "", (*Service).view},
	}
}

// endpoints is what clients are told that the catalog answers: without it they assume
// that they may write.
func endpoints() []string {
	var all []string
	for _, op := range operations() {
		if op.advertised == "" {
			continue
		}
		all = append(all, op.advertised)
		if op.name == "loadNamespace" || op.name == "loadTable" {
			all = append(all, strings.Replace(op.advertised, http.MethodGet, http.MethodHead, 1))
		}
	}
	return all
}

// request is a request that was let in.
type request struct {
	*http.Request
	principal quern.Principal
	warehouse warehouse
}

// ServeHTTP answers a request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := s.mux.Handler(r); pattern == "" {
		s.unmatched(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request, op operation) {
	door.SetOperation(r.Context(), "iceberg."+op.name)
	p, _, err := door.Admit(r, s.Auth, nil)
	if err != nil {
		writeError(w, r, err)
		return
	}
	s.Usage.RecordUsage(r.Context(), p.User.ID, "iceberg."+op.name, s.Now())
	req := request{Request: r, principal: p}
	if prefix := r.PathValue("prefix"); prefix != "" {
		if req.warehouse, err = readPrefix(prefix); err != nil {
			writeError(w, r, err)
			return
		}
	}
	body, err := op.answer(s, req)
	switch {
	case err != nil:
		writeError(w, r, err)
	case body == nil || r.Method == http.MethodHead:
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Cache-Control", "no-store")
		_ = door.WriteJSON(w, http.StatusOK, body) // a client that is gone needs no answer
	}
}

// unmatched answers what no operation matches, in the catalog's own words.
func (s *Service) unmatched(w http.ResponseWriter, r *http.Request) {
	if _, _, err := door.Admit(r, s.Auth, nil); err != nil {
		writeError(w, r, err)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		writeError(w, r, errReadOnly)
		return
	}
	writeError(w, r, door.ErrNoRoute)
}
