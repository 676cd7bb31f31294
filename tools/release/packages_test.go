//go:build packages

package main

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The tests make releases of the working tree and use them as an operator does. They need
// root, debootstrap, rpm and a mirror of Debian.

const older, newer = "1.0.0", "1.0.1"

// made makes a release from a folder.
func made(t *testing.T, root, out, version string, archs ...string) {
	t.Helper()
	r := &release{goCommand: "go", label: "v" + version, root: root, out: out}
	if err := r.make(t.Context(), archs); err != nil {
		t.Fatalf("make(%s) = %v, want nil", version, err)
	}
}

// releases is where the releases of the repository are, which the tests share.
var releases string

func TestMain(m *testing.M) {
	var err error
	if releases, err = os.MkdirTemp("", "quern-dist-"); err != nil {
		panic(err)
	}
	code := m.Run()
	if err := os.RemoveAll(releases); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// releaseOf returns the release of a version of the repository: the older one of both
// architectures, the newer one of this machine's.
func releaseOf(t *testing.T, version string) (out string) {
	t.Helper()
	out = filepath.Join(releases, version)
	if _, err := os.Stat(filepath.Join(out, "SHA256SUMS")); err == nil {
		return out
	}
	archs := map[string][]string{older: {"amd64", "arm64"}, newer: {"amd64"}}[version]
	made(t, repository(t), out, version, archs...)
	return out
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func must(t *testing.T, name string, args ...string) string {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s = %v\n%s", name, strings.Join(args, " "), err, text)
	}
	return string(text)
}

// The same source gives the same bytes: in another folder, built from nothing.
func TestTheSameBytesTwice(t *testing.T) {
	root, other := repository(t), filepath.Join(t.TempDir(), "elsewhere")
	t.Setenv("SOURCE_DATE_EPOCH", strings.TrimSpace(must(t, "git", "-C", root, "log", "-1", "--format=%ct")))
	must(t, "bash", "-c", "mkdir -p "+other+" && cd "+root+
		" && git ls-files -zco --exclude-standard | xargs -0 ls -d 2>/dev/null | tar cf - -T - | tar xf - -C "+other)
	one, two := releaseOf(t, older), filepath.Join(t.TempDir(), "dist")
	t.Setenv("GOCACHE", t.TempDir())
	made(t, other, two, older, "amd64", "arm64")
	sums := func(dir string) string {
		text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if a, b := sums(one), sums(two); a != b {
		t.Errorf("two releases of the same source:\n%s\n%s\nwant the same bytes", a, b)
	}
	must(t, "bash", "-c", "cd "+one+" && sha256sum -c --strict SHA256SUMS")
	lookAtArchives(t, one)
	lookAtRPM(t, one)
}

// lookAtArchives unpacks the archives: one is used, the other is of another machine.
func lookAtArchives(t *testing.T, dist string) {
	t.Helper()
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		into, name := t.TempDir(), "quern_"+older+"_linux_"+arch
		must(t, "tar", "xzf", filepath.Join(dist, name+".tar.gz"), "-C", into)
		binary := filepath.Join(into, name, "quern")
		f, err := elf.Open(binary)
		if err != nil {
			t.Fatal(err)
		}
		if f.Machine != machine {
			t.Errorf("the program for %s is for %v, want %v", arch, f.Machine, machine)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if arch == "amd64" {
			if text := must(t, binary, "version"); !strings.HasPrefix(text, "quern v"+older+" ") {
				t.Errorf("quern version = %s, want v%s", text, older)
			}
		}
		for _, page := range []string{"man/man1/quern.1", "man/man1/quern-backup-create.1"} {
			text := must(t, "man", "--warnings", "-l", filepath.Join(into, name, page))
			if !strings.Contains(text, "SYNOPSIS") || strings.Contains(text, "warning") {
				t.Errorf("man %s = %.300s, want a page without warnings", page, text)
			}
		}
		must(t, "bash", "-n", filepath.Join(into, name, "completions/quern.bash"))
		var bill struct{ Components []component }
		text, err := os.ReadFile(filepath.Join(dist, name+".cdx.json"))
		if err == nil {
			err = json.Unmarshal(text, &bill)
		}
		if err != nil || len(bill.Components) < 80 {
			t.Errorf("the SBOM for %s has %d components, %v, want all modules and packages", arch, len(bill.Components), err)
		}
		for _, c := range bill.Components {
			if len(c.Licences) == 0 && !strings.Contains(c.Name, "/lib/") {
				t.Errorf("%s %s has no licence in the SBOM: run make notices", c.Name, c.Version)
			}
		}
	}
}

// lookAtRPM installs the RPM into an empty root, and removes it. Nothing of the root's own
// is run: what it depends on, and its scripts, are looked at only.
func lookAtRPM(t *testing.T, dist string) {
	t.Helper()
	root := t.TempDir()
	name := filepath.Join(dist, "quern-"+older+"-1.x86_64.rpm")
	must(t, "rpm", "-K", "--nosignature", name)
	must(t, "rpm", "--root", root, "--nodeps", "--noscripts", "--nocaps", "--nosignature", "-i", name)
	must(t, filepath.Join(root, "usr/bin/quern"), "version")
	if text := must(t, "rpm", "-qp", "--requires", name); !strings.Contains(text, "glibc >= 2.") {
		t.Errorf("the RPM requires %s, want the C library", text)
	}
	must(t, "rpm", "--root", root, "--noscripts", "-e", "quern")
	if _, err := os.Stat(filepath.Join(root, "usr/bin/quern")); !os.IsNotExist(err) {
		t.Errorf("after rpm -e: %v, want the program gone", err)
	}
}

// bare is a Debian root with nothing in it but what debootstrap puts there.
type bare struct {
	t    *testing.T
	root string
}

func newBare(t *testing.T) *bare {
	t.Helper()
	b := &bare{t, filepath.Join(t.TempDir(), "root")}
	must(t, "debootstrap", "--variant=minbase", "--include=ca-certificates,libstdc++6,systemd,nginx,caddy", "bookworm", b.root)
	must(t, "mount", "-t", "proc", "proc", filepath.Join(b.root, "proc"))
	t.Cleanup(func() {
		if text, err := exec.CommandContext(context.Background(), "umount", filepath.Join(b.root, "proc")).CombinedOutput(); err != nil {
			t.Errorf("umount = %v %s", err, text)
		}
	})
	return b
}

func (b *bare) command(user string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(b.t.Context(), "chroot", append([]string{"--userspec=" + user, b.root}, args...)...)
	cmd.Env = []string{
		"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/nonexistent", "QUERN_CONFIG=/etc/quern/quern.toml", "DEBIAN_FRONTEND=noninteractive",
	}
	return cmd
}

func (b *bare) must(user string, args ...string) string {
	b.t.Helper()
	text, err := b.command(user, args...).CombinedOutput()
	name, _, _ := strings.Cut(user, ":")
	fmt.Fprintf(os.Stderr, "%s$ %s\n%s", name, strings.Join(args, " "), text) // the transcript of an installation
	if err != nil {
		b.t.Fatalf("in the root, %s = %v\n%s", strings.Join(args, " "), err, text)
	}
	return string(text)
}

// put copies a package into the root, and returns its path there.
func (b *bare) put(from, version string) string {
	b.t.Helper()
	name := "quern_" + version + "-1_amd64.deb"
	must(b.t, "cp", filepath.Join(from, name), b.root)
	return "/" + name
}

const address = "127.0.0.1:18473"

// serve starts the server as its unit does, with further settings, and returns what stops it.
func (b *bare) serve(environ ...string) (stop func()) {
	b.t.Helper()
	cmd := b.command("quern:quern", "/usr/bin/quern", "serve", "--listen", address)
	cmd.Env = append(cmd.Env, environ...)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for ; b.command("quern:quern", "quern", "ready", "http://"+address).Run() != nil; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			b.t.Fatalf("the server is not ready: %s", log.String())
		}
	}
	return func() {
		b.t.Helper()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			b.t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			b.t.Errorf("quern serve = %v, want a clean end: %s", err, log.String())
		}
	}
}

