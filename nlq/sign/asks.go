package sign

import (
	"regexp"
	"strings"

	"quern/english"
)

// asks is what the words of a question call for, whatever the data.
type asks struct {
	count, countShown, average, total, least, superlative bool
	negation, both, and, more, less                       bool
	sorted, down, up, each                                bool
	key, name, rows                                       bool
	wanted                                                int // things to show
}

func words(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + pattern + `)\b`) }

var (
	countWords       = words(`how many|number of|count|total number|amount of`)
	averageWords     = words(`averages?|mean|avg`)
	totalWords       = words(`total|sum|altogether|combined|overall`)
	leastWords       = english.Lowest.Finder()
	superlativeWords = words(`\w{3,}est|` + english.Superlatives.Pattern())
	negationWords    = english.Negations.Finder()
	bothWords        = words(`both|as well as|also`)
	andWords         = words(`and`)
	moreWords        = english.More.Finder()
	lessWords        = english.Less.Finder()
	sortedWords      = words(`sort\w*|order(ed)? by|in .{0,20}order|order of|order .{0,40} by|rank\w*|alphabetical\w*|ascending|descending`)
	downWords        = words(`descending|decreasing|reverse|highest to lowest|largest to smallest|most to least|desc`)
	upWords          = words(`ascending|increasing|alphabetic\w*|lowest to highest|smallest to largest|asc`)
	eachWords        = words(`each|every|per|by|respective|corresponding|along with`)
	keyWords         = words(`ids?|identifiers?|identifications?|codes?|keys?|numbers?`)
	nameWords        = words(`names?|titles?|called|who`)
	rowsWords        = words(`all (the )?(information|info|details|data|fields|columns)|everything|records?|rows?|details`)
)

// readAsks reads what a question calls for.
func readAsks(text string) asks {
	has := func(w *regexp.Regexp) bool { return w.MatchString(text) }
	return asks{
		count: has(countWords), countShown: has(countFirst) || has(countToo),
		average: has(averageWords), total: has(totalWords), least: has(leastWords), superlative: has(superlativeWords),
		negation: has(negationWords), both: has(bothWords), and: has(andWords), more: has(moreWords), less: has(lessWords),
		sorted: has(sortedWords), down: has(downWords), up: has(upWords), each: has(eachWords),
		key: has(keyWords), name: has(nameWords), rows: has(rowsWords),
		wanted: wanted(text),
	}
}

var (
	countFirst = regexp.MustCompile(`(?i)^\W*(?:(?:for|in|of|on) [^,]{3,60}, ?)?` +
		`(?:(?:please )?(?:show|tell|give|find|return|report|list|compute|calculate)(?: me)? )?` +
		`(?:what (?:is|are|was|were) )?(?:the )?(?:total )?(?:how many|number of|count)\b`)
	countToo = regexp.MustCompile(`(?i)(?:and|with|,|as well as) (?:also )?(?:the )?(?:(?:their|its) )?` +
		`(?:total )?(?:corresponding )?(?:how many|number|count|amount)\b`)
	wantedEnd  = words(`of|for|that|who|whose|where|with|in|from|sorted|ordered|order|when|by|on|having|have|has|at|to`)
	wantedNext = regexp.MustCompile(`(?i) and |,(?: and)? | as well as | along with `)
)

// wanted is how many things a question asks for: those that it lists before it
// says of what, and a count that it adds.
func wanted(text string) int {
	const asking = 2 // words
	if fields := strings.Fields(text); len(fields) > asking {
		text = strings.Join(fields[asking:], " ")
	}
	n := 1
	if countToo.MatchString(text) {
		n++
	}
	if end := wantedEnd.FindStringIndex(text); end != nil {
		text = text[:end[0]]
	}
	return n + len(wantedNext.FindAllString(text, -1))
}
