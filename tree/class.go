package tree

import "quern"

// class is what matters of a type when values meet.
type class uint8

const (
	classAny class = iota // unknown, or of no matter
	classText
	classNumber
	classBoolean
	classTime
	classJSON
)

func (c class) String() string {
	return [...]string{"a value", "text", "a number", "true or false", "a time", "JSON"}[c]
}

func classOf(t quern.Type) class {
	switch t {
	case quern.Text:
		return classText
	case quern.Boolean:
		return classBoolean
	case quern.Date, quern.Timestamp:
		return classTime
	case quern.JSON:
		return classJSON
	case quern.Integer, quern.Double:
		return classNumber
	}
	if _, _, ok := t.DecimalSize(); ok {
		return classNumber
	}
	return classAny
}

// class of a constant.
func (l Literal) class() class {
	return [...]class{classText, classNumber, classBoolean, classTime, classTime}[l.Kind]
}
