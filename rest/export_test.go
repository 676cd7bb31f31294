package rest

// SoughtOf lets tests see what an operation says that it looks for.
var SoughtOf = soughtOf
