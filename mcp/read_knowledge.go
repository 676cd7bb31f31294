package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"quern"
	"quern/knowledge"
)

type taught struct {
	Version int64 `json:"version"`
	// Knowledge is the document as GET …/knowledge gives it, without what is cut.
	Knowledge json.RawMessage `json:"knowledge" jsonschema:"words, measures, conditions and verified questions that people of the namespace vouch for"`
	Truncated bool            `json:"truncated"`
	Note      string          `json:"note,omitempty"`
}

var readKnowledge = define(tool{
	name: "read_knowledge", title: "Read what was taught", gives: "What was taught", seeks: "namespace",
	about: "Reads what the people of a namespace have taught about it: what words mean, how measures are computed, which conditions have names, " +
		"and questions whose queries somebody vouches for. Read it before you write a query of your own.",
	input: object(required("namespace", namespaceText())),
}, func(ctx context.Context, c call, in struct{ Namespace string }) (taught, error) {
	at, err := namespaceAt(in.Namespace)
	if err != nil {
		return taught{}, err
	}
	return c.taught(ctx, c.principal, at)
})

// taught reads what is taught about a namespace, as far as a conversation has room for
// it: what measures and never teaches first goes, then the verified questions.
func (s *Service) taught(ctx context.Context, p quern.Principal, at quern.NamespacePath) (taught, error) {
	now, err := s.Knowledge.Read(ctx, p, at)
	if err != nil {
		return taught{}, err
	}
	doc := now.Document
	doc.Tests = nil
	told := taught{Version: now.Version}
	all := len(doc.Verified)
	for sizeOf(doc) > mostBytes && len(doc.Verified) > 0 {
		doc.Verified = doc.Verified[:len(doc.Verified)/2]
	}
	if sizeOf(doc) > mostBytes {
		doc, told.Truncated = knowledge.Document{}, true
		told.Note = "There is more than fits into an answer: read it with quern knowledge, or over the REST interface."
	}
	if len(doc.Verified) < all && !told.Truncated {
		told.Truncated = true
		told.Note = fmt.Sprintf("%d of %d verified questions are shown.", len(doc.Verified), all)
	}
	told.Knowledge, err = json.Marshal(doc)
	return told, err
}
