package file

import (
	"cmp"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"quern/knowledge"
)

type linguistic struct {
	Version       string                      `yaml:"Version"`
	Language      string                      `yaml:"Language"`
	Entities      map[string]linguisticEntity `yaml:"Entities"`
	Relationships map[string]yaml.Node        `yaml:"Relationships"`
}

type linguisticEntity struct {
	Binding    linguisticBinding `yaml:"Binding"`
	Definition struct {
		Binding linguisticBinding `yaml:"Binding"`
	} `yaml:"Definition"`
	State string      `yaml:"State"`
	Terms []yaml.Node `yaml:"Terms"`
}

type linguisticBinding struct {
	Entity   string `yaml:"ConceptualEntity"`
	Property string `yaml:"ConceptualProperty"`
}

// readLinguistic reads a linguistic schema of Power BI: its terms are words.
func readLinguistic(node *yaml.Node) (Content, error) {
	var l linguistic
	if err := node.Decode(&l); err != nil {
		return Content{}, err
	}
	var c Content
	for _, name := range slices.Sorted(maps.Keys(l.Entities)) {
		e := l.Entities[name]
		binding := linguisticBinding{cmp.Or(e.Binding.Entity, e.Definition.Binding.Entity), cmp.Or(e.Binding.Property, e.Definition.Binding.Property)}
		if e.State == "Deleted" {
			continue
		}
		if binding.Entity == "" {
			c.lose("entity %s: it is bound to no table", name)
			continue
		}
		means := binding.Entity
		if binding.Property != "" {
			means += "." + binding.Property
		}
		for _, t := range e.Terms {
			c.term(name, means, &t)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.Relationships)) {
		c.lose("relationship %s: its phrasings", name)
	}
	return c, nil
}

// term takes a term over: a text, or a text with what is known of it.
func (c *Content) term(entity, means string, node *yaml.Node) {
	word := node.Value
	if node.Kind == yaml.MappingNode && len(node.Content) == 2 {
		word = node.Content[0].Value
		if state := member(node.Content[1], "State"); state != nil && (state.Value == "Deleted" || state.Value == "Suggested") {
			c.lose("entity %s: the term %q, which is %s", entity, word, state.Value)
			return
		}
	}
	if word == "" {
		c.lose("entity %s: a term that cannot be read", entity)
		return
	}
	c.Document.Words = append(c.Document.Words, knowledge.Word{Word: word, Means: means})
}
