package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"quern/app"
)

// maxPassword bounds what is read; no password is that long.
const maxPassword = 4096

// newPassword makes a password or takes one from standard input: the whole of
// it, without the line's end. Where users sign in elsewhere there is none.
func newPassword(sh shell, generate, wanted bool) (string, error) {
	if generate {
		return app.NewPassword(), nil
	}
	if !wanted {
		return "", nil
	}
	if file, ok := sh.In.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return askPassword(sh, int(file.Fd()))
	}
	text, err := io.ReadAll(io.LimitReader(sh.In, maxPassword))
	if err != nil {
		return "", fmt.Errorf("the password cannot be read: %w", err)
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	if len(text) == 0 {
		return "", errors.New("there is no password: write it to standard input, or use --generate")
	}
	return string(text), nil
}

func askPassword(sh shell, fd int) (string, error) {
	var answers [2][]byte
	for i, prompt := range []string{"Password: ", "Once more: "} {
		fmt.Fprint(sh.Err, prompt)
		answer, err := term.ReadPassword(fd)
		fmt.Fprintln(sh.Err)
		if err != nil {
			return "", fmt.Errorf("the password cannot be read: %w", err)
		}
		answers[i] = answer
	}
	if !bytes.Equal(answers[0], answers[1]) {
		return "", errors.New("the two passwords differ")
	}
	return string(answers[0]), nil
}
