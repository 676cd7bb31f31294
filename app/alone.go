package app

import (
	"errors"
	"fmt"
	"os"

	"quern/config"
)

// alone takes the data directory, if there is one, so that no server starts in it.
func alone(cfg *config.Config) (unlock func() error, err error) {
	if _, err := os.Stat(cfg.Data); errors.Is(err, os.ErrNotExist) {
		return func() error { return nil }, nil
	}
	unlock, err = lock(cfg.Data)
	if _, inUse := errors.AsType[*inUseError](err); inUse {
		return nil, fmt.Errorf("a server is running in the data directory %s: stop it first", cfg.Data)
	}
	return unlock, err
}
