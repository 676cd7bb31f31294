// Package rest is the edge that speaks the contract: it implements the
// interface generated from it, one file for each tag.
//
// It owns the order of checks for one request, and the translation of requests
// into calls and of errors into answers:
//
//	address, method ▶ token ▶ body parses ▶ body valid ▶ parameters ▶ handler
//
// It never decides who may see what, and never touches a store. The failure it
// is built around is a request that means one thing to the check and another to
// the handler: what a handler decodes is what the contract's schema accepted,
// with everything unknown to the schema taken out.
package rest
