package quern

import "strings"

// Self in place of a username means the caller.
const Self = "self"

// InternalPrefix starts the names of columns that only the server writes.
const InternalPrefix = "__"

// IsInternal reports whether a column is one that only the server writes.
func IsInternal(column string) bool { return strings.HasPrefix(column, InternalPrefix) }

// IsShown reports whether a column of an answer is one for people: none that is internal,
// but for those that tell which row it is and where it was read from, which are only there
// when somebody named them.
func IsShown(column string) bool {
	switch NameKey(column) {
	case RowColumn, FileColumn, SheetColumn, PageColumn:
		return true
	}
	return !IsInternal(column)
}

// RowColumn is the column of a dataset that holds the permanent numbers of its
// rows; only queries that ask for it see it.
const RowColumn = InternalPrefix + "row"

// The columns of a dataset that tell which file, sheet and page its rows were read
// from, null where that is not known; only queries that ask for them see them.
const (
	FileColumn  = InternalPrefix + "file"
	SheetColumn = InternalPrefix + "sheet"
	PageColumn  = InternalPrefix + "page"
)

// MaxName is the most characters of a name.
const MaxName = 64

// ValidName reports whether name may name a namespace or a dataset: 1 to 64
// letters, digits, '_' and '-', starting with a letter or digit.
func ValidName(name string) bool {
	if len(name) == 0 || len(name) > MaxName {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		inside := i > 0 && strings.IndexByte("_-", c) >= 0
		if !alnum && !inside {
			return false
		}
	}
	return true
}

// NameKey is the form under which names are compared: case does not count.
func NameKey(name string) string { return strings.ToLower(name) }
