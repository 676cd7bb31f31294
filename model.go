package quern

// ModelState says whether a model can be used now.
type ModelState string

// The states. One that is away is answered for by the embedded model.
const (
	ModelReady ModelState = "ready"
	ModelAway  ModelState = "away"
)

// Model is one that a question may name.
type Model struct {
	Name     string
	Provider string
	State    ModelState
	Default  bool // the one used where a question names none
}
