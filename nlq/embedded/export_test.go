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

// Judge gives the best of readings by their signs, and how sure that is.
func Judge(learned []byte, signs [][]float64) (best int, confidence float64, err error) {
	j, err := loadJudgement(learned)
	if err != nil || len(signs) == 0 {
		return 0, 0, err
	}
	best, confidence = j.best(signs)
	return best, confidence, nil
}
