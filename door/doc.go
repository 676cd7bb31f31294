// Package door holds what every edge that is reached over HTTP does alike: who
// asks (Bearer, Browsers, Admit), what they sent (MediaType, ReadBody, ParseJSON), what
// they are told (WriteError, Body, WriteJSON, WriteMessage, Stream, KeepOpen, ServeUnmatched), and what the
// server is told about a request (SetOperation, SetUser, SetError).
//
// It knows no operation, no route and no store; an edge decides what a request
// means. The failure it is built around is two edges that answer the same
// mistake differently: a token that one parser takes and another refuses, or a
// cause that one of them sends.
package door
