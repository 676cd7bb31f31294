package tree

import "quern"

// className names a class of types in a message.
func className(c quern.Class) string {
	return [...]string{"a value", "text", "a number", "true or false", "a time", "JSON"}[c]
}

// class returns the class of a constant.
func (l Literal) class() quern.Class {
	return [...]quern.Class{quern.ClassText, quern.ClassNumber, quern.ClassBoolean, quern.ClassTime, quern.ClassTime}[l.Kind]
}
