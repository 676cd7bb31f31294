// Package server owns the HTTP plumbing around every handler: listeners, TLS,
// time and size limits, request ids, the access log, metrics, spans, security
// headers, CORS, health and readiness, and the graceful stop.
//
// It never knows what a request is about: handlers tell it through package door
// what to log and count, and failures of its own are answered as theirs are. The
// failure it is built around is a server that hurts its clients while it is being
// stopped, flooded or trickled at, so every stage has a limit and the way down
// is a fixed order:
//
//	serving ── ctx done ──▶ draining ── Drain ──▶ closing ── requests done ──▶ stopped
//	                        readyz 503            no new connections │ Grace over
//	                        still serving                            ▼
//	                                                           forced close
package server
