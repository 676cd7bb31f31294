package file

import (
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"quern/knowledge"
)

// ossieVersion is the version of Apache Ossie's core specification that is read and
// written.
const ossieVersion = "0.1.1"

type ossieFile struct {
	Version string       `yaml:"version"`
	Models  []ossieModel `yaml:"semantic_model"`
}

type ossieModel struct {
	Name          string          `yaml:"name"`
	Description   string          `yaml:"description,omitempty"`
	AIContext     *ossieContext   `yaml:"ai_context,omitempty"`
	Datasets      []ossieDataset  `yaml:"datasets"`
	Relationships []ossieRelation `yaml:"relationships,omitempty"`
	Metrics       []ossieMetric   `yaml:"metrics,omitempty"`
}

type ossieDataset struct {
	Name        string        `yaml:"name"`
	Source      string        `yaml:"source"`
	Description string        `yaml:"description,omitempty"`
	AIContext   *ossieContext `yaml:"ai_context,omitempty"`
	Fields      []ossieField  `yaml:"fields,omitempty"`
}

type ossieField struct {
	Name        string          `yaml:"name"`
	Expression  ossieExpression `yaml:"expression"`
	Dimension   *ossieDimension `yaml:"dimension,omitempty"`
	Description string          `yaml:"description,omitempty"`
	AIContext   *ossieContext   `yaml:"ai_context,omitempty"`
}

type ossieDimension struct {
	IsTime bool `yaml:"is_time,omitempty"`
}

type ossieRelation struct {
	Name        string   `yaml:"name"`
	From        string   `yaml:"from"`
	To          string   `yaml:"to"`
	FromColumns []string `yaml:"from_columns"`
	ToColumns   []string `yaml:"to_columns"`
}

type ossieMetric struct {
	Name        string          `yaml:"name"`
	Expression  ossieExpression `yaml:"expression"`
	Description string          `yaml:"description,omitempty"`
	AIContext   *ossieContext   `yaml:"ai_context,omitempty"`
}

type ossieExpression struct {
	Dialects []ossieDialect `yaml:"dialects"`
}

type ossieDialect struct {
	Dialect    string `yaml:"dialect"`
	Expression string `yaml:"expression"`
}

// sql returns the expression in standard SQL.
func (e ossieExpression) sql() (string, bool) {
	for _, d := range e.Dialects {
		if d.Dialect == "ANSI_SQL" {
			return d.Expression, true
		}
	}
	return "", false
}

func standard(expression string) ossieExpression {
	return ossieExpression{[]ossieDialect{{"ANSI_SQL", expression}}}
}

// ossieContext is what a model is told; a text alone is its instructions.
type ossieContext struct {
	Instructions string   `yaml:"instructions,omitempty"`
	Synonyms     []string `yaml:"synonyms,omitempty"`
	Examples     []string `yaml:"examples,omitempty"`
}

// UnmarshalYAML reads either form.
func (c *ossieContext) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		c.Instructions = node.Value
		return nil
	}
	type plain ossieContext
	return node.Decode((*plain)(c))
}

func (c *ossieContext) synonyms() []string {
	if c == nil {
		return nil
	}
	return c.Synonyms
}

// readOssie reads a model of Apache Ossie.
func readOssie(node *yaml.Node) (Content, error) {
	if v := member(node, "version"); v == nil || v.Value != ossieVersion {
		found := "no version"
		if v != nil {
			found = "version " + v.Value
		}
		return Content{}, fmt.Errorf("it has %s of Apache Ossie; %s is read", found, ossieVersion)
	}
	var f ossieFile
	if err := node.Decode(&f); err != nil {
		return Content{}, err
	}
	var c Content
	for _, model := range f.Models {
		c.loseContext("model "+model.Name, model.Description, model.AIContext)
		for _, d := range model.Datasets {
			c.ossieDataset(d)
		}
		for _, r := range model.Relationships {
			if len(r.FromColumns) != 1 || len(r.ToColumns) != 1 {
				c.lose("relationship %s: it has several columns", r.Name)
				continue
			}
			c.Document.Links = append(c.Document.Links, knowledge.Link{From: r.From + "." + r.FromColumns[0], To: r.To + "." + r.ToColumns[0]})
		}
		for _, m := range model.Metrics {
			c.ossieMetric(m)
		}
	}
	return c, nil
}

func (c *Content) loseContext(what, description string, context *ossieContext) {
	if description != "" {
		c.lose("%s: its description; put it into the dataset's definition", what)
	}
	if context != nil && context.Instructions != "" {
		c.lose("%s: its instructions", what)
	}
	if context != nil && len(context.Examples) > 0 {
		c.lose("%s: its examples", what)
	}
}

func (c *Content) addWords(means string, words []string) {
	for _, w := range words {
		c.Document.Words = append(c.Document.Words, knowledge.Word{Word: w, Means: means})
	}
}

func (c *Content) ossieDataset(d ossieDataset) {
	c.loseContext("dataset "+d.Name, d.Description, d.AIContext)
	c.addWords(d.Name, d.AIContext.synonyms())
	for _, f := range d.Fields {
		c.loseContext("field "+d.Name+"."+f.Name, f.Description, f.AIContext)
		expression, ok := f.Expression.sql()
		if !ok {
			c.lose("field %s.%s: it has no expression in standard SQL", d.Name, f.Name)
			continue
		}
		c.column(field{d.Name, f.Name, expression, f.AIContext.synonyms(), f.Dimension != nil && f.Dimension.IsTime})
	}
}

// field is a column of others' models, or a value of a row.
type field struct {
	dataset, name, expression string
	words                     []string
	isTime                    bool
}

