package app

import (
	"quern/english"
	"quern/llm"
	"quern/nlq/model"
	"quern/structure"
)

// Structure runs steps with the models of the settings, and with the translator's words.
func (a *App) Structure() *structure.Service {
	return structure.New(structure.Options{Models: stepModels{&a.parts}, Log: a.log, Alike: alike})
}

// alike says how much two names mean the same, by their words. The translator's words are
// read when the first two are compared.
func alike(one, other string) float64 {
	words, err := model.Vectors()
	a, b := english.NameWords(one), english.NameWords(other)
	sum := 0.0
	for _, w := range a {
		best := float32(0)
		for _, v := range b {
			if w == v {
				best = 1
			}
			if err == nil {
				best = max(best, words.Cosine(words.ID(w), words.ID(v)))
			}
		}
		sum += float64(best)
	}
	return sum / float64(max(len(a), 1))
}

// stepModels finds the models of steps, which are made after what uses them.
type stepModels struct{ parts *parts }

func (m stepModels) Asked(name, provider string) (llm.Offered, error) {
	return m.parts.models.Asked(name, provider)
}
