package sandbox

import (
	"fmt"
	"strings"
	"syscall"
)

// Guards says which guards of the operating system hold a worker. A positive
// number is a guard in force (of Landlock: its version), a negative one the
// error that kept it from being so.
type Guards struct {
	Landlock     int `json:"landlock"`     // files
	Seccomp      int `json:"seccomp"`      // network, programs, other processes
	Capabilities int `json:"capabilities"` // what root may beyond others
	Memory       int `json:"memory"`       // the limit on memory
}

// Missing names the guards that are not in force, and why.
func (g Guards) Missing() []string {
	var missing []string
	for _, guard := range []struct {
		name  string
		value int
	}{{"landlock", g.Landlock}, {"seccomp", g.Seccomp}, {"capabilities", g.Capabilities}, {"memory", g.Memory}} {
		if guard.value <= 0 {
			missing = append(missing, fmt.Sprintf("%s (%v)", guard.name, syscall.Errno(-guard.value)))
		}
	}
	return missing
}

// String writes the guards for a log line.
func (g Guards) String() string {
	text := fmt.Sprintf("landlock %d, seccomp, no capabilities, memory limit", g.Landlock)
	if missing := g.Missing(); len(missing) > 0 {
		return "without " + strings.Join(missing, ", ")
	}
	return text
}
