package propose

import (
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/knowledge"
	"quern/place"
)

// Knowledge proposes what may be taught about a dataset: the column that times are
// of, the one that names a row, what a row is worth, what is never summed up, and
// names for codes that everybody knows.
func Knowledge(d Dataset) knowledge.Document {
	var made knowledge.Document
	if columns := d.usual(); columns.Time != "" || columns.Label != "" {
		made.Datasets = append(made.Datasets, columns)
	}
	made.Measures = append(d.takings(), d.unsummed()...)
	for _, c := range d.Columns {
		made.Words = append(made.Words, slices.Concat(d.countries(c), d.letters(c))...)
	}
	return made
}

// usual proposes the columns that times are of and that name rows, where one alone
// can be.
func (d Dataset) usual() knowledge.Dataset {
	made := knowledge.Dataset{Dataset: d.Name}
	made.Time = d.only(func(c *Column) bool { return c.Type.Temporal() })
	made.Label = d.only(func(c *Column) bool { return c.Type == quern.Text && c.endsIn(english.Labels) })
	return made
}

// only returns the name of the one column of which something is so; empty where
// there are none or several.
func (d Dataset) only(is func(*Column) bool) string {
	name := ""
	for i := range d.Columns {
		if !is(&d.Columns[i]) {
			continue
		}
		if name != "" {
			return ""
		}
		name = d.Columns[i].Name
	}
	return name
}

// takings proposes what was taken in, where a row says how many and for how much
// each, and no column has the product.
func (d Dataset) takings() []knowledge.Measure {
	const name = "revenue"
	quantity := d.only(func(c *Column) bool { return c.isNumber() && c.endsIn(english.Quantities) })
	price := d.only(func(c *Column) bool { return c.isNumber() && c.endsIn(english.UnitPrices) && c.endsIn(english.Money) })
	for i := range d.Columns {
		c := &d.Columns[i]
		isProduct := c.isNumber() && c.endsIn(english.Money) && c.Name != price
		if isProduct || strings.EqualFold(c.Name, name) {
			return nil
		}
	}
	if quantity == "" || price == "" {
		return d.takenEachWay(name)
	}
	unit := ""
	for i := range d.Columns {
		if d.Columns[i].Name == price {
			_, unit = d.Columns[i].noun()
		}
	}
	return []knowledge.Measure{{Name: name, Words: []string{"turnover", "takings"}, Dataset: d.Name,
		Expression: Quoted(quantity) + " * " + Quoted(price), Aggregate: "sum", Unit: unit}}
}

// takenEachWay proposes what was taken in as the sum of what was taken in each way that one pays, where
// every way has a column.
func (d Dataset) takenEachWay(name string) []knowledge.Measure {
	const fewest, payment = 2, "payment"
	var all []string
	unit, rows := "", d.Rows
	for i := range d.Columns {
		rows = max(rows, d.Columns[i].Filled)
	}
	for i := range d.Columns {
		c := &d.Columns[i]
		words := english.NameWords(c.Name)
		if len(words) != 1 || !c.Type.Numeric() || english.PartOf(words[0]) != payment {
			continue
		}
		taken := Quoted(c.Name)
		if c.Filled < rows {
			taken = "coalesce(" + taken + ", 0)"
		}
		all = append(all, taken)
		_, unit = c.noun()
	}
	if len(all) < fewest {
		return nil
	}
	return []knowledge.Measure{{Name: name, Words: []string{"turnover", "takings"}, Dataset: d.Name, Expression: strings.Join(all, " + "), Aggregate: "sum", Unit: unit}}
}

// unsummed proposes what is never summed up: prices of one, rates, percentages.
func (d Dataset) unsummed() []knowledge.Measure {
	var all []knowledge.Measure
	for i := range d.Columns {
		c := &d.Columns[i]
		if !c.isNumber() || !c.endsIn(english.UnitPrices) && !c.endsIn(english.Unsummed) {
			continue
		}
		_, unit := c.noun()
		all = append(all, knowledge.Measure{Name: c.Name, Dataset: d.Name, Expression: Quoted(c.Name), Aggregate: "avg", Never: []string{"sum"}, Unit: unit})
	}
	return all
}

// countries proposes the names of countries for codes of them.
func (d Dataset) countries(c Column) []knowledge.Word {
	const codeLength, fewest = 2, 2
	if c.Type != quern.Text || len(c.Values) < fewest || !c.saysCountry() {
		return nil
	}
	var all []knowledge.Word
	for _, code := range c.Values {
		found, ok := place.Find(code)
		if len(code) != codeLength || !ok || found.Kind != place.Country || !strings.EqualFold(found.Code, code) {
			return nil // these are other codes
		}
		all = append(all, knowledge.Word{Word: found.Name, Means: d.Name + "." + c.Name, Value: &code})
	}
	return all
}

// letters proposes the words for letters that everybody knows: home and away for H and A.
func (d Dataset) letters(c Column) []knowledge.Word {
	if c.Type != quern.Text || !c.All {
		return nil
	}
	var all []knowledge.Word
	for _, code := range english.Letters(c.Values) {
		all = append(all, knowledge.Word{Word: code.Meaning, Means: d.Name + "." + c.Name, Value: &code.Value})
	}
	return all
}

// saysCountry reports whether the column's name says that its values are of
// countries.
func (c *Column) saysCountry() bool {
	for _, w := range c.words() {
		switch w {
		case "country", "countries", "nation", "nationality", "land":
			return true
		}
	}
	return false
}

// Quoted writes a name as expressions and queries do.
func Quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
