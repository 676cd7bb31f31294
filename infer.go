package quern

// The types of steps that structure rows on their way in.
const (
	StepTable         = "table"         // rows out of text
	StepRows          = "rows"          // rows out of a column that holds JSON, or a table as text
	StepNormalise     = "normalise"     // the wanted names of columns
	StepValidate      = "validate"      // whether a row is valid
	StepReverseGeo    = "reverseGeo"    // the places of coordinates
	StepNamedEntities = "namedEntities" // names, dates, amounts in texts
)

// InferStep is one step that structures rows on their way in. Members that its
// type does not have are zero.
type InferStep struct {
	Type         string `json:"type"`
	DeriveFrom   string `json:"deriveFrom,omitempty"`
	Instructions string `json:"additionalInstructions,omitempty"`
	// Replace says that the column is left out of the rows that were made of it.
	Replace         bool              `json:"replaceOriginalColumn,omitempty"`
	Mode            string            `json:"mode,omitempty"`
	TargetCols      map[string]string `json:"targetCols,omitempty"` // wanted columns and what they mean; may mean nothing
	DataDescription string            `json:"dataDescription,omitempty"`
	Columns         []string          `json:"columns,omitempty"`
	Model           string            `json:"model,omitempty"`
	Provider        string            `json:"provider,omitempty"`
}

// ValidColumn is the internal column in which the step validate tells whether a row
// is valid, and ProvenancePrefix begins the names of those that tell where a derived
// value came from.
const (
	ValidColumn      = InternalPrefix + "valid"
	ProvenancePrefix = InternalPrefix + "metadata_"
)

// StepReport tells what one step did.
type StepReport struct {
	Type string `json:"type"`
	In   int64  `json:"in"`  // rows that it was given
	Out  int64  `json:"out"` // rows that it gave on
	// Unread counts what it could not read; that is kept as text.
	Unread int64    `json:"unread,omitempty"`
	Notes  []string `json:"notes,omitempty"`
	Model  string   `json:"model,omitempty"` // the one that was asked; empty: none
}
