// Command release makes what a release consists of, from source: archives, packages for
// Debian and for RPM, an image, a list of what is inside (SBOM) and checksums.
//
//	release -root . -out dist -version v1.2.3 -arch amd64,arm64
//
// The same commit gives the same bytes: all times are that of the commit, all files are in
// one order and belong to root. The machine that it runs on is Linux and of one of the
// architectures; another needs its C compiler (aarch64-linux-gnu-gcc).
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	root := flag.String("root", ".", "the repository")
	out := flag.String("out", "dist", "where everything goes")
	version := flag.String("version", "", "the version, as the binary tells it")
	archs := flag.String("arch", runtime.GOARCH, "architectures, with commas between")
	goCommand := flag.String("go", "go", "the go command")
	flag.Parse()
	if *version == "" || flag.NArg() > 0 {
		return errors.New("-version is missing, or there are words too many")
	}
	r := &release{goCommand: *goCommand, label: *version}
	var err error
	if r.root, err = filepath.Abs(*root); err != nil {
		return err
	}
	if r.out, err = filepath.Abs(*out); err != nil {
		return err
	}
	return r.make(ctx, strings.Split(*archs, ","))
}

// release is a release in the making.
type release struct {
	root, out, work string
	goCommand       string
	label           string // the version as the binary tells it
	version         string // and as packages have it
	at              time.Time
	shared          []file // that are the same for all architectures
	images          []platformImage
}

// file is a file of the release, and where it goes on a machine.
type file struct {
	source, target string
	mode           os.FileMode
	owner          int  // by number
	folder         bool // it is a folder, and has no source
}

// machine is an architecture under the names that others give it.
type machine struct {
	arch    string // Go's and Debian's
	rpm     string
	prefix  string // of its C compiler, on machines of another one
	loader  string // of programs
	sysroot string // of the C compiler's libraries, on machines of another one
}

var machines = []machine{
	{"amd64", "x86_64", "x86_64-linux-gnu-", "/lib64/ld-linux-x86-64.so.2", "/usr/x86_64-linux-gnu"},
	{"arm64", "aarch64", "aarch64-linux-gnu-", "/lib/ld-linux-aarch64.so.1", "/usr/aarch64-linux-gnu"},
}

func (m machine) native() bool { return m.arch == runtime.GOARCH }

func (r *release) make(ctx context.Context, archs []string) (err error) {
	if r.at, err = r.commitTime(ctx); err != nil {
		return err
	}
	if r.version, err = packageVersion(r.label, r.at); err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "quern-release-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.work)) }()
	if err := errors.Join(os.RemoveAll(r.out), os.MkdirAll(r.out, 0o755)); err != nil { //nolint:gosec // for everybody to read
		return err
	}
	var chosen []machine
	for _, arch := range archs {
		at := slices.IndexFunc(machines, func(m machine) bool { return m.arch == arch })
		if at < 0 {
			return fmt.Errorf("there is no architecture %q here", arch)
		}
		chosen = append(chosen, machines[at])
	}
	// The native one first: it tells the completions and the manual.
	slices.SortStableFunc(chosen, func(a, b machine) int { return cmp.Compare(rank(a), rank(b)) })
	if !chosen[0].native() {
		return fmt.Errorf("the architectures must have %s among them, which tells completions and manual", runtime.GOARCH)
	}
	for _, m := range chosen {
		if err := r.build(ctx, m); err != nil {
			return fmt.Errorf("%s: %w", m.arch, err)
		}
		if r.shared == nil {
			if err := r.describe(ctx, r.binary(m)); err != nil {
				return err
			}
		}
		for _, make := range []func(machine) error{r.archive, r.packages, r.bill, r.image} {
			if err := make(m); err != nil {
				return fmt.Errorf("%s: %w", m.arch, err)
			}
		}
	}
	if err := r.writeImages(); err != nil {
		return err
	}
	return r.checksums()
}

func rank(m machine) int {
	if m.native() {
		return 0
	}
	return 1
}

var (
	released = regexp.MustCompile(`^v?(?P<number>[0-9]+(?:\.[0-9]+)+)` +
		`(?:-(?P<before>alpha|beta|rc)(?P<which>[.0-9]*))?(?:-(?P<rest>[0-9A-Za-z.-]+))?$`)
	unreleased = regexp.MustCompile(`^[0-9a-z.-]+$`)
)

// packageVersion is a version as packages have it, so that they are sorted as they came:
// 1.2.0~rc1, 1.2.0, 1.2.0+5.gabcdef0. A commit without a tag is older than all of them.
func packageVersion(label string, at time.Time) (string, error) {
	dots := strings.NewReplacer("-", ".")
	found := released.FindStringSubmatch(label)
	switch {
	case found == nil && unreleased.MatchString(label):
		return "0.0.0~git" + at.Format("20060102150405") + "." + dots.Replace(label), nil
	case found == nil:
		return "", fmt.Errorf("%q is no version", label)
	}
	version := found[1]
	if found[2] != "" {
		version += "~" + found[2] + found[3]
	}
	if found[4] != "" {
		version += "+" + dots.Replace(found[4])
	}
	return version, nil
}

// commitTime is the time of the commit, or SOURCE_DATE_EPOCH.
func (r *release) commitTime(ctx context.Context) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		//nolint:gosec // the repository that the caller names
		out, err := exec.CommandContext(ctx, "git", "-C", r.root, "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("the time of the commit: %w", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

func (r *release) binary(m machine) string { return filepath.Join(r.work, m.arch, "quern") }

// build builds the binary of an architecture.
func (r *release) build(ctx context.Context, m machine) error {
	fmt.Fprintln(os.Stderr, "building for", m.arch)
	//nolint:gosec // the go command that the caller names
	cmd := exec.CommandContext(ctx, r.goCommand, "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X quern/app.Version="+r.label,
		"-o", r.binary(m), "./cmd/quern")
	cmd.Dir, cmd.Stderr = r.root, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS=linux", "GOARCH="+m.arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=", "CGO_CFLAGS=", "CGO_LDFLAGS=")
	if !m.native() {
		cmd.Env = append(cmd.Env, "CC="+m.prefix+"gcc", "CXX="+m.prefix+"g++")
	}
	return cmd.Run()
}

// name is the name of a file of the release.
func (r *release) name(m machine, ending string) string {
	return filepath.Join(r.out, "quern_"+r.version+"_linux_"+m.arch+ending)
}
