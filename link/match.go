package link

import (
	"cmp"
	"math"
	"slices"

	"quern"
	"quern/store"
)

const (
	// leastUnique is the uniqueness from which a column is a key that others
	// can refer to.
	leastUnique = 0.98
	// leastNearKey is how many distinct values a column has at least that is a
	// key but for one value.
	leastNearKey = 3
	// leastContained is the share of an origin's values that its destination
	// must have.
	leastContained = 0.8
	// leastEvidence is how many hashes must have been comparable for sketches
	// to decide.
	leastEvidence = 24
	// mostCandidates bounds what is compared more closely for one dataset.
	mostCandidates = 5_000
	// mostChance is the chance up to which numbers that were all found were not
	// found by accident.
	mostChance = 1e-4
	// leastLikeness is the likeness of names that speaks for a link.
	leastLikeness = 0.5
	// leastScore is the score from which something is a link.
	leastScore = 0.6
)

// table is a dataset with its sketches.
type table struct {
	id      quern.DatasetID
	path    quern.DatasetPath
	name    name
	columns []column
}

// column is a sketch and what its name says.
type column struct {
	sketch
	name       name
	identifies bool // it is what identifies its table's rows
}

// candidate is a link that may be.
type candidate struct {
	from, to    *table
	origin, key *column
	likeness    float64
	contained   float64 // share of the origin's values that the key has
	evidence    int     // hashes that were compared
	sampled     bool    // the sketches do not decide
	role        bool    // only what the origin's name stands for speaks for it
	score       float64
}

// newTable returns a dataset with those of its sketches that options allow.
func newTable(d store.Sketched, path quern.DatasetPath, sketches []sketch) *table {
	t := &table{id: d.ID, path: path, name: nameOf(path.Dataset)}
	var o quern.MatchOptions
	if d.Options != nil {
		o = d.Options.Exact
	}
	for _, s := range sketches {
		if !s.allowed(o, d.Rows) {
			continue
		}
		c := column{sketch: s, name: nameOf(s.Name)}
		c.identifies = (s.empty() || s.isKey()) && identifies(c.name, t.name)
		t.columns = append(t.columns, c)
	}
	return t
}

// candidates returns what may be links between two tables, in both directions;
// within one when they are the same.
func candidates(a, b *table) []candidate {
	all := directed(a, b)
	if a != b {
		all = append(all, directed(b, a)...)
	}
	return all
}

func directed(from, to *table) []candidate {
	var all []candidate
	for k := range to.columns {
		key := &to.columns[k]
		mayBeKey := key.empty() || key.isKey() || key.isNearKey()
		if key.Unread || !mayBeKey {
			continue
		}
		for o := range from.columns {
			origin := &from.columns[o]
			if !mayRefer(from, to, origin, key) {
				continue
			}
			c := candidate{from: from, to: to, origin: origin, key: key,
				likeness: likeness(origin.name, to.name, key.name, key.Position == 0)}
			if c.likeness < leastLikeness && from != to && isRole(origin, key, to) {
				c.likeness, c.role = roleLikeness, true
			}
			if !key.empty() && !key.isKey() && c.likeness < leastLikeness {
				continue // one value is doubled, and the names do not speak for it either
			}
			if c.plausible() {
				all = append(all, c)
			}
		}
	}
	return all
}

// mayRefer reports whether values of an origin may refer to those of a key at
// all, going by the columns' types and names.
func mayRefer(from, to *table, origin, key *column) bool {
	sameName := origin.name.key == key.name.key
	switch {
	case origin.Unread || origin.Class != key.Class:
		return false
	case origin.Class == numbers && origin.Wholes != key.Wholes:
		return false
	case from == to && sameName:
		return false
	case origin.Class == texts && (origin.name.isRemark() || key.name.isRemark()):
		return false // two remarks that are the same refer to nothing
	}
	// What identifies a row refers to no other.
	return sameName || !origin.identifies
}

// plausible compares names and sketches, and reports whether there may be a
// link.
func (c *candidate) plausible() bool {
	if c.origin.empty() || c.key.empty() {
		// Without values only names that leave no doubt speak.
		c.contained, c.evidence = 1, 0
		return c.likeness >= 0.95 && c.isHome()
	}
	if c.origin.Class == numbers && c.likeness < leastLikeness && c.chance() > mostChance {
		return false
	}
	fewOrOwn := c.origin.Distinct < 3 || c.from == c.to
	if c.origin.Class == texts && c.likeness < leastLikeness && fewOrOwn {
		return false
	}
	c.compare()
	if c.evidence >= leastEvidence || c.evidence == c.origin.sampled() {
		return c.contained >= leastContained
	}
	c.sampled = true
	return c.evidence == 0 || c.contained >= leastContained/2
}

