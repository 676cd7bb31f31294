package plain

import (
	"regexp"
	"strings"

	"quern/english"
)

// sharesFormat is how one says, behind a question for a share, how the number is to be
// written as it is written anyway: from 0 to 100, with two decimals.
var sharesFormat = regexp.MustCompile(`(?i)[\s,.;:?!(–-]*\b(?:(?:please )?(?:give|show|as|in)?(?: me)? ?(?:a |the )?(?:number|value|figure|result|percent(?:age)?)? ?` +
	`(?:(?:from|between) )?\(?0 ?(?:to|-|–|and) ?100|` +
	`(?:and )?(?:please )?(?:(?:give|show)(?: me)? )?(?:a |the )?(?:number |value |figure |result )?rounded to (?:2|two) (?:decimals?|decimal places|digits)|` +
	`(?:with|to) (?:2|two) (?:decimals?|decimal places)|(?:2|two) (?:decimals?|decimal places)|` +
	`in (?:percent|per cent|%))[\s.,;:?!)]*$`)

// asksForShare finds the word by which one asks for a share.
var asksForShare = english.Shares.Finder()

// plainShare returns a text that asks for a share without what it says of how the number
// is to be written.
func plainShare(text string) string {
	asks := asksForShare.FindStringIndex(text)
	for asks != nil {
		at := sharesFormat.FindStringIndex(text)
		if at == nil || at[0] <= asks[1] {
			break
		}
		text = strings.TrimSpace(text[:at[0]])
	}
	return text
}
