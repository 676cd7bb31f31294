// Package absence has the rules of package settle about what is denied, missing, over or did not take place, and columns of yes and no.
package absence

import "quern/nlq/ground"

// Rules are the rules for one text.
type Rules struct{ *ground.Grounding }

// Of returns the rules for a text.
func Of(g *ground.Grounding) Rules { return Rules{g} }
