package quern

// Word is a word of content in a text that was read, and what it was taken for.
// Start and End are its place in the text, in characters.
type Word struct {
	Start int       `json:"start"`
	End   int       `json:"end"`
	Text  string    `json:"text"`
	State WordState `json:"state"`
	// Means says what the word was taken for; empty when for nothing.
	Means string `json:"means,omitempty"`
	// Instead is what else it could mean, with the question that asks for it.
	Instead []Meaning `json:"instead,omitempty"`
}

// WordState is how well a word of content is accounted for.
type WordState string

// The states.
const (
	WordMatched WordState = "matched" // the data or the query's own words have it
	WordGuessed WordState = "guessed" // the reading took it for something that it does not name
	WordUnknown WordState = "unknown" // nothing answers to it
)

// Meaning is one thing that a word could mean.
type Meaning struct {
	Means    string `json:"means"`
	Question string `json:"question"`
}
