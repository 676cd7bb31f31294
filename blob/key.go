package blob

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
)

// MaxKey is the most bytes a key may have, and MaxSegment the most between two
// slashes, which is what file systems take.
const (
	MaxKey     = 1024
	MaxSegment = 255
)

// CheckKey fails with quern.Invalid unless key is one or more segments joined by
// single slashes: at most MaxKey bytes of valid UTF-8 with no control
// characters and no backslash, every segment 1 to MaxSegment bytes and not
// starting with a dot.
func CheckKey(key string) error {
	if reason := keyFault(key); reason != "" {
		return quern.E(quern.Invalid, quern.CodeInvalid, "the object key is invalid: it %s", reason)
	}
	return nil
}

func keyFault(key string) string {
	switch {
	case key == "":
		return "is empty"
	case len(key) > MaxKey:
		return "is too long"
	case !utf8.ValidString(key):
		return "is not valid UTF-8"
	case strings.ContainsRune(key, '\\'):
		return "has a backslash"
	case strings.ContainsFunc(key, unicode.IsControl):
		return "has a control character"
	}
	for segment := range strings.SplitSeq(key, "/") {
		switch {
		case segment == "":
			return "has an empty segment"
		case len(segment) > MaxSegment:
			return "has a segment that is too long"
		case segment[0] == '.':
			return "has a segment that starts with a dot"
		}
	}
	return ""
}
