package english

import "strings"

// letters are the words that letters stand for, by what the column is of (initials.txt).
var letters = func() map[string]map[string][]string {
	all := map[string]map[string][]string{}
	for _, e := range read("initials.txt") {
		if all[e.section] == nil {
			all[e.section] = map[string][]string{}
		}
		all[e.section][e.word] = spaces(e.fields)
	}
	return all
}()

// Letters returns the words that the values of a column stand for where they are letters that
// everybody knows, H and A for home and away; nil where they are not, or may be letters of two kinds.
func Letters(values []string) []Code {
	const fewest = 2
	if len(values) < fewest {
		return nil
	}
	var found []Code
	for _, list := range letters {
		codes := lettersOf(values, list)
		switch {
		case codes == nil:
		case found != nil:
			return nil
		default:
			found = codes
		}
	}
	return found
}

// lettersOf returns what values stand for by a list that has all of them; otherwise nil.
func lettersOf(values []string, list map[string][]string) (codes []Code) {
	for _, v := range values {
		words, ok := list[strings.ToLower(v)]
		if !ok {
			return nil
		}
		for _, w := range words {
			codes = append(codes, Code{Value: v, Meaning: w})
		}
	}
	return codes
}
