package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// describe writes the completions and the manual, as the binary tells them, and lists
// them with the other files that all architectures share.
func (r *release) describe(ctx context.Context, binary string) error {
	source := func(path string) string { return filepath.Join(r.root, path) }
	r.shared = []file{
		{source: source("LICENSE"), target: "/usr/share/doc/quern/LICENSE", mode: 0o644},
		{source: source("NOTICE"), target: "/usr/share/doc/quern/NOTICE", mode: 0o644},
		{source: source("THIRD_PARTY_NOTICES.md"), target: "/usr/share/doc/quern/THIRD_PARTY_NOTICES.md", mode: 0o644},
		{source: source("README.md"), target: "/usr/share/doc/quern/README.md", mode: 0o644},
		{source: source("CHANGELOG.md"), target: "/usr/share/doc/quern/CHANGELOG.md", mode: 0o644},
		{source: source("packaging/quern.service"), target: "/usr/lib/systemd/system/quern.service", mode: 0o644},
	}
	for shell, target := range map[string]string{
		"bash": "/usr/share/bash-completion/completions/quern",
		"fish": "/usr/share/fish/vendor_completions.d/quern.fish",
		"zsh":  "/usr/share/zsh/vendor-completions/_quern",
	} {
		text, err := tell(ctx, binary, "completion", shell)
		if err != nil {
			return err
		}
		if err := r.share(target, text); err != nil {
			return err
		}
	}
	return r.manual(ctx, binary, nil)
}

// share adds a file that was made here.
func (r *release) share(target string, text []byte) error {
	source := filepath.Join(r.work, "made", filepath.FromSlash(target))
	if err := os.MkdirAll(filepath.Dir(source), 0o700); err != nil {
		return err
	}
	r.shared = append(r.shared, file{source: source, target: target, mode: 0o644})
	return os.WriteFile(source, text, 0o600)
}

func tell(ctx context.Context, binary string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, binary, args...) //nolint:gosec // the program that was built here
	cmd.Env = []string{"HOME=/nonexistent", "PATH=/usr/bin:/bin", "COLUMNS=90"}
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", filepath.Base(binary), strings.Join(args, " "), err)
	}
	return text, nil
}

var commandLine = regexp.MustCompile(`^  (?P<name>[a-z0-9][a-z0-9-]*) +(?P<what>\S.*)$`)

// manual writes the page of a command and of those below it.
func (r *release) manual(ctx context.Context, binary string, command []string) error {
	help, err := tell(ctx, binary, append([]string{"help"}, command...)...)
	if err != nil {
		return err
	}
	name := strings.Join(append([]string{"quern"}, command...), "-")
	page, below := r.page(name, string(help))
	if err := r.share("/usr/share/man/man1/"+name+".1", page); err != nil {
		return err
	}
	for _, sub := range below {
		if sub == "help" || sub == "completion" {
			continue
		}
		if err := r.manual(ctx, binary, slices.Concat(command, []string{sub})); err != nil {
			return err
		}
	}
	return nil
}

// sections of help, by the lines that begin them, and what the manual calls them.
var sections = map[string]string{
	"Usage:": "SYNOPSIS", "Available Commands:": "COMMANDS", "Flags:": "OPTIONS", "Global Flags:": "OPTIONS OF ALL COMMANDS",
	"Examples:": "EXAMPLES",
}

// order is that of the manual's sections.
var order = []string{"SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "OPTIONS OF ALL COMMANDS", "EXAMPLES"}

// page makes a page of the manual out of a command's help, and returns the commands below it.
func (r *release) page(name, help string) (page []byte, below []string) {
	described, rest := help, ""
	if at := strings.Index(help, "\nUsage:"); at >= 0 {
		described, rest = help[:at], help[at+1:]
	}
	texts := map[string]string{}
	section := ""
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\n")
		if title, ok := sections[line]; ok {
			section = title
			continue
		}
		if found := commandLine.FindStringSubmatch(line); found != nil && section == "COMMANDS" {
			below = append(below, found[1])
		}
		if !strings.HasPrefix(line, "Use \"quern") {
			texts[section] += roff(line) + "\n"
		}
	}
	short, _, _ := strings.Cut(strings.Join(strings.Fields(described), " "), ". ")
	var text bytes.Buffer
	fmt.Fprintf(&text, ".TH %s 1 %s %q Quern\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), r.at.Format("2006-01-02"), "Quern "+r.label, name,
		roff(strings.TrimSuffix(short, ".")))
	for _, title := range order {
		switch lines := strings.TrimRight(texts[title], "\n"); {
		case title == "DESCRIPTION":
			fmt.Fprintf(&text, ".SH DESCRIPTION\n%s", paragraphs(described))
		case lines != "":
			fmt.Fprintf(&text, ".SH %s\n.nf\n%s\n.fi\n", title, lines)
		}
	}
	return text.Bytes(), below
}

// paragraphs are the paragraphs of a text.
func paragraphs(text string) string {
	var all strings.Builder
	for p := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		all.WriteString(".PP\n" + roff(p) + "\n")
	}
	return all.String()
}

// roff writes text so that troff means nothing by it.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
