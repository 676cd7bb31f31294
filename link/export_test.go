package link

// Likeness is likeness, for its table test.
var Likeness = likeness
