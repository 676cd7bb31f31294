package config

import (
	"fmt"
	"net/url"
	"strings"
)

const variablePrefix = "QUERN_"

// Setting is the definition of one setting together with its present value.
type Setting struct {
	Name    string // lowercase, words joined by _
	Group   string // the heading it stands under in the documentation
	Default string // as a flag would write it
	Help    string // one or two sentences
	Secret  bool   // masked wherever it is shown
	Source  Source // where the present value came from

	value value
}

// SourceKind says which input a value came from.
type SourceKind string

// The inputs, weakest first.
const (
	FromDefault  SourceKind = "default"
	FromFile     SourceKind = "file"
	FromVariable SourceKind = "variable"
	FromFlag     SourceKind = "flag"
)

// Source is where a value came from.
type Source struct {
	Kind  SourceKind
	Where string // the flag, variable or file key; empty for a default
}

// Flag is the setting's command-line flag.
func (s *Setting) Flag() string { return "--" + strings.ReplaceAll(s.Name, "_", "-") }

// Variable is the setting's environment variable.
func (s *Setting) Variable() string { return variablePrefix + strings.ToUpper(s.Name) }

// Key is the setting's key in the file.
func (s *Setting) Key() string { return s.Name }

// Type names the setting's type for people; a setting of a few words lists them.
func (s *Setting) Type() string { return s.value.kind }

// Text is the present value, in the form in which a flag would give it.
func (s *Setting) Text() string { return s.value.text() }

// Shown is the present value for people's eyes: secrets are masked.
func (s *Setting) Shown() string {
	if !s.Secret || s.Text() == "" {
		return s.Text()
	}
	u, err := url.Parse(s.Text())
	if err != nil || u.Host == "" {
		return mask
	}
	return maskURL(u)
}

const mask = "********"

// maskURL keeps what identifies the database and hides what opens it.
func maskURL(u *url.URL) string {
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), mask)
	}
	q := u.Query()
	for key := range q {
		if strings.Contains(key, "password") {
			q.Set(key, mask)
		}
	}
	u.RawQuery = q.Encode()
	return strings.ReplaceAll(u.String(), url.QueryEscape(mask), mask)
}

func (s *Setting) set(text string, source Source) error {
	if err := s.value.set(text); err != nil {
		return err
	}
	s.Source = source
	return nil
}

// reason puts a refused value in front of why it was refused, unless it is secret.
func (s *Setting) reason(text string, err error) string {
	if s.Secret {
		return fmt.Sprintf("the value %v", err)
	}
	return fmt.Sprintf("%q %v", text, err)
}
