// Package tally has the rules of package settle about what is counted, and by what it is grouped and ordered.
package tally

import "quern/nlq/ground"

// Rules are the rules for one text.
type Rules struct{ *ground.Grounding }

// Of returns the rules for a text.
func Of(g *ground.Grounding) Rules { return Rules{g} }
