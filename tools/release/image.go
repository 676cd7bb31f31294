package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// imageUser is whom the program of an image runs as: nobody that a machine knows.
const imageUser = 65532

type platformImage struct {
	machine machine
	image   v1.Image
}

// image makes the image of an architecture: the C and C++ libraries of this machine, its
// certificates, and the program.
func (r *release) image(m machine) error {
	base, err := r.baseFiles(m)
	if err != nil {
		return err
	}
	program := []file{
		{source: r.binary(m), target: "usr/bin/quern", mode: 0o755},
		{source: filepath.Join(r.root, "LICENSE"), target: "usr/share/doc/quern/LICENSE", mode: 0o644},
		{source: filepath.Join(r.root, "NOTICE"), target: "usr/share/doc/quern/NOTICE", mode: 0o644},
		{source: filepath.Join(r.root, "THIRD_PARTY_NOTICES.md"), target: "usr/share/doc/quern/THIRD_PARTY_NOTICES.md", mode: 0o644},
		{target: "var/lib/quern", mode: 0o700, owner: imageUser, folder: true},
	}
	image := mutate.MediaType(mutate.ConfigMediaType(empty.Image, types.OCIConfigJSON), types.OCIManifestSchema1)
	for i, files := range [][]file{base, program} {
		name := filepath.Join(r.work, m.arch, fmt.Sprintf("layer%d.tar", i))
		if err := create(name, func(out io.Writer) error { return pack(out, files, r.at) }); err != nil {
			return err
		}
		layer, err := tarball.LayerFromFile(name, tarball.WithMediaType(types.OCILayer))
		if err != nil {
			return err
		}
		made := v1.History{Created: v1.Time{Time: r.at}, CreatedBy: "make release"}
		if image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: made, MediaType: types.OCILayer}); err != nil {
			return err
		}
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	config = config.DeepCopy()
	config.Architecture, config.OS, config.Created, config.Config = m.arch, "linux", v1.Time{Time: r.at}, r.imageConfig()
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return err
	}
	r.images = append(r.images, platformImage{m, image})
	return nil
}

func (r *release) imageConfig() v1.Config {
	return v1.Config{
		User: fmt.Sprintf("%d:%d", imageUser, imageUser), WorkingDir: "/var/lib/quern", StopSignal: "SIGTERM",
		Entrypoint: []string{"/usr/bin/quern"}, Cmd: []string{"serve"},
		Env: []string{
			"PATH=/usr/bin", "QUERN_DATA=/var/lib/quern", "QUERN_LISTEN=0.0.0.0:8080", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
		},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}}, Volumes: map[string]struct{}{"/var/lib/quern": {}},
		Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/usr/bin/quern", "ready", "http://127.0.0.1:8080"},
			Interval: 15 * time.Second, Timeout: 6 * time.Second, StartPeriod: time.Minute, Retries: 3},
		Labels: map[string]string{
			"org.opencontainers.image.title":       "Quern",
			"org.opencontainers.image.description": "Datasets that people and agents can question",
			"org.opencontainers.image.version":     r.label,
			"org.opencontainers.image.created":     r.at.Format(time.RFC3339),
			"org.opencontainers.image.licenses":    "Apache-2.0",
		},
	}
}

// baseFiles are what an image has beside the program.
func (r *release) baseFiles(m machine) ([]file, error) {
	libraries, err := r.libraries(m)
	if err != nil {
		return nil, err
	}
	all := append(libraries,
		file{source: "/etc/ssl/certs/ca-certificates.crt", target: "etc/ssl/certs/ca-certificates.crt", mode: 0o644},
		file{target: "tmp", mode: 0o1777, folder: true})
	for name, text := range map[string]string{
		"etc/passwd":        fmt.Sprintf("root:x:0:0::/:/none\nquern:x:%d:%d::/var/lib/quern:/none\n", imageUser, imageUser),
		"etc/group":         fmt.Sprintf("root:x:0:\nquern:x:%d:\n", imageUser),
		"etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
	} {
		source := filepath.Join(r.work, "image", filepath.Base(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(source), 0o700), os.WriteFile(source, []byte(text), 0o600)); err != nil {
			return nil, err
		}
		all = append(all, file{source: source, target: name, mode: 0o644})
	}
	for target, sources := range map[string][]string{
		"glibc":           {"libc6", "libc6-" + m.arch + "-cross"},
		"libstdc++":       {"libstdc++6", "libstdc++6-" + m.arch + "-cross"},
		"ca-certificates": {"ca-certificates"},
	} {
		if !m.native() && len(sources) > 1 {
			sources = sources[1:]
		}
		source, err := filepath.EvalSymlinks("/usr/share/doc/" + sources[0] + "/copyright")
		if err != nil {
			return nil, fmt.Errorf("the terms of %s, which a Debian has: %w", target, err)
		}
		all = append(all, file{source: source, target: "usr/share/doc/" + target + "/copyright", mode: 0o644})
	}
	return all, nil
}

// libraries are the loader and the shared libraries that a program needs, as this machine has them.
func (r *release) libraries(m machine) ([]file, error) {
	triple := strings.TrimSuffix(m.prefix, "-")
	folders := []string{"/lib/" + triple, "/usr/lib/" + triple}
	if !m.native() {
		folders = []string{m.sysroot + "/lib"}
	}
	var all []file
	seen := map[string]bool{}
	var add func(path string) error
	find := func(name string) error {
		if seen[name] {
			return nil
		}
		seen[name] = true
		for _, folder := range folders {
			source, err := filepath.EvalSymlinks(filepath.Join(folder, name))
			if err != nil {
				continue
			}
			target := "lib/" + triple + "/" + name
			if name == filepath.Base(m.loader) {
				target = strings.TrimPrefix(m.loader, "/")
			}
			all = append(all, file{source: source, target: target, mode: 0o755})
			return add(source)
		}
		return fmt.Errorf("the library %s is not in %s", name, strings.Join(folders, ", "))
	}
	add = func(path string) error {
		f, err := elf.Open(path)
		if err != nil {
			return err
		}
		needed, err := f.ImportedLibraries()
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		for _, name := range needed {
			if err := find(name); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(r.binary(m)); err != nil {
		return nil, err
	}
	return all, find(filepath.Base(m.loader))
}

// writeImages writes the images of all architectures as one, as an archive in OCI's layout.
func (r *release) writeImages() error {
	var index v1.ImageIndex = empty.Index
	for _, p := range r.images {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: p.image, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: "linux", Architecture: p.machine.arch},
			Annotations: map[string]string{"org.opencontainers.image.ref.name": r.label},
		}})
	}
	dir := filepath.Join(r.work, "layout")
	if _, err := layout.Write(dir, mutate.IndexMediaType(index, types.OCIImageIndex)); err != nil {
		return err
	}
	var files []file
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			target, _ := strings.CutPrefix(path, dir+"/")
			files = append(files, file{source: path, target: target, mode: 0o644})
		}
		return err
	})
	if err != nil {
		return err
	}
	return create(filepath.Join(r.out, "quern_"+r.version+"_image.tar"), func(out io.Writer) error { return pack(out, files, r.at) })
}
