package main

import (
	"debug/elf"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // a format that nfpm.Get knows
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // the other one
)

// packages makes the packages for Debian and for RPM of an architecture.
func (r *release) packages(m machine) error {
	libc, err := needsLibc(r.binary(m))
	if err != nil {
		return err
	}
	for _, format := range []string{"deb", "rpm"} {
		packager, err := nfpm.Get(format)
		if err != nil {
			return err
		}
		info := nfpm.WithDefaults(r.packageOf(m, format, libc))
		if err := nfpm.PrepareForPackager(info, format); err != nil {
			return err
		}
		name := filepath.Join(r.out, packager.ConventionalFileName(info))
		if err := create(name, func(out io.Writer) error { return packager.Package(info, out) }); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) packageOf(m machine, format, libc string) *nfpm.Info {
	info := &nfpm.Info{
		Name: "quern", Arch: m.arch, Platform: "linux", Version: r.version, VersionSchema: "none", Release: "1",
		Section: "database", Priority: "optional", Maintainer: "The Quern authors <quern@localhost>", Vendor: "The Quern authors",
		License: "Apache-2.0", MTime: r.at, DisableGlobbing: true,
		Description: "datasets that people and agents can question\n" +
			"Quern turns files into datasets and answers questions about them in plain\n" +
			"language and in SQL. This package has the server and its command line.",
	}
	info.Umask = 0o022
	info.RPM.BuildHost, info.RPM.Compression, info.Deb.Compression = "localhost", "gzip:6", "gzip"
	info.Depends = map[string][]string{
		"deb": {"libc6 (>= " + libc + ")", "libstdc++6", "libgcc-s1", "ca-certificates", "passwd"},
		"rpm": {"glibc >= " + libc, "libstdc++", "libgcc", "ca-certificates", "shadow-utils"},
	}[format]
	script := func(name string) string { return filepath.Join(r.root, "packaging", name) }
	info.Scripts = nfpm.Scripts{
		PreInstall: script("preinstall"), PostInstall: script("postinstall"), PreRemove: script("preremove"), PostRemove: script("postremove"),
	}
	for _, f := range append([]file{{source: r.binary(m), target: "/usr/bin/quern", mode: 0o755}}, r.shared...) {
		if format == "rpm" {
			f.target = strings.Replace(f.target, "/zsh/vendor-completions/", "/zsh/site-functions/", 1)
		}
		info.Contents = append(info.Contents, &files.Content{
			Source: f.source, Destination: f.target, FileInfo: &files.ContentFileInfo{Mode: f.mode, MTime: r.at, Owner: "root", Group: "root"},
		})
	}
	info.Contents = append(info.Contents,
		&files.Content{Destination: "/etc/quern", Type: files.TypeDir,
			FileInfo: &files.ContentFileInfo{Mode: 0o750, MTime: r.at, Owner: "root", Group: "quern"}},
		&files.Content{Source: script("quern.toml"), Destination: "/etc/quern/quern.toml", Type: files.TypeConfigNoReplace,
			FileInfo: &files.ContentFileInfo{Mode: 0o640, MTime: r.at, Owner: "root", Group: "quern"}},
		&files.Content{Destination: "/var/lib/quern", Type: files.TypeDir,
			FileInfo: &files.ContentFileInfo{Mode: 0o700, MTime: r.at, Owner: "quern", Group: "quern"}})
	return info
}

// needsLibc is the oldest version of the GNU C library that a program runs with.
func needsLibc(binary string) (string, error) {
	f, err := elf.Open(binary)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return "", err
	}
	newest := 0
	for _, s := range symbols {
		minor, ok := strings.CutPrefix(s.Version, "GLIBC_2.")
		minor, _, _ = strings.Cut(minor, ".")
		if n, err := strconv.Atoi(minor); ok && err == nil {
			newest = max(newest, n)
		}
	}
	if newest == 0 {
		return "", fmt.Errorf("%s asks for no C library", binary)
	}
	return "2." + strconv.Itoa(newest), nil
}
