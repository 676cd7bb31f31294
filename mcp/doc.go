// Package mcp is the edge that speaks the Model Context Protocol over streamable
// HTTP: what assistants may do with datasets, as tools, resources and prompts.
//
// It owns what assistants are shown of the verbs, how much of it, and the progress that they are
// told of. Each tool is one value in a file of its own, over the verbs that the REST
// interface uses; rights are decided there. It keeps nothing between two requests, so
// that any server answers the next one.
//
//	request ─► origin, token, body ─► method ─► tool ─► verb
//	                                               └──► what was found, bounded, inside a fence
//
// The failure it is built around is the row that speaks: what a tool returns goes
// to a model that cannot tell a value from an order. So everything that came out of data
// is fenced and said to be data, and no tool does more than its caller may.
package mcp
