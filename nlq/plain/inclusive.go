package plain

import (
	"regexp"

	"quern/english"
)

var (
	// inclusive says, behind a question, that some rows count as well, which all do: cancelled or not,
	// called-off ones counted too, no matter how it ended.
	inclusive = regexp.MustCompile(`(?i)\s*[,;(–]\s*(?P<which>(?:no matter|regardless of) (?:how|what|whether|who|when|if|which|where)\b[^,.?!;)]*` +
		`|whether\b[^,.?!;)]*|[\w-]+(?: ones?)? or not|not even [^,.?!;)]*` +
		`|(?:[\w'-]+ ){0,4}[\w'-]+ (?:included|counted too|counted as well|count too|count as well|and all)` +
		`|(?:counting|including|even) (?:the |all the )?(?:[\w-]+ )?ones\b[^?!.;)]*)\)?(?P<end>\s*[?.!]*)$`)
	// emptyGroups says that groups without rows count as well, which is no matter of rows.
	emptyGroups = regexp.MustCompile(`(?i)\b(?:zero|zeros|zeroes|0|none|nothing|never|without|empty|vat|tax|tips?|postage|delivery|fees?)\b`)
)

// withoutInclusions returns a text without what says of some rows that they count as well.
func withoutInclusions(text string) string {
	m, ok := english.Groups(inclusive, text)
	if !ok || emptyGroups.MatchString(m.Text("which")) {
		return text
	}
	start, _ := m.Span("")
	return text[:start] + m.Text("end")
}
