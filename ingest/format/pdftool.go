package format

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"runtime"
	"time"
)

// pdfTool is the program that reads the text of PDF files, which is not part of
// ours, and what one reading may cost.
type pdfTool struct {
	name   string
	cpu    time.Duration // of computing
	wall   time.Duration // for a machine that has other things to do
	memory uint64
}

var pdfToText = pdfTool{name: "pdftotext", cpu: time.Minute, wall: 5 * time.Minute, memory: 2 << 30}

// read has the tool read a file and hands on what it writes. The tool ends with
// the context, with the server, and when it has spent what it may.
func (t pdfTool) read(ctx context.Context, path string, read func(io.Reader) error, options ...string) error {
	tool, err := exec.LookPath(t.name)
	if err != nil {
		return refuse("PDF files cannot be read: the program %s is not installed on the server", t.name)
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, t.wall)
	defer cancel()
	var problems bytes.Buffer
	run := exec.CommandContext(ctx, tool, append(options, "-enc", "UTF-8", path, "-")...) //nolint:gosec // a path of ours, never a shell
	run.Stderr, run.Env = &keptHead{to: &problems, left: 64 << 10}, []string{"LC_ALL=C.UTF-8"}
	out, err := run.StdoutPipe()
	if err != nil {
		return err
	}
	// The system ends the tool with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	endWithParent(run)
	if err := run.Start(); err != nil {
		return err
	}
	failed := limitProcess(run.Process.Pid, t.cpu, t.memory)
	if failed == nil {
		failed = read(out)
	}
	if failed != nil {
		cancel()
	}
	err = run.Wait()
	switch {
	case outer.Err() != nil:
		return outer.Err()
	case failed != nil:
		return failed
	case ctx.Err() != nil, overCPU(run.ProcessState):
		return refuse("the PDF file takes more than %v of computing to read", t.cpu)
	case bytes.Contains(problems.Bytes(), []byte("Incorrect password")):
		return refuse("the PDF file is encrypted; save it without a password")
	case err != nil:
		return refuse("the PDF file is damaged").Because(err)
	}
	return nil
}

// keptHead keeps the beginning of what is written and takes the rest in silence.
type keptHead struct {
	to   *bytes.Buffer
	left int
}

func (k *keptHead) Write(b []byte) (int, error) {
	n := min(len(b), k.left)
	k.left -= n
	k.to.Write(b[:n])
	return len(b), nil
}
