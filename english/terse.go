package english

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// countedLast asks in the end for a number: injuries, number.
	countedLast = regexp.MustCompile(`(?i)^(?P<what>[^,:;?]+?)\s*(?P<pause>[,:;–-]?)\s*\b(?P<number>(?:the\s+|total\s+|overall\s+|in\s+|by\s+)*(?:number|count|cnt)(?:\s+of)?|number\s+of|how\s+many)\W*$`)
	// asksAnyway begins texts that ask by other words.
	asksAnyway = regexp.MustCompile(`(?i)^\W*(?:(?:and|so|ok|please)\s+)*(?:what|which|who|whom|whose|when|where|how|why|is|are|was|were|do|does|did|has|have|had|can|could|` +
		`list|show|give|tell|find|get|count|name|sort|order|display|print|add|with|by|per|average|avg|total|sum|the\s+number|number)\b`)
	// mine says whose something is; that it is one person's says nothing of the data.
	mine = regexp.MustCompile(`(?i)\bmy (?P<own>[a-z])`)
	// ofSoMany says how many there are of each of which something is asked, which all of them are.
	ofSoMany = regexp.MustCompile(`(?i)\b(?P<each>(?:each|every one|any|all) of (?:our|the|their|these|those)) (?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?P<what>[a-z]+s)\b`)
	// slang are names of amounts of money.
	slang = regexp.MustCompile(`(?i)\b(?:(?:a |an )?(?P<note>fiver|tenner)|(?P<many>\d+(?:\.\d+)?) grand)\b`)
	// leading words begin what is counted.
	leading = regexp.MustCompile(`(?i)^\s*(?:the|all|our|my|any|a|an)\s+`)
	// allTold sums up what was counted anyway.
	allTold = regexp.MustCompile(`(?i),?\s+all told\b`)
	// quarterly are ways to say of each quarter.
	quarterly = regexp.MustCompile(`(?i)\b(?:(?:for\s+)?(?:every|each|per)\s+(?:three|3)\s+months|(?:three|3)\s+months\s+at\s+a\s+time)\b`)
	// signed is a year behind a sign of comparison: joined < 2025.
	signed = regexp.MustCompile(`\s(?P<sign>[<>])\s*(?P<when>(?:19|20)\d\d(?:-\d\d){0,2})\b`)
	// showsUp says how often something is there.
	showsUp = regexp.MustCompile(`(?i)\b(?P<only>(?:only|just) )?(?:show|shows|showed|crop|crops|cropped|pop|pops|popped) up (?P<often>(?:(?:only|just|exactly|more than|at least) )?(?:once|twice|\w+ times))\b`)
	// outOfHundred asks for a percentage.
	outOfHundred = regexp.MustCompile(`(?i)\bhow\s+many\s+(?:percent\s+of|(?:in|out\s+of|per)\s+(?:a|one|every|each)\s+hundred(?:\s+of)?(?P<rows>\s+\w+s\b)?)`)
)

// inDigits returns the name of an amount of money as a number: a tenner is 10, 15 grand are 15000.
func inDigits(said string) string {
	m, _ := Groups(slang, said)
	switch strings.ToLower(m.Text("note")) {
	case "fiver":
		return "5"
	case "tenner":
		return "10"
	}
	many, err := strconv.ParseFloat(m.Text("many"), 64)
	if err != nil {
		return said
	}
	return strconv.FormatFloat(many*1000, 'f', -1, 64)
}

// Spoken returns a text in which what people say in few or in roundabout words is said in
// those that ask for it: a number at the end (injuries, number), every three months, how many in a hundred, what shows up once.
func Spoken(text string) string {
	text = mine.ReplaceAllString(allTold.ReplaceAllString(text, ""), "our $own")
	text = ofSoMany.ReplaceAllString(text, "$each $what")
	text = slang.ReplaceAllStringFunc(text, inDigits)
	text = showsUp.ReplaceAllString(text, "appear ${only}${often}")
	text = quarterly.ReplaceAllString(text, "per quarter")
	text = outOfHundred.ReplaceAllStringFunc(text, func(said string) string {
		m, _ := Groups(outOfHundred, said)
		if rows := m.Text("rows"); rows != "" || strings.HasSuffix(strings.ToLower(said), "of") {
			return "what percentage of" + rows
		}
		return "what percentage"
	})
	text = signed.ReplaceAllStringFunc(text, func(said string) string {
		m, _ := Groups(signed, said)
		return map[string]string{"<": " before ", ">": " after "}[m.Text("sign")] + m.Text("when")
	})
	m, ok := Groups(countedLast, text)
	if !ok || asksAnyway.MatchString(text) {
		return text
	}
	what := m.Text("what")
	last := what[strings.LastIndexAny(what, " \t")+1:]
	isOwn := m.Text("pause") == "" && strings.EqualFold(m.Text("number"), "number") && Singular(strings.ToLower(last)) == strings.ToLower(last)
	if isOwn {
		return text // the order number
	}
	return "How many " + leading.ReplaceAllString(what, "") + "?"
}
