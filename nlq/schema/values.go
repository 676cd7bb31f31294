package schema

// Values is an index of the values of one column, in one version of its dataset.
type Values struct{}
