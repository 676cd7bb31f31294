package format

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// openMail keeps a file of mail and unpacks the tables that are attached to its
// messages. What is attached and holds none is left where it is, and told.
func (e *expansion) openMail(it Item, depth int) error {
	at := len(e.items)
	e.items = append(e.items, it)
	box, err := openMailbox(it.Path)
	if err != nil {
		return err
	}
	defer box.file.Close()
	a := attachments{expansion: e, mail: it, depth: depth}
	for number := 1; ; number++ {
		more, err := box.next()
		if err != nil || !more {
			e.items[at].Notes = a.notes()
			return err
		}
		if box.many {
			a.message = fmt.Sprintf("message %d", number)
		}
		if _, err := readMessage(box, a.add); err != nil && a.failed != nil {
			return a.failed // a message that cannot be read is a row that cannot
		}
	}
}

// attachments unpacks what is attached to mail.
type attachments struct {
	*expansion
	mail    Item
	message string // which it is, of several
	depth   int
	left    []string // names of those that are not read
	others  int      // more of them
	failed  error    // what ends the whole file
}

// add unpacks an attachment.
func (a *attachments) add(from attachment) error {
	name := path.Base(strings.ReplaceAll(from.name, "\\", "/"))
	if a.entries++; a.entries > maxEntries {
		a.failed = within(a.mail, refuse("more than %d files are attached to the mail", maxEntries))
		return a.failed
	}
	inner := Item{Name: name, Member: memberName(memberName(a.mail.Member, a.message), name)}
	if a.message == "" {
		inner.Member = memberName(a.mail.Member, name)
	}
	var err error
	inner.Path, inner.Size, err = a.unpack(from.body)
	if a.room < 0 {
		a.failed = within(inner, err)
		return a.failed
	}
	if _, ok := errors.AsType[*os.PathError](err); ok {
		a.failed = err
		return err
	}
	if err != nil {
		a.leave(name)
		return nil //nolint:nilerr // what cannot be decoded is not read, and told
	}
	before := len(a.items)
	err = a.expand(inner, a.depth+1)
	if _, refused := Refused(err); err != nil && (!refused || a.room < 0 || a.entries > maxEntries) {
		a.failed = err
		return err
	}
	if err != nil {
		a.items = a.items[:before]
	}
	kept := slices.DeleteFunc(slices.Clone(a.items[before:]), func(it Item) bool { return !holdsTables(it) })
	if a.items = append(a.items[:before], kept...); len(kept) == 0 {
		a.leave(name)
	}
	return nil
}

// holdsTables reports whether a file is one of tables, or mail that brings some.
func holdsTables(it Item) bool {
	kind, err := Detect(it.Path, it.Name)
	if err != nil {
		return false
	}
	switch kind {
	case CSV, JSON, NDJSON, Parquet, Excel, OldExcel, ODS, PDF, Mail:
		return true
	}
	return false
}

// leave notes an attachment that is not read.
func (a *attachments) leave(name string) {
	const most = 10
	if len(a.left) == most {
		a.others++
		return
	}
	a.left = append(a.left, strings.ToValidUTF8(name, "\uFFFD"))
}

func (a *attachments) notes() []string {
	if len(a.left) == 0 {
		return nil
	}
	text := "attachments that are no tables were not read: " + strings.Join(a.left, ", ")
	if a.others > 0 {
		text += fmt.Sprintf(" and %d more", a.others)
	}
	return []string{text}
}