func (b *bare) call(method, path, token, body string) string {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, "http://"+address+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode/100 != 2 {
		b.t.Fatalf("%s %s = %d %s, %v", method, path, resp.StatusCode, text, err)
	}
	return string(text)
}

// Installed, started, asked, also through proxies, upgraded, cut off half-way, backed up, destroyed, restored,
// removed: in a bare Debian.
func TestDebInABareDebian(t *testing.T) { //nolint:paralleltest // one release is built at a time
	b := newBare(t)
	first, second := b.put(releaseOf(t, older), older), b.put(releaseOf(t, newer), newer)
	b.must("root:root", "dpkg", "-i", first)
	unit := b.must("root:root", "systemd-analyze", "verify", "--man=no", "/usr/lib/systemd/system/quern.service")
	if strings.Contains(unit, "quern") {
		t.Errorf("systemd-analyze verify = %s, want nothing about the unit", unit)
	}
	b.wantModes()

	b.must("quern:quern", "quern", "user", "add", "ada", "--generate")
	token := strings.TrimSpace(b.must("quern:quern", "quern", "token", "create", "--user", "ada"))
	stop := b.serve()
	b.call("POST", "/ingest/new/shop/orders", token, "")
	b.call("POST", "/ingest/shop/orders", token, `{"data":[{"id":1,"amount":5},{"id":2,"amount":7}]}`)
	ask := func(when string) {
		t.Helper()
		got := b.call("POST", "/query", token,
			`{"username":"self","namespace":"shop","includeMetadata":false,"query":"select sum(amount) as total from orders"}`)
		if !strings.Contains(got, `"total":12`) {
			t.Errorf("%s, the total is %s, want 12", when, got)
		}
	}
	ask("installed")
	stop()
	b.behindProxies(token)

	b.cutOff(second)
	b.must("root:root", "dpkg", "-i", second)
	if text := b.must("quern:quern", "quern", "version"); !strings.HasPrefix(text, "quern v"+newer+" ") {
		t.Errorf("after the upgrade, quern version = %s, want v%s", text, newer)
	}
	stop = b.serve()
	ask("upgraded")
	b.must("root:root", "install", "-d", "-o", "quern", "-m", "700", "/var/backups/quern")
	b.must("quern:quern", "quern", "backup", "create", "--to", "/var/backups/quern")
	stop()

	b.must("root:root", "find", "/var/lib/quern", "-mindepth", "1", "-delete")
	b.must("quern:quern", "quern", "backup", "restore", "--from", "/var/backups/quern")
	b.must("quern:quern", "quern", "doctor", "--checksums")
	stop = b.serve()
	ask("restored")
	stop()

	b.must("root:root", "dpkg", "--remove", "quern")
	for path, there := range map[string]bool{"/usr/bin/quern": false, "/etc/quern/quern.toml": true, "/var/lib/quern/quern.db": true} {
		if _, err := os.Stat(b.root + path); (err == nil) != there {
			t.Errorf("after the removal, %s: %v, want it there: %v", path, err, there)
		}
	}
	if text := b.must("root:root", "dpkg", "--purge", "quern"); !strings.Contains(text, "the data stay in /var/lib/quern") {
		t.Errorf("dpkg --purge = %s, want it to say that data stay", text)
	}
}

