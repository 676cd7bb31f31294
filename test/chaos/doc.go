// Package chaos keeps a load on servers that are being killed, and a model of what they
// acknowledged.
//
// A Fleet is real server processes behind a proxy without sticky connections. A Load is
// clients that append rows, upload files, ask and follow questions, rate answers, share
// and revoke; each acknowledgement goes into the Model, and what got no answer goes there
// as what may or may not have happened. At the end Check holds every row, file, run,
// rating and grant against the servers. A Plan says what is done to the servers, and
// follows from a seed.
//
// It owns the clients' side alone: it reads nothing but what the servers answer. The
// failure it is built around is the acknowledgement that did not last.
package chaos
