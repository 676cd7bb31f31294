package english_test

import (
	"testing"

	"quern/english"
)

func TestLanguages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Wie viele Schiffe gibt es?":                       "German",
		"Welche Kunden haben die meisten Bestellungen?":    "German",
		"Combien de navires sont arrivés en 2025 ?":        "French",
		"Quels sont les clients avec le plus de navires ?": "French",
		"¿Cuántos barcos hay en el puerto?":                "Spanish",
		"Quanti clienti sono di Roma?":                     "Italian",
		"Quantas encomendas tem uma cliente?":              "Portuguese",
		"Hoeveel schepen zijn er?":                         "Dutch",
		"How many ships arrived in 2025?":                  "",
		"customers in Los Angeles with el Nino":            "",
		"Show me the menu du jour":                         "",
		"list the films of der Tod in Venedig":             "",
		"ships":                                            "",
		"":                                                 "",
	} {
		if got := english.LanguageOf(text); got != want {
			t.Errorf("LanguageOf(%q) = %q, want %q", text, got, want)
		}
	}
}
