package api

import (
	"errors"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"
)

// Formats checks the string formats that the contract uses, as strictly as the
// server reads them.
func Formats() []openapi3.SchemaValidationOption {
	return []openapi3.SchemaValidationOption{
		openapi3.WithStringFormatValidator("uuid", openapi3.NewCallbackValidator(checkUUID)),
		openapi3.WithStringFormatValidator("date-time", openapi3.NewCallbackValidator(checkTime(time.RFC3339))),
		openapi3.WithStringFormatValidator("date", openapi3.NewCallbackValidator(checkTime(time.DateOnly))),
	}
}

func checkUUID(s string) error {
	if len(s) != 36 {
		return errors.New("not the length of a UUID")
	}
	_, err := uuid.Parse(s)
	return err
}

func checkTime(layout string) func(string) error {
	return func(s string) error {
		_, err := time.Parse(layout, s)
		return err
	}
}
