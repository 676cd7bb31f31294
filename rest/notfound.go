package rest

import (
	"net/http"

	"quern"
	"quern/api"
	"quern/door"
)

// sought says what the operations look for whose path does not say it.
var sought = map[string]string{
	"query": "namespace or dataset", "ask": "namespace or conversation", "autorag": "namespace or conversation",
	"listConversations": "namespace", "addLink": "dataset", "curateLinks": "namespace",
	"finishUpload": "dataset or upload", "abortUpload": "dataset or upload",
	"revokeToken": "token", "tokenPermissions": "token", "endSession": "session", "columnHistogram": "dataset or column",
	"adminRevokeToken": "token", "adminCancelWork": "run or ingestion",
	"createNamespace": "namespace", "createDataset": "namespace", "listNamespaceDatasets": "namespace",
}

// soughtBy says what an operation looks for by the parameters of its path, the
// most particular first.
var soughtBy = []struct{ parameter, what string }{
	{"datasetName", "dataset"}, {"namespace", "namespace"}, {"fileId", "upload"}, {"sessionId", "upload session"},
	{"runId", "run"}, {"shareId", "shared answer"}, {"conversationId", "conversation"}, {"ingestionId", "ingestion"}, {"username", "user"},
}

// soughtOf returns what an operation looks for: a noun that is the same for all
// requests to it, so that it tells nobody anything.
func soughtOf(op *api.Operation) string {
	if op == nil {
		return "resource"
	}
	if what, known := sought[op.ID]; known {
		return what
	}
	for _, by := range soughtBy {
		for _, p := range op.Params {
			if p.Name == by.parameter && p.In == "path" {
				return by.what
			}
		}
	}
	return "resource"
}

// writeError answers with an error; one of something that is not there says what
// the operation looked for.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	if quern.Is(err, quern.NotFound) {
		err = door.NotFound(soughtOf(operationOf(r.Context())), err)
	}
	door.WriteError(w, r, err)
}
