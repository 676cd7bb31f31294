package ingest

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
)

// guideMembers are the members of a body that say something about its rows.
// Others are ignored.
var guideMembers = map[string]bool{
	"infer": true, "link": true, "curate": true, "dataDescription": true, "schemaDefinition": true,
	"additionalInstructions": true, "name": true, "inferBatchSize": true,
}

// maxGuide bounds the bytes that a body may say about its rows.
const maxGuide = 1 << 20

// members collects members of an object.
type members struct{ bytes.Buffer }

// object is what was collected.
func (m *members) object() []byte {
	if m.Len() == 0 {
		return []byte("{}")
	}
	return append(append([]byte{}, m.Bytes()...), '}')
}

// member keeps a member of the body that says something about the rows.
func (s *scanner) member(name string) error {
	if !guideMembers[name] {
		return s.skip()
	}
	value, err := s.dec.ReadValue()
	if err != nil {
		return err
	}
	if nestsDeeper(value, maxDepth-s.dec.StackDepth()) {
		return tooDeep()
	}
	if s.members.Len()+len(value) > maxGuide {
		return quern.E(quern.TooLarge, quern.CodeBodyTooLarge, "what the body says about its rows is larger than %d MiB", maxGuide>>20)
	}
	separator := byte(',')
	if s.members.Len() == 0 {
		separator = '{'
	}
	quoted, err := jsontext.AppendQuote([]byte{separator}, name)
	if err != nil {
		return err
	}
	s.members.Write(append(append(quoted, ':'), value...))
	return nil
}
