package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// fileValue is one key of the settings file in the form flags and variables
// have; err says that its TOML type has no such form.
type fileValue struct {
	key, text string
	err       error
}

func parseFile(text string) ([]fileValue, error) {
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("line %d is not TOML: %s", syntax.Position.Line, syntax.Message)
		}
		return nil, fmt.Errorf("this is not TOML: %w", err)
	}
	var values []fileValue
	for key, v := range tree {
		text, err := fileText(v)
		values = append(values, fileValue{key, text, err})
	}
	slices.SortFunc(values, func(a, b fileValue) int { return strings.Compare(a.key, b.key) })
	return values, nil
}

func fileText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case []any:
		var words []string
		for _, item := range v {
			word, ok := item.(string)
			if !ok {
				return "", errors.New("a list holds strings")
			}
			words = append(words, word)
		}
		return strings.Join(words, ","), nil
	}
	return "", errors.New("the value must be a string, a number, true, false or a list of strings")
}
