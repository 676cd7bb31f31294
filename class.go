package quern

// Class is what matters of a column's type when values meet: those of one class
// can be compared, those of two cannot.
type Class uint8

// The classes. The zero class is that of a type that is not known.
const (
	ClassUnknown Class = iota
	ClassText
	ClassNumber
	ClassBoolean
	ClassTime
	ClassJSON
)

// Class returns the class of the type.
func (t Type) Class() Class {
	switch t {
	case Text:
		return ClassText
	case Integer, Double:
		return ClassNumber
	case Boolean:
		return ClassBoolean
	case Date, Timestamp:
		return ClassTime
	case JSON:
		return ClassJSON
	}
	if _, _, ok := t.DecimalSize(); ok {
		return ClassNumber
	}
	return ClassUnknown
}

// Numeric reports whether values of the type are numbers.
func (t Type) Numeric() bool { return t.Class() == ClassNumber }

// Temporal reports whether values of the type are days or instants.
func (t Type) Temporal() bool { return t.Class() == ClassTime }
