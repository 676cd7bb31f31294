package quern_test

import (
	"testing"

	"quern"
)

func TestClass(t *testing.T) {
	t.Parallel()
	for typ, want := range map[quern.Type]quern.Class{
		quern.Text: quern.ClassText, quern.Integer: quern.ClassNumber, quern.Double: quern.ClassNumber,
		quern.Decimal(18, 4): quern.ClassNumber, quern.Boolean: quern.ClassBoolean,
		quern.Date: quern.ClassTime, quern.Timestamp: quern.ClassTime, quern.JSON: quern.ClassJSON,
		"": quern.ClassUnknown, "decimal(": quern.ClassUnknown,
	} {
		if got := typ.Class(); got != want {
			t.Errorf("%q.Class() = %v, want %v", typ, got, want)
		}
	}
}
