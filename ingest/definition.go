package ingest

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"quern"
)

// checkDefinition checks a member that guides how rows are structured. It has no effect on
// rows that are stored as they come, but a wrong one is a mistake all the same.
func (s *scanner) checkDefinition(name string) error {
	value, err := s.dec.ReadValue()
	if err != nil || value.Kind() == 'n' {
		return err
	}
	switch name {
	case "dataDescription", "additionalInstructions":
		var text string
		if json.Unmarshal(value, &text) != nil {
			s.bad.add("type", name, "must be a string")
		} else if utf8.RuneCountInString(text) > quern.MaxDescription {
			s.bad.add("maxLength", name, fmt.Sprintf("must have at most %d characters", quern.MaxDescription))
		}
	case "schemaDefinition":
		var fields map[string]*string
		if json.Unmarshal(value, &fields) != nil {
			s.bad.add("type", name, "must be an object of strings")
		}
		for field, description := range fields {
			if description == nil {
				s.bad.add("type", name+"."+quoteShort(field), "must be a string")
			}
		}
	case "link":
		if k := value.Kind(); k != 't' && k != 'f' {
			s.bad.add("type", name, "must be a boolean")
		}
	}
	return nil
}
