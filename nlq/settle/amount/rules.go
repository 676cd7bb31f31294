// Package amount has the rules of package settle about numbers: money and other measures, what is added up, averaged, multiplied or
// compared, and the units of both.
package amount

import "quern/nlq/ground"

// Rules are the rules for one text.
type Rules struct{ *ground.Grounding }

// Of returns the rules for a text.
func Of(g *ground.Grounding) Rules { return Rules{g} }
