package ingest

import "bytes"

// The functions below find their way in JSON that is known to be valid.

// skipSpace returns the place of the first character from at on that is no space.
func skipSpace(b []byte, at int) int {
	for b[at] == ' ' || b[at] == '\n' || b[at] == '\t' || b[at] == '\r' {
		at++
	}
	return at
}

// stringEnd returns the place behind the string that starts at at.
func stringEnd(b []byte, at int) int {
	for end := at + 1; ; end++ {
		end += bytes.IndexByte(b[end:], '"')
		escapes := end
		for b[escapes-1] == '\\' {
			escapes--
		}
		if (end-escapes)%2 == 0 {
			return end + 1
		}
	}
}

// valueEnd returns the place behind the value that starts at at.
func valueEnd(b []byte, at int) int {
	switch b[at] {
	case '"':
		return stringEnd(b, at)
	case '{', '[':
		return nestedEnd(b, at)
	}
	for at < len(b) && b[at] != ',' && b[at] != '}' && b[at] > ' ' {
		at++
	}
	return at
}

func nestedEnd(b []byte, at int) int {
	for depth := 0; ; at++ {
		switch b[at] {
		case '"':
			at = stringEnd(b, at) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
}

// nestsDeeper reports whether a value, which is known to be JSON, nests deeper
// than so many levels. Values with few brackets, nearly all, are not walked.
func nestsDeeper(v []byte, most int) bool {
	if bytes.Count(v, []byte("{"))+bytes.Count(v, []byte("[")) <= most {
		return false
	}
	depth := 0
	for at := 0; at < len(v); at++ {
		switch v[at] {
		case '"':
			at = stringEnd(v, at) - 1
		case '{', '[':
			if depth++; depth > most {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}
