package engine

// Sketch estimates the number of distinct values.
type Sketch []byte
