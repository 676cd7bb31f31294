package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"quern"
	"quern/catalog"
	"quern/door"
	"quern/knowledge"
	"quern/tree"
)

// The addresses of resources.
const (
	datasetTemplate   = "quern://datasets/{owner}/{namespace}/{dataset}"
	columnTemplate    = datasetTemplate + "/columns/{column}"
	questionsTemplate = "quern://questions/{owner}/{namespace}"
	questionTemplate  = questionsTemplate + "/{name}"
)

// pageOfResources is how many datasets a page of the list of resources tells of.
const pageOfResources = 100

// resource is a kind of thing that can be read by its address.
type resource struct {
	template, name, title, about, gives string
	// read returns what is at an address, whose parts are unescaped.
	read func(ctx context.Context, s *Service, p quern.Principal, parts []string) (any, error)
}

var resources = []resource{
	{datasetTemplate, "dataset", "Dataset", "A dataset: its columns, how many rows it has, how it is joined with others.", "The dataset",
		func(ctx context.Context, s *Service, p quern.Principal, parts []string) (any, error) {
			return s.describe(ctx, p, quern.DatasetPath{Owner: parts[0], Namespace: parts[1], Dataset: parts[2]})
		}},
	{columnTemplate, "column", "Column", "A column of a dataset: its type, description, bounds and examples.", "The column", readColumn},
	{questionsTemplate, "questions", "Verified questions", "The questions of a namespace whose queries somebody vouches for.", "The verified questions",
		func(ctx context.Context, s *Service, p quern.Principal, parts []string) (any, error) {
			return s.verified(ctx, p, parts)
		}},
	{questionTemplate, "question", "Verified question", "A question whose query somebody vouches for.", "The verified question", readQuestion},
}

// addResources makes the resources known to the protocol.
func (s *Service) addResources(server *sdk.Server) {
	for _, r := range resources {
		server.AddResourceTemplate(&sdk.ResourceTemplate{
			URITemplate: r.template, Name: r.name, Title: r.title, Description: r.about, MIMEType: "text/plain",
		}, func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			text, err := s.readResource(ctx, r, req.Params.URI)
			switch {
			case quern.Is(err, quern.NotFound):
				door.SetError(ctx, err)
				return nil, sdk.ResourceNotFoundError(req.Params.URI)
			case err != nil:
				return nil, failure(ctx, err)
			}
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: text}}}, nil
		})
	}
}

var errNoResource = quern.E(quern.NotFound, quern.CodeNotFound, "there is no such resource")

// readResource returns what is at an address, fenced: it came out of data.
func (s *Service) readResource(ctx context.Context, r resource, uri string) (string, error) {
	parts, ok := partsOf(r.template, uri)
	if !ok {
		return "", errNoResource
	}
	value, err := r.read(ctx, s, callerOf(ctx).principal, parts)
	if err != nil {
		return "", err
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	return fenced(r.gives, encoded)
}

// partsOf returns what stands in an address where its template has names.
func partsOf(template, uri string) (parts []string, ok bool) {
	names, given := strings.Split(template, "/"), strings.Split(uri, "/")
	if len(names) != len(given) {
		return nil, false
	}
	for i, name := range names {
		if !strings.HasPrefix(name, "{") {
			if name != given[i] {
				return nil, false
			}
			continue
		}
		part, err := url.PathUnescape(given[i])
		if err != nil || part == "" {
			return nil, false
		}
		parts = append(parts, part)
	}
	return parts, true
}

func readColumn(ctx context.Context, s *Service, p quern.Principal, parts []string) (any, error) {
	d, _, err := s.Catalog.Describe(ctx, p, quern.DatasetPath{Owner: parts[0], Namespace: parts[1], Dataset: parts[2]})
	if err != nil {
		return nil, err
	}
	for _, c := range catalog.DisplayColumns(d) {
		if tree.SameName(c.Name, parts[3]) {
			return describeColumn(d, c), nil
		}
	}
	return nil, errNoResource
}

// verified returns the verified questions of a namespace, as many as there is room for.
func (s *Service) verified(ctx context.Context, p quern.Principal, parts []string) ([]knowledge.Verified, error) {
	now, err := s.Knowledge.Read(ctx, p, quern.NamespacePath{Owner: parts[0], Namespace: parts[1]})
	all := now.Verified
	for sizeOf(all) > mostBytes {
		all = all[:len(all)/2]
	}
	if all == nil {
		all = []knowledge.Verified{}
	}
	return all, err
}

func readQuestion(ctx context.Context, s *Service, p quern.Principal, parts []string) (any, error) {
	now, err := s.Knowledge.Read(ctx, p, quern.NamespacePath{Owner: parts[0], Namespace: parts[1]})
	if err != nil {
		return nil, err
	}
	for _, v := range now.Verified {
		if tree.SameName(v.Name, parts[2]) {
			return v, nil
		}
	}
	return nil, errNoResource
}

// listResources lists the datasets that the caller sees and, with the first of each
// namespace, its verified questions.
func (s *Service) listResources(ctx context.Context, req sdk.Request) (*sdk.ListResourcesResult, error) {
	page := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}, Cacheable: sdk.Cacheable{CacheScope: "private"}}
	var after string
	if params, ok := req.GetParams().(*sdk.ListResourcesParams); ok && params != nil {
		after = params.Cursor
	}
	last, err := readCursor(after)
	if err != nil {
		return nil, failure(ctx, err)
	}
	listed, more, err := s.Catalog.Datasets(ctx, callerOf(ctx).principal, catalog.Filter{After: last, Limit: pageOfResources})
	if err != nil {
		return nil, failure(ctx, err)
	}
	for _, l := range listed {
		if l.Path.In() != last.In() {
			page.Resources = append(page.Resources, &sdk.Resource{
				URI: address("questions", l.Path.Owner, l.Path.Namespace), Name: "questions of " + l.Path.Owner + "/" + l.Path.Namespace,
				Title: "Verified questions of " + l.Path.Namespace, MIMEType: "text/plain",
			})
		}
		last = l.Path
		page.Resources = append(page.Resources, &sdk.Resource{
			URI: address("datasets", l.Path.Owner, l.Path.Namespace, l.Path.Dataset), Name: pathText(l.Path), Title: l.Path.Dataset, MIMEType: "text/plain",
		})
	}
	if more {
		page.NextCursor = cursor(last)
	}
	return page, nil
}

// address is where something is read.
func address(parts ...string) string {
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return "quern://" + strings.Join(parts, "/")
}
