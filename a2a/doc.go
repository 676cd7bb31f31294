// Package a2a is the edge that speaks the Agent2Agent protocol, version 1.0:
// every agent of the server as one that any client of the protocol can find,
// sign in to, ask and follow.
//
// It owns the cards, two bindings (JSON-RPC and HTTP+JSON) over one table of
// methods, what clients are told of a run's events, and the notifications sent
// to addresses that clients name. It never plans, queries or answers, and it
// keeps no task of its own: a task is a run, or several in a row where the agent
// asked back, and its context is their conversation.
//
//	submitted ─► working ─┬─► completed
//	     ▲                ├─► failed       (a run that failed or expired)
//	     │                ├─► canceled
//	  message             └─► input-required ─┐
//	     └────────────────────────────────────┘
//
// The failure it is built around is the stranger's request: a task, a stream, a
// notification's address and everything that is said of them belong to the one
// who asked, and an address that a client names is never a way into the
// network that the server stands in.
package a2a
