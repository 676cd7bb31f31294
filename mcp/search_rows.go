package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/catalog"
	"quern/query"
	"quern/tree"
)

// mostSearched is how many datasets of a namespace are searched in one call.
const mostSearched = 25

type found struct {
	Matches  []match `json:"matches" jsonschema:"the datasets with rows that match"`
	Searched int     `json:"searched" jsonschema:"how many datasets were searched"`
	// Unsearched are the datasets whose search the engine refuses.
	Unsearched []string `json:"unsearched,omitempty" jsonschema:"datasets that could not be searched"`
	Truncated  bool     `json:"truncated" jsonschema:"some datasets were not searched, or some rows are not shown"`
	Note       string   `json:"note,omitempty"`
}

type match struct {
	Dataset string `json:"dataset"`
	rowList
}

var searchRows = define(tool{
	name: "search_rows", title: "Search rows", gives: "The rows that match", seeks: "namespace or dataset",
	about: "Finds the rows in whose text columns all the words occur, whatever their case and order; longer words may be spelled a little " +
		"otherwise. __metadata.score tells how well a row matches; the best come first. Searches one dataset, or those of a namespace. " +
		"Use it to find out how something is called in the data, and ask or run_query to count or compare.",
	input: object(
		required("words", text(200, "the words to look for")),
		optional("dataset", datasetText()),
		optional("namespace", namespaceText()),
		optional("limit", integer(1, mostRows, "the most rows to show of each dataset; 10 where it is left out")),
	),
}, func(ctx context.Context, c call, in struct {
	Words, Dataset, Namespace string
	Limit                     int64
}) (found, error) {
	told := found{Matches: []match{}}
	if len(tree.Words(in.Words)) == 0 {
		return told, invalid(quern.Fault("words", "words", "must hold a word to search for"))
	}
	paths, more, err := c.searched(ctx, in.Dataset, in.Namespace)
	if err != nil {
		return told, err
	}
	if in.Limit == 0 {
		in.Limit = 10
	}
	told.Truncated = more
	left := newBudget()
	for i, path := range paths {
		c.progress(float64(i), float64(len(paths)), "searching "+pathText(path))
		m, err := c.search(ctx, path, in.Words, in.Limit, left)
		inNamespace := in.Namespace != ""
		if inNamespace && quern.Is(err, quern.NotFound) {
			continue // it was removed in between
		}
		if inNamespace && quern.Is(err, quern.Invalid) {
			told.Unsearched, told.Truncated = append(told.Unsearched, pathText(path)), true
			continue
		}
		if err != nil {
			return told, err
		}
		told.Searched++
		if m.TotalCount > 0 {
			told.Matches, told.Truncated = append(told.Matches, m), told.Truncated || m.Truncated
		}
	}
	if more {
		told.Note = fmt.Sprintf("Only the first %d datasets of the namespace were searched: name a dataset to search another.", mostSearched)
	}
	return told, nil
})

// searched returns the datasets that a search is about.
func (c call) searched(ctx context.Context, dataset, namespace string) (paths []quern.DatasetPath, more bool, err error) {
	if (dataset == "") == (namespace == "") {
		return nil, false, invalid(quern.Fault("required", "dataset", "give a dataset or a namespace, and not both"))
	}
	if dataset != "" {
		path, err := datasetAt(dataset)
		return []quern.DatasetPath{path}, false, err
	}
	at, err := namespaceAt(namespace)
	if err != nil {
		return nil, false, err
	}
	n, err := c.Catalog.Namespace(ctx, c.principal, at)
	if err != nil {
		return nil, false, err
	}
	listed, more, err := c.Catalog.Datasets(ctx, c.principal, catalog.Filter{Owner: n.Owner, Namespace: n.Name, Limit: mostSearched})
	for _, l := range listed {
		paths = append(paths, l.Path)
	}
	return paths, more, err
}

// search finds the rows of one dataset in which words occur, best first.
func (c call) search(ctx context.Context, path quern.DatasetPath, words string, limit int64, left *budget) (match, error) {
	d, err := c.Catalog.Dataset(ctx, c.principal, path, catalog.Read)
	if err != nil {
		return match{}, err
	}
	m := match{Dataset: pathText(d.Path()), rowList: rowList{Rows: []row{}}}
	isText := func(c quern.Column) bool { return c.Type == quern.Text && !quern.IsInternal(c.Name) }
	if !slices.ContainsFunc(catalog.Columns(d), isText) {
		return m, nil
	}
	request := query.Request{In: d.Path().In(), MaxRows: int(limit), SQL: `Ontology("` + d.Name + `").search("` + inQuotes.Replace(words) + `")`}
	plan, err := c.Query.Plan(ctx, c.principal, request)
	if err != nil {
		return match{}, err
	}
	request.SQL, request.Tree = plan.SQL, plan.Tree
	rows, err := c.Query.SQL(ctx, c.principal, request)
	if err != nil {
		return match{}, err
	}
	shown, err := show(rows, limit, query.NewEncoder(rows.Columns()), left)
	m.rowList = shown.of(rows.Total(), 0, "Search for more words, or use run_query with a condition, for the rest.")
	return m, err
}

// inQuotes writes a text as the fluent form has it between quotes.
var inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
