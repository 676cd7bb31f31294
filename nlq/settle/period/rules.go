// Package period has the rules of package settle about times: which time is meant and how much of it, ends of orders that are times, and
// what is reckoned from one time to another.
package period

import "quern/nlq/ground"

// Rules are the rules for one text.
type Rules struct{ *ground.Grounding }

// Of returns the rules for a text.
func Of(g *ground.Grounding) Rules { return Rules{g} }
