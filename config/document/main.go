// Command document writes the settings' reference into the file it is given.
// It owns nothing: the text is config's.
package main

import (
	"bytes"
	"fmt"
	"os"

	"quern/config"
)

func main() {
	var text bytes.Buffer
	err := config.Document(&text)
	if err == nil {
		err = os.WriteFile(os.Args[1], text.Bytes(), 0o644) //nolint:gosec // documentation is for everyone to read
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "document:", err)
		os.Exit(1)
	}
}
