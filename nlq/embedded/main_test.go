package embedded_test

import (
	"testing"

	"go.uber.org/goleak"

	"quern/housetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var must = housetest.Must
