package embedded

// Fill takes places among the questions in work until release is called.
func (t *Translator) Fill(n int) (release func()) {
	for range n {
		t.slots <- struct{}{}
	}
	return func() {
		for range n {
			<-t.slots
		}
	}
}

// NewSignRanker reads what the ranking by signs has learned.
func NewSignRanker(learned []byte) (Ranker, error) { return loadRanker(learned) }
