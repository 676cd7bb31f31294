// Package api is the contract: openapi.yaml, the server interface and the
// models generated from it, and what the rest of the program may ask of it.
//
// It owns the wire shape of the REST interface. It never answers a request and
// knows no rules beyond those written in the contract. The failure it is built
// around is drift between what is promised and what is done: handlers implement
// a generated interface, so an operation without one does not compile, and the
// same parsed contract checks requests, tests and the reference page.
package api

//go:generate go tool -modfile=../tools/go.mod oapi-codegen -config codegen.yaml openapi.yaml
//go:generate sed -i -e "s/json[.]NewEncoder(/newEncoder(/" -e "${DOLLAR}s/.*/&\\n\\nvar _ json.Marshaler/" api.gen.go