func (b *bare) wantModes() {
	b.t.Helper()
	for path, want := range map[string]string{
		"/usr/bin/quern": "755 root root", "/etc/quern": "750 root quern", "/etc/quern/quern.toml": "640 root quern",
		"/var/lib/quern": "700 quern quern",
	} {
		if got := strings.TrimSpace(b.must("root:root", "stat", "-c", "%a %U %G", path)); got != want {
			b.t.Errorf("%s has %s, want %s", path, got, want)
		}
	}
}

// cutOff begins to install a package and kills dpkg while it unpacks the program.
func (b *bare) cutOff(path string) {
	b.t.Helper()
	cmd := b.command("root:root", "dpkg", "-i", path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	half := filepath.Join(b.root, "usr/bin/quern.dpkg-new")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if info, err := os.Stat(half); err == nil && info.Size() > 0 {
			break
		}
		if time.Now().After(deadline) {
			b.t.Fatal("dpkg never unpacked the program")
		}
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		b.t.Fatal("dpkg ended well, want it killed half-way")
	}
	if text := b.must("quern:quern", "quern", "version"); !strings.HasPrefix(text, "quern v"+older+" ") {
		b.t.Errorf("after an upgrade that was cut off, quern version = %s, want v%s still", text, older)
	}
	fmt.Fprintln(os.Stderr, "dpkg was killed half-way")
}