// chance bounds how likely it is that a key has all of the origin's numbers by
// accident. A key that has every number of a range has those of any origin in
// it; one that can have only some numbers of the origin's range would miss some.
func (c *candidate) chance() float64 {
	if !c.origin.Wholes || c.origin.Span == 0 {
		return 1
	}
	room := c.origin.Span
	if c.isApart() {
		room = c.key.Least + c.key.Span
	}
	return math.Pow(math.Min(1, float64(c.key.Distinct)/room), float64(c.origin.Distinct))
}

// isHome reports whether the key's own dataset is named after what it
// identifies.
func (c *candidate) isHome() bool {
	return overlap(c.to.name.words, slices.Concat(c.key.name.words, c.origin.name.words)) > 0.5
}

// compare estimates from the sketches how much of the origin the key contains.
func (c *candidate) compare() {
	key, found := c.key.Hashes, 0
	c.evidence = 0
	for origin := c.origin.Hashes; len(origin) > 0; origin = origin[hashBytes:] {
		h := firstHash(origin)
		if !c.key.Whole && h >= c.key.Limit {
			break
		}
		c.evidence++
		for len(key) > 0 && firstHash(key) < h {
			key = key[hashBytes:]
		}
		if len(key) > 0 && firstHash(key) == h {
			found++
		}
	}
	if c.evidence > 0 {
		c.contained = float64(found) / float64(c.evidence)
	}
}

// likeliest keeps the candidates whose names speak most for them.
func likeliest(all []candidate) []candidate {
	if len(all) <= mostCandidates {
		return all
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.likeness, a.likeness) })
	clear(all[mostCandidates:])
	return all[:mostCandidates]
}

// rate sets a candidate's score.
func (c *candidate) rate() {
	home := 0.0
	if c.isHome() {
		home = 1
	}
	c.score = 0.45*c.contained + 0.45*c.likeness + 0.1*home
	if c.origin.empty() || c.key.empty() {
		c.score = 0.6
	}
	if c.origin.Class == texts && c.likeness < leastLikeness {
		// Texts speak for themselves when there are many and all are found; of codes and of
		// names of people, few do.
		enough := 10.0
		if c.origin.Coded && c.key.Coded || c.origin.Named && c.key.Named {
			enough = 3
		}
		sure := math.Min(1, float64(c.origin.Distinct)/enough)
		c.score = math.Max(c.score, 0.45*c.contained+0.25*sure*c.contained)
	}
	if c.origin.Class == numbers && c.likeness < leastLikeness && c.contained == 1 {
		c.score = math.Max(c.score, 0.65) // numbers that only such a key has
	}
	least := leastContained
	if c.role {
		least = 1
	}
	if c.contained < least && !c.origin.empty() {
		c.score = 0
	}
}

// choose returns the links among rated candidates: for every origin its surest
// destinations, at most keep, and of two columns that could refer to each other
// one.
func choose(all []candidate, keep int) []candidate {
	all = dropAmbiguous(all)
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.key.Distinct, a.key.Distinct),
			cmp.Compare(a.key.Position, b.key.Position), cmp.Compare(a.to.id, b.to.id), cmp.Compare(a.from.id, b.from.id))
	})
	type column struct {
		id   quern.DatasetID
		name string
	}
	taken, towards := map[column]int{}, map[[2]column]bool{}
	var links []candidate
	for _, c := range all {
		from, to := column{c.from.id, c.origin.Name}, column{c.to.id, c.key.Name}
		if c.score < leastScore || taken[from] == keep || towards[[2]column{to, from}] {
			continue
		}
		taken[from]++
		towards[[2]column{from, to}] = true
		links = append(links, c)
	}
	return links
}

// link is the candidate as it is kept.
func (c *candidate) link() quern.Link {
	l := quern.Link{
		Origin:      quern.ColumnPath{DatasetPath: c.from.path, Column: c.origin.Name},
		Destination: quern.ColumnPath{DatasetPath: c.to.path, Column: c.key.Name},
		Match:       quern.ExactMatch, Score: math.Min(1, c.score),
	}
	l.Hits, l.Cardinality = c.counts()
	return l
}

// counts returns how many values of the origin the key has, and how many rows of
// each end belong together.
func (c *candidate) counts() (hits int64, _ quern.Cardinality) {
	if c.origin.empty() || c.key.empty() {
		return 0, quern.UnknownCardinality
	}
	return int64(math.Round(c.contained * float64(c.origin.Distinct))), cardinality(c.origin.isKey(), c.key.isKey())
}

// cardinality tells how many rows belong together when values identify rows of
// the origin, and of the destination, or not.
func cardinality(origin, destination bool) quern.Cardinality {
	switch {
	case origin && destination:
		return quern.OneToOne
	case origin:
		return quern.OneToMany
	case destination:
		return quern.ManyToOne
	}
	return quern.ManyToMany
}
