package quern

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Kind says what sort of failure an Error is. Edges translate kinds into their
// protocol's statuses with one table each.
type Kind uint8

// The kinds. The zero kind is Internal, so an unclassified error never tells a
// caller more than that something broke.
const (
	Internal    Kind = iota // a defect or an unexpected state of ours
	Malformed               // the request cannot be parsed
	Unauthentic             // the token is missing, invalid, expired or revoked
	Forbidden               // the caller sees the thing but may not do this
	NotFound                // it does not exist, or the caller may not know that it does
	Conflict                // the name is taken or the state does not allow it
	Gone                    // it was there and is finished
	TooLarge                // the request exceeds a size limit
	Unsupported             // the media type or method is not one the operation takes
	Throttled               // too many requests; try again later
	Invalid                 // well-formed, but fails validation or a state rule
	Unreachable             // an outside service did not answer
	Unavailable             // this server is overloaded or draining
	Timeout                 // the work ran past its limit
	kindCount
)

var kindNames = [kindCount]string{
	Internal: "internal", Malformed: "malformed", Unauthentic: "unauthentic",
	Forbidden: "forbidden", NotFound: "not found", Conflict: "conflict", Gone: "gone",
	TooLarge: "too large", Unsupported: "unsupported", Throttled: "throttled",
	Invalid: "invalid", Unreachable: "unreachable", Unavailable: "unavailable",
	Timeout: "timeout",
}

// Kinds lists every kind, for tests that hold an edge's table complete.
func Kinds() []Kind {
	all := make([]Kind, kindCount)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// MarshalText writes the kind's name: what is stored must outlive the order of
// the constants.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes; a name it does not know is Internal.
func (k *Kind) UnmarshalText(name []byte) error {
	*k = Kind(max(0, slices.Index(kindNames[:], string(name))))
	return nil
}

// Code is the stable, machine-readable name of a failure, in upper snake case.
// Every code is listed in the contract.
type Code string

// SubError names one invalid part of a request.
type SubError struct {
	Code    string // machine-readable reason
	Field   string // where in the request, as in "parts[0].etag"; empty when it is no one field
	Message string // the field and the reason, for people
}

// Fault is the sub error of a field, with a reason that follows its name.
func Fault(code, field, reason string) SubError {
	return SubError{Code: code, Field: field, Message: field + ": " + reason}
}

// Reason is the message without the field, for a protocol that names the field by
// itself, or by another name.
func (s SubError) Reason() string {
	if s.Field == "" {
		return s.Message
	}
	return strings.TrimPrefix(s.Message, s.Field+": ")
}

// Error is the one error type that crosses package borders. Detail is written
// for the caller; Err is the cause, logged once at the edge and never sent.
type Error struct {
	Kind   Kind
	Code   Code
	Detail string
	Sub    []SubError
	Err    error
}

func (e *Error) Error() string {
	text := string(e.Code) + ": " + e.Detail
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// E makes an Error whose detail is formatted from format and args.
func E(kind Kind, code Code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Because returns a copy of e that carries cause for the log.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.Err = cause
	return &c
}

// With returns a copy of e that carries the sub errors.
func (e *Error) With(sub ...SubError) *Error {
	c := *e
	c.Sub = append(append([]SubError(nil), e.Sub...), sub...)
	return &c
}

// InField returns err with the sub errors of one field told of another: at an edge where
// what was refused stands under a name of its own.
func InField(err error, field, here string) error {
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	renamed := *refused
	renamed.Sub = nil
	for _, sub := range refused.Sub {
		if sub.Field == field {
			sub = Fault(sub.Code, here, sub.Reason())
		}
		renamed.Sub = append(renamed.Sub, sub)
	}
	return &renamed
}

// KindOf returns the kind of the first Error in err's chain, Internal if none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is an error of the kind. A nil error is of no kind; an
// error that nobody classified is Internal.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
