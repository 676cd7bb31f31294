package schema

// Sample returns the first values that were added, at most n of them.
func (v *Values) Sample(n int) []string {
	sample := make([]string, min(n, len(v.values)))
	for i := range sample {
		sample[i] = v.values[i].text
	}
	return sample
}
