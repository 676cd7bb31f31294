package signin

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// Login is a sign-in at one server.
type Login struct {
	Server    string    `json:"server"`
	Username  string    `json:"username"`
	Issuer    string    `json:"issuer"`
	ClientID  string    `json:"clientId"`
	TokenURL  string    `json:"tokenUrl"`
	RevokeURL string    `json:"revokeUrl,omitempty"`
	Access    string    `json:"accessToken"`
	Refresh   string    `json:"refreshToken,omitempty"`
	ExpiresAt time.Time `json:"expiresAt,omitzero"` // of Access; zero: the provider did not say
}

// File keeps sign-ins, for its owner's eyes only.
type File struct{ Path string }

// maxFile bounds the file.
const maxFile = 1 << 20

// content is what the file holds. Current is the server that was signed in to last.
type content struct {
	Current string  `json:"current,omitempty"`
	Logins  []Login `json:"logins"`
}

// ErrNone says that nobody is signed in at a server.
var ErrNone = errors.New("nobody is signed in")

// ErrOpen is a file that others may read.
type ErrOpen struct {
	Path string
	Mode fs.FileMode
}

func (e *ErrOpen) Error() string {
	return fmt.Sprintf("%s can be read by others (mode %04o), and is not used: 'chmod 600 %s' makes it yours alone; "+
		"if somebody may have read it, sign out with 'quern logout' then", e.Path, e.Mode.Perm(), e.Path)
}

// read reads the file; one that is not there holds nothing.
func (f File) read() (content, error) {
	var c content
	file, err := os.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return c, err
	case !info.Mode().IsRegular():
		return c, fmt.Errorf("%s is no file", f.Path)
	case info.Mode().Perm()&0o077 != 0:
		return c, &ErrOpen{f.Path, info.Mode()}
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return c, fmt.Errorf("the sign-ins in %s cannot be read: %w", f.Path, err)
	}
	return c, nil
}

// write puts content in the place of what the file holds, whole or not at all.
func (f File) write(c content) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	half := f.Path + "." + rand.Text()[:8]
	file, err := os.OpenFile(half, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(half, f.Path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half))
	}
	return nil
}

// change has fn change what the file holds, while no other process does.
func (f File) change(fn func(*content) error) error {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return err
	}
	lock, err := os.OpenFile(f.Path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // which gives the lock back
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("%s cannot be locked: %w", f.Path, err)
	}
	c, err := f.read()
	if err != nil {
		return err
	}
	if err := fn(&c); err != nil {
		return err
	}
	return f.write(c)
}

func (c *content) find(server string) int {
	return slices.IndexFunc(c.Logins, func(l Login) bool { return l.Server == server })
}

// Keep keeps a sign-in, in the place of one at the same server, and returns that one: the
// zero one when there was none.
func (f File) Keep(l Login) (former Login, err error) {
	return former, f.change(func(c *content) error {
		if i := c.find(l.Server); i >= 0 {
			former, c.Logins[i] = c.Logins[i], l
		} else {
			c.Logins = append(c.Logins, l)
		}
		c.Current = l.Server
		return nil
	})
}

// Drop forgets the sign-in at a server and returns it; ErrNone when there is none.
func (f File) Drop(server string) (l Login, err error) {
	return l, f.change(func(c *content) error {
		i := c.find(server)
		if i < 0 {
			return ErrNone
		}
		l = c.Logins[i]
		c.Logins = slices.Delete(c.Logins, i, i+1)
		if c.Current == server {
			c.Current = ""
		}
		return nil
	})
}

// Login returns the sign-in at a server; ErrNone when there is none.
func (f File) Login(server string) (Login, error) {
	c, err := f.read()
	if err != nil {
		return Login{}, err
	}
	if i := c.find(server); i >= 0 {
		return c.Logins[i], nil
	}
	return Login{}, ErrNone
}

// Logins lists the sign-ins, oldest first, and the server that was signed in to last; empty
// when that is signed out of.
func (f File) Logins() (all []Login, current string, err error) {
	c, err := f.read()
	return c.Logins, c.Current, err
}
