//go:build packages

package main

import (
	"debug/elf"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// unpacked is an image in a folder: its root, and what it says of itself.
type unpacked struct {
	root   string
	config struct {
		User, WorkingDir, StopSignal string
		Entrypoint, Cmd, Env         []string
		Healthcheck                  struct{ Test []string }
		Labels                       map[string]string
	}
}

// unpack reads an archive in OCI's layout with nothing but tar, and unpacks the layers of
// an architecture.
func unpack(t *testing.T, archive, arch string) unpacked {
	t.Helper()
	dir, image := t.TempDir(), unpacked{root: filepath.Join(t.TempDir(), "root")}
	must(t, "tar", "xf", archive, "-C", dir)
	if err := os.Mkdir(image.root, 0o755); err != nil {
		t.Fatal(err)
	}
	type descriptor struct {
		Digest   string
		Platform struct{ Architecture string }
	}
	read := func(path string, into any) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, path))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	blob := func(d descriptor) string { return "blobs/" + strings.Replace(d.Digest, ":", "/", 1) }
	var index struct{ Manifests []descriptor }
	read("index.json", &index)
	at := slices.IndexFunc(index.Manifests, func(d descriptor) bool { return d.Platform.Architecture == arch })
	if at < 0 {
		t.Fatalf("the image has %+v, want one for %s", index.Manifests, arch)
	}
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	read(blob(index.Manifests[at]), &manifest)
	var config struct {
		Architecture string
		Config       json.RawMessage
	}
	read(blob(manifest.Config), &config)
	if err := json.Unmarshal(config.Config, &image.config); err != nil || config.Architecture != arch {
		t.Fatalf("the configuration is %+v, %v, want one for %s", config, err, arch)
	}
	for _, layer := range manifest.Layers {
		must(t, "tar", "xzpf", filepath.Join(dir, blob(layer)), "-C", image.root, "--same-owner")
	}
	return image
}

// The layers of the image are unpacked, its entry point is run as its user, and asked by
// its own health check.
func TestImageRuns(t *testing.T) { //nolint:paralleltest // one release is built at a time
	archive := filepath.Join(releaseOf(t, older), "quern_"+older+"_image.tar")
	foreign, image := unpack(t, archive, "arm64"), unpack(t, archive, "amd64")
	for _, name := range []string{"usr/bin/quern", "lib/ld-linux-aarch64.so.1", "lib/aarch64-linux-gnu/libc.so.6", "lib/aarch64-linux-gnu/libstdc++.so.6"} {
		f, err := elf.Open(filepath.Join(foreign.root, name))
		if err != nil || f.Machine != elf.EM_AARCH64 {
			t.Fatalf("the image for arm64 has %s for another machine: %v", name, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if image.config.User != "65532:65532" || image.config.Labels["org.opencontainers.image.version"] != "v"+older {
		t.Errorf("the image has %+v, want a user and labels", image.config)
	}
	// What an engine for containers gives.
	proc := filepath.Join(image.root, "proc")
	must(t, "mkdir", proc, filepath.Join(image.root, "dev"))
	must(t, "mknod", "-m", "666", filepath.Join(image.root, "dev/null"), "c", "1", "3")
	must(t, "mount", "-t", "proc", "proc", proc)
	defer must(t, "umount", proc)
	inside := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "chroot", append([]string{"--userspec=" + image.config.User, image.root}, args...)...)
		cmd.Env = image.config.Env
		return cmd
	}
	server := inside(slices.Concat(image.config.Entrypoint, image.config.Cmd, []string{"--listen", "127.0.0.1:18474"})...)
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	check := image.config.Healthcheck.Test[1:]
	check[len(check)-1] = "http://127.0.0.1:18474"
	for deadline := time.Now().Add(time.Minute); inside(check...).Run() != nil; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("%v does not succeed within a minute", check)
			break
		}
	}
	if err := errors.Join(server.Process.Signal(syscall.SIGTERM), server.Wait()); err != nil {
		t.Errorf("the server ends with %v, want nil", err)
	}
	if text, err := inside(check...).CombinedOutput(); err == nil || !strings.Contains(string(text), "does not answer") {
		t.Errorf("the health check without a server = %s, %v, want a failure", text, err)
	}
	if _, err := os.Stat(filepath.Join(image.root, "bin/sh")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("bin/sh: %v, want no shell", err)
	}
}
