// Package label has the rules of package settle about what rows and columns are called: which columns show a row, and which values a
// name stands for.
package label

import "quern/nlq/ground"

// Rules are the rules for one text.
type Rules struct{ *ground.Grounding }

// Of returns the rules for a text.
func Of(g *ground.Grounding) Rules { return Rules{g} }
