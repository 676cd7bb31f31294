// Package sandbox runs work in processes of this same program that can be
// killed and may do next to nothing.
//
// It owns the process: how a worker is started, what the operating system keeps
// it from (files, network, other processes, memory), how it is killed, and how a
// few of them are kept ready. It never knows what a worker does: the two ends
// talk over a socket in words of their own. The failure it is built around is
// work that does not end or that somebody else has taken control of: killing the
// worker ends it, and until then it reaches its own folder and nothing else.
//
// A worker is the program's own file, started anew. Before the Go runtime begins,
// while there is a single thread, enter_linux.c gives up what the worker does not
// need: capabilities, other processes, the network and programs (seccomp), and
// every file but those named (Landlock). What a kernel lacks is reported by
// Guards, and logged.
package sandbox
