package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pseudoTerminal returns both ends of a terminal of some width.
func pseudoTerminal(t *testing.T, wide uint16) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatalf("/dev/ptmx = %v, want a pseudo-terminal", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	fd := int(keyboard.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: wide}); err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return keyboard, terminal
}

// screen is what a terminal has shown.
type screen struct {
	t        *testing.T
	keyboard *os.File
	mu       sync.Mutex
	shown    bytes.Buffer
	seen     int
}

func (s *screen) follow() {
	page := make([]byte, 4096)
	for {
		n, err := s.keyboard.Read(page)
		s.mu.Lock()
		s.shown.Write(page[:n])
		s.mu.Unlock()
		if err != nil {
			return // the program has ended
		}
	}
}

// await waits for text behind what was waited for before.
func (s *screen) await(text string) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		at := strings.Index(s.shown.String()[s.seen:], text)
		if at >= 0 {
			s.seen += at + len(text)
		}
		s.mu.Unlock()
		if at >= 0 {
			return
		}
	}
	s.t.Fatalf("the terminal does not show %q, but %q", text, s.shown.String()[s.seen:])
}

// typeKeys types.
func (s *screen) typeKeys(keys string) {
	s.t.Helper()
	if _, err := s.keyboard.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

func TestAConversationAtATerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	keyboard, terminal := pseudoTerminal(t, 60)
	cmd := exec.Command(binary, "ask", "-n", "harbour")
	cmd.Env = append(h.environ, "QUERN_SERVER="+s.url, "QUERN_TOKEN="+token)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	sc := &screen{t: t, keyboard: keyboard}
	go sc.follow()

	sc.await("> ")
	sc.typeKeys("how many shipsX\x7f are there?\r") // a mistake, taken back
	sc.await("There are 12 ships.")
	sc.await("> ")
	sc.typeKeys("half a question\x03\\sql\r") // Ctrl-C empties the line
	sc.await("SELECT count(*)")
	sc.await("> ")
	sc.typeKeys("\x1b[A\x1b[A\r") // the line before the last one
	sc.await("There are 12 ships.")
	sc.await("> ")
	sc.typeKeys("how many ships of each kind?\r")
	sc.await("container ship")
	sc.await("> ")
	sc.typeKeys("\\chart\r")
	sc.await("█")
	sc.await("> ")
	sc.typeKeys("\\sql select arrival, ship, cargo, arrived, departed from arrivals limit 1\r")
	sc.await("…") // it is wider than the terminal
	sc.await("> ")
	sc.typeKeys("\\help\r")
	sc.await("ends, as Ctrl-D does")
	sc.await("> ")
	sc.typeKeys("\\quit\r")
	if err := cmd.Wait(); err != nil {
		t.Errorf("quern ask ends with %v, want code 0", err)
	}
	piped := h.run("how many ships are there?\n\\sql\n", "ask", "-n", "harbour", "--server", s.url, "--token", token)
	if piped.code != 0 || !strings.Contains(piped.out, "There are 12 ships.") || strings.Contains(piped.out, "> ") {
		t.Errorf("quern ask with a pipe = %+v, want the answer without a prompt", piped)
	}
}