// column takes over what others say of a column, or a value of a row as a measure.
func (c *Content) column(f field) {
	column, bare := bareColumn(f.expression)
	if !bare {
		e, err := value(f.expression)
		text := ""
		if err == nil {
			text, err = printed(e)
		}
		if err != nil {
			c.lose("field %s.%s: %s", f.dataset, f.name, err)
			return
		}
		c.Document.Measures = append(c.Document.Measures, knowledge.Measure{Name: f.name, Words: f.words, Dataset: f.dataset, Expression: text})
		return
	}
	means := f.dataset + "." + column
	if !strings.EqualFold(f.name, column) {
		c.addWords(means, []string{strings.ReplaceAll(f.name, "_", " ")})
	}
	c.addWords(means, f.words)
	if f.isTime {
		c.time(f.dataset, column)
	}
}

// time says that a column is the one of a dataset's times, unless another is.
func (c *Content) time(dataset, column string) {
	for _, d := range c.Document.Datasets {
		if strings.EqualFold(d.Dataset, dataset) {
			c.lose("dataset %s: that %s is a time too", dataset, column)
			return
		}
	}
	c.Document.Datasets = append(c.Document.Datasets, knowledge.Dataset{Dataset: dataset, Time: column})
}

func (c *Content) ossieMetric(m ossieMetric) {
	c.loseContext("metric "+m.Name, m.Description, m.AIContext)
	expression, ok := m.Expression.sql()
	if !ok {
		c.lose("metric %s: it has no expression in standard SQL", m.Name)
		return
	}
	made, err := metric(m.Name, expression, "")
	if err != nil {
		c.lose("metric %s: %s", m.Name, err)
		return
	}
	made.Words = m.AIContext.synonyms()
	c.Document.Measures = append(c.Document.Measures, made)
}

// WriteOssie writes a document as a model of Apache Ossie, and returns what that
// has no place for.
func WriteOssie(w io.Writer, name string, d knowledge.Document) (lost []string, err error) {
	e := ossieExport{model: ossieModel{Name: name}}
	for _, word := range d.Words {
		e.word(word)
	}
	for _, of := range d.Datasets {
		if of.Time != "" {
			e.field(of.Dataset, of.Time).Dimension = &ossieDimension{IsTime: true}
		}
		if of.Label != "" || len(of.Unused) > 0 {
			e.lose("datasets %s: its label and the columns that are not used", of.Dataset)
		}
	}
	for _, m := range d.Measures {
		e.measure(m)
	}
	for _, l := range d.Links {
		from, fromColumn := knowledge.Column(l.From)
		to, toColumn := knowledge.Column(l.To)
		e.dataset(from)
		e.dataset(to)
		e.model.Relationships = append(e.model.Relationships, ossieRelation{
			Name: from + "_" + fromColumn, From: from, To: to, FromColumns: []string{fromColumn}, ToColumns: []string{toColumn}})
		if len(l.Words) > 0 {
			e.lose("links %s: its words", l.From)
		}
	}
	for kind, n := range map[string]int{
		"adjectives": len(d.Adjectives), "conditions": len(d.Conditions), "outOfScope": len(d.OutOfScope), "verified": len(d.Verified), "tests": len(d.Tests),
	} {
		if n > 0 {
			e.lose("%s: all %d", kind, n)
		}
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(ossieFile{ossieVersion, []ossieModel{e.model}}); err != nil {
		return nil, err
	}
	return e.lost, encoder.Close()
}

// ossieExport is a model in the making.
type ossieExport struct {
	model ossieModel
	lost  []string
}

func (e *ossieExport) lose(format string, args ...any) {
	e.lost = append(e.lost, fmt.Sprintf(format, args...))
}

func (e *ossieExport) dataset(name string) *ossieDataset {
	for i := range e.model.Datasets {
		if strings.EqualFold(e.model.Datasets[i].Name, name) {
			return &e.model.Datasets[i]
		}
	}
	e.model.Datasets = append(e.model.Datasets, ossieDataset{Name: name, Source: name})
	return &e.model.Datasets[len(e.model.Datasets)-1]
}

func (e *ossieExport) field(dataset, name string) *ossieField {
	d := e.dataset(dataset)
	for i := range d.Fields {
		if strings.EqualFold(d.Fields[i].Name, name) {
			return &d.Fields[i]
		}
	}
	d.Fields = append(d.Fields, ossieField{Name: name, Expression: standard(name)})
	return &d.Fields[len(d.Fields)-1]
}

func (e *ossieExport) word(w knowledge.Word) {
	dataset, column := knowledge.Column(w.Means)
	var context **ossieContext
	switch {
	case w.Value != nil:
		e.lose("words %s: it means a value", w.Word)
		return
	case column == "":
		context = &e.dataset(dataset).AIContext
	default:
		context = &e.field(dataset, column).AIContext
	}
	if *context == nil {
		*context = &ossieContext{}
	}
	(*context).Synonyms = append((*context).Synonyms, w.Word)
}

func (e *ossieExport) measure(m knowledge.Measure) {
	var context *ossieContext
	if len(m.Words) > 0 {
		context = &ossieContext{Synonyms: m.Words}
	}
	if len(m.Never) > 0 || m.Unit != "" {
		e.lose("measures %s: its unit and the aggregates that make no sense", m.Name)
	}
	if m.Aggregate == "" {
		d := e.dataset(m.Dataset)
		d.Fields = append(d.Fields, ossieField{Name: m.Name, Expression: standard(m.Expression), AIContext: context})
		return
	}
	expression, err := qualified(m)
	if err != nil {
		e.lose("measures %s: %s", m.Name, err)
		return
	}
	e.dataset(m.Dataset)
	e.model.Metrics = append(e.model.Metrics, ossieMetric{Name: m.Name, Expression: standard(expression), AIContext: context})
}
