package trace

// NewSpanID makes an id, for tests.
var NewSpanID = newSpanID
