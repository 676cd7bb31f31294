package plain

// Edges says in few words where stretches of time begin or end.
var Edges = plainEdges
