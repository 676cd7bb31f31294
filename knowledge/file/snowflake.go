package file

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"quern/knowledge"
	"quern/tree"
)

type snowflakeModel struct {
	Name          string              `yaml:"name"`
	Tables        []snowflakeTable    `yaml:"tables"`
	Relationships []snowflakeRelation `yaml:"relationships"`
	Verified      []snowflakeQuery    `yaml:"verified_queries"`
	Instructions  string              `yaml:"custom_instructions"`
}

type snowflakeTable struct {
	Name        string   `yaml:"name"`
	Synonyms    []string `yaml:"synonyms"`
	Description string   `yaml:"description"`
	BaseTable   struct {
		Table string `yaml:"table"`
	} `yaml:"base_table"`
	Dimensions []snowflakeColumn `yaml:"dimensions"`
	Times      []snowflakeColumn `yaml:"time_dimensions"`
	Facts      []snowflakeColumn `yaml:"facts"`
	Measures   []snowflakeColumn `yaml:"measures"` // facts, as they were called before
	Metrics    []snowflakeColumn `yaml:"metrics"`
	Filters    []snowflakeColumn `yaml:"filters"`
}

type snowflakeColumn struct {
	Name        string   `yaml:"name"`
	Synonyms    []string `yaml:"synonyms"`
	Description string   `yaml:"description"`
	Expr        string   `yaml:"expr"`
}

type snowflakeRelation struct {
	Name    string `yaml:"name"`
	Left    string `yaml:"left_table"`
	Right   string `yaml:"right_table"`
	Columns []struct {
		Left  string `yaml:"left_column"`
		Right string `yaml:"right_column"`
	} `yaml:"relationship_columns"`
}

type snowflakeQuery struct {
	Name     string `yaml:"name"`
	Question string `yaml:"question"`
	SQL      string `yaml:"sql"`
}

// readSnowflake reads a semantic model of Snowflake.
func readSnowflake(node *yaml.Node) (Content, error) {
	var m snowflakeModel
	if err := node.Decode(&m); err != nil {
		return Content{}, err
	}
	var c Content
	if m.Instructions != "" {
		c.lose("its instructions")
	}
	datasets := map[string]string{}
	for _, t := range m.Tables {
		dataset := cmp.Or(t.BaseTable.Table, t.Name)
		datasets[strings.ToLower(t.Name)] = dataset
		c.snowflakeTable(t, dataset)
	}
	for _, r := range m.Relationships {
		if len(r.Columns) != 1 {
			c.lose("relationship %s: it has several columns", r.Name)
			continue
		}
		from, to := cmp.Or(datasets[strings.ToLower(r.Left)], r.Left), cmp.Or(datasets[strings.ToLower(r.Right)], r.Right)
		c.Document.Links = append(c.Document.Links, knowledge.Link{From: from + "." + r.Columns[0].Left, To: to + "." + r.Columns[0].Right})
	}
	for _, q := range m.Verified {
		c.snowflakeQuery(q, datasets)
	}
	return c, nil
}

func (c *Content) snowflakeTable(t snowflakeTable, dataset string) {
	if t.Description != "" {
		c.lose("table %s: its description; put it into the dataset's definition", t.Name)
	}
	if !strings.EqualFold(t.Name, dataset) {
		c.addWords(dataset, []string{strings.ReplaceAll(t.Name, "_", " ")})
	}
	c.addWords(dataset, t.Synonyms)
	columns := func(list []snowflakeColumn, isTime bool) {
		for _, f := range list {
			if f.Description != "" {
				c.lose("%s.%s: its description; put it into the dataset's definition", t.Name, f.Name)
			}
			c.column(field{dataset, f.Name, f.Expr, f.Synonyms, isTime})
		}
	}
	columns(t.Dimensions, false)
	columns(t.Times, true)
	columns(t.Facts, false)
	columns(t.Measures, false)
	for _, f := range t.Metrics {
		m, err := metric(f.Name, f.Expr, dataset)
		if err != nil {
			c.lose("metric %s.%s: %s", t.Name, f.Name, err)
			continue
		}
		m.Dataset, m.Words = dataset, f.Synonyms
		c.Document.Measures = append(c.Document.Measures, m)
	}
	for _, f := range t.Filters {
		condition := knowledge.Condition{Name: strings.ReplaceAll(f.Name, "_", " "), Words: f.Synonyms, Dataset: dataset, Where: f.Expr}
		if _, err := condition.Cond(); err != nil {
			c.lose("filter %s.%s: it %s", t.Name, f.Name, err)
			continue
		}
		c.Document.Conditions = append(c.Document.Conditions, condition)
	}
}

// snowflakeQuery takes a verified query over, whose tables may be named with two
// underscores before them.
func (c *Content) snowflakeQuery(q snowflakeQuery, datasets map[string]string) {
	parsed, err := tree.Parse(strings.TrimSuffix(strings.TrimSpace(q.SQL), ";"))
	if err != nil {
		c.lose("verified query %s: it is not of our query language: %s", q.Name, err)
		return
	}
	tree.EachQuery(parsed, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for i := range q.Select.From {
			from := &q.Select.From[i]
			name := strings.TrimPrefix(from.Dataset.Dataset, "__")
			if dataset := datasets[strings.ToLower(name)]; dataset != "" {
				from.Alias = cmp.Or(from.Alias, from.Dataset.Dataset)
				from.Dataset = tree.Name{Dataset: dataset}
			}
		}
	})
	text, err := tree.Print(parsed)
	if err != nil {
		c.lose("verified query %s: %s", q.Name, err)
		return
	}
	c.Document.Verified = append(c.Document.Verified, knowledge.Verified{Name: q.Name, Questions: []string{q.Question}, Query: text})
}
