package structure

import (
	"regexp"
	"strings"
)

// namedValue is a value in a message that its name stands before.
var namedValue = regexp.MustCompile(`(?:^|\s)(?P<name>[A-Za-z_][\w.-]*)=(?P<value>"[^"]*"|\S*)`)

// hasPairs reports whether most messages have named values.
func hasPairs(messages []value) bool {
	n := 0
	for _, v := range messages {
		if namedValue.MatchString(v.text) {
			n++
		}
	}
	return n > 0 && n*2 > len(messages)
}

// takePairs takes the named values out of a message; its text is what stands before
// them. The names of other columns are taken.
func (p *pattern) takePairs(message value) []value {
	const sure = 0.9
	taken := map[string]int{}
	for _, c := range p.columns {
		unique(taken, c.name)
	}
	var all []value
	name, text := namedValue.SubexpIndex("name"), namedValue.SubexpIndex("value")
	found := namedValue.FindAllStringSubmatchIndex(message.text, -1)
	for _, m := range found {
		said := message.text[m[2*text]:m[2*text+1]]
		at := span{message.at.start + m[2*text], message.at.start + m[2*text+1]}
		if unquoted := strings.Trim(said, `"`); len(unquoted) < len(said) {
			said, at = unquoted, span{at.start + 1, at.end - 1}
		}
		if isNothing(said) {
			continue
		}
		all = append(all, value{name: unique(taken, message.text[m[2*name]:m[2*name+1]]), text: said, at: at, shape: shapeOf(said),
			slot: slot{message.slot.anchor, 1 + len(all)}, by: "label", sure: sure})
	}
	if len(found) > 0 {
		before := strings.TrimRight(message.text[:found[0][0]], " \t")
		message.at.end = message.at.start + len(before)
		message.text = before
	}
	if message.text != "" {
		all = append(all, message)
	}
	return all
}

// isNothing reports whether a text is how programs write that there is no value.
func isNothing(text string) bool { return text == "" || text == "-" }
