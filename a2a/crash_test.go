package a2a_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/a2a"
	"quern/ask"
	"quern/auth"
	"quern/auth/authtest"
	"quern/catalog"
	"quern/push"
	"quern/run"
	"quern/server"
	"quern/store"
	"quern/store/storetest"
)

// dirVariable makes the test binary a server over the store in a folder.
const dirVariable = "QUERN_A2A_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(dirVariable); dir != "" {
		if err := serveDir(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// serveDir serves until it is killed. Its agents' steps wait until there is a
// file named open.
func serveDir(dir string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{File: filepath.Join(dir, "quern.db")})
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	users, err := auth.New(auth.Options{Store: s, Log: log, Cost: auth.Cost{Memory: 64, Time: 1, Threads: 1}})
	if err != nil {
		return err
	}
	names := catalog.New(catalog.Options{Store: s, Now: time.Now, Grace: time.Hour})
	agent := waiting{scripts: newScripts(), dir: dir}
	runs := run.New(run.Options{
		Store: s, Catalog: names, Log: log, Alone: true, Still: users.Still,
		Agents: map[quern.AgentKind]ask.Agent{quern.AgentNL2QL: agent, quern.AgentAssistant: agent},
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	sender := push.New(push.Options{Store: s, Private: true, Alone: true, Log: log})
	edge, err := a2a.New(a2a.Options{
		Auth: users, Usage: users, Still: users.Still, Catalog: names, Runs: runs, Push: sender,
		PublicURL: "http://" + listener.Addr().String(),
	})
	if err != nil {
		return err
	}
	srv, err := server.New(server.Options{Handler: edge, Log: log})
	if err != nil {
		return err
	}
	go runs.Work(ctx)
	go sender.Work(ctx, edge)
	fmt.Println(listener.Addr())
	return srv.Serve(ctx, listener)
}

// waiting is an agent whose steps wait for a file.
type waiting struct {
	*scripts
	dir string
}

func (w waiting) Step(ctx context.Context, work ask.Work, i int) (quern.Step, error) {
	fmt.Println("step")
	for {
		if _, err := os.Stat(filepath.Join(w.dir, "open")); err == nil {
			return w.scripts.Step(ctx, work, i)
		}
		select {
		case <-ctx.Done():
			return quern.Step{}, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// process is a server of its own.
type process struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
}

// startProcess starts a server and points the house at it.
func (h *house) startProcess(dir string) *process {
	h.t.Helper()
	p := &process{cmd: exec.CommandContext(h.t.Context(), os.Args[0])}
	p.cmd.Env = append(os.Environ(), dirVariable+"="+dir)
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	must(h.t, err)
	must(h.t, p.cmd.Start())
	h.t.Cleanup(func() { _ = p.kill() })
	p.lines = bufio.NewScanner(out)
	if !p.lines.Scan() {
		h.t.Fatal("the server did not start")
	}
	h.url = "http://" + p.lines.Text()
	return p
}

// kill ends the server as a power cut would.
func (p *process) kill() error {
	_ = p.cmd.Process.Kill()
	return p.cmd.Wait()
}

func TestTasksOfAKilledServerAreFinished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := &house{t: t, tokens: map[string]string{}, http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	s := storetest.Open(t, store.Options{File: filepath.Join(dir, "quern.db")})
	h.auth = authtest.New(t, auth.Options{Store: s})
	h.catalog = catalog.New(catalog.Options{Store: s, Now: time.Now, Grace: time.Hour})
	h.people()
	address, told := hook(t)

	first := h.startProcess(dir)
	stream := h.stream("assistant", "ada", "SendStreamingMessage", with(message("How many ships?", nil), "configuration", map[string]any{
		"taskPushNotificationConfig": map[string]any{"url": address},
	}))
	id := at(stream.next(), "task", "id")
	if !first.lines.Scan() || first.lines.Text() != "step" {
		t.Fatalf("the server printed %q, want that it works on a step", first.lines.Text())
	}
	wantWords(t, "what a receiver is told before", hear(told, 3), assistantOrder[:3]...)
	_ = first.kill()

	second := h.startProcess(dir)
	if !second.lines.Scan() {
		t.Fatal("the second server does not take up the step")
	}
	again := h.stream("assistant", "ada", "SubscribeToTask", map[string]any{"id": id})
	if got := word(again.next()); got != "task working" {
		t.Errorf("the task after the restart = %s, want it working", got)
	}
	must(t, os.WriteFile(filepath.Join(dir, "open"), nil, 0o600))
	wantWords(t, "the rest of the task", again.rest(), assistantOrder[3:]...)
	task, failure := h.rpc("assistant", "ada", "GetTask", map[string]any{"id": id})
	if failure != nil || at(task, "status", "state") != "TASK_STATE_COMPLETED" || len(at(task, "artifacts").([]any)) != 2 {
		t.Errorf("the task at the end = %v, %v, want it completed with a step and an answer", task, failure)
	}
	after := hear(told, 3)
	for after[len(after)-1] != "completed" {
		after = append(after, <-told)
	}
	if after[0] == "working" {
		after = after[1:] // the server was killed before it noted that this was told
	}
	wantWords(t, "what a receiver is told after", after, assistantOrder[3:]...)
	if got := at(task, "artifacts", 1, "parts", 0, "text"); !strings.Contains(fmt.Sprint(got), "42") {
		t.Errorf("the answer = %v, want the one of the script", got)
	}
}
