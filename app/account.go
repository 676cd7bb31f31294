package app

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"quern"
	"quern/auth"
	"quern/config"
)

// OpenAuth opens the users and tokens without a server, for commands that work
// beside one. The function it returns closes them. Where there are no metadata
// yet, it makes them if create says so, and otherwise fails and makes nothing.
func OpenAuth(ctx context.Context, cfg *config.Config, create bool) (*auth.Service, func() error, error) {
	if !create {
		if err := mustExist(cfg); err != nil {
			return nil, nil, err
		}
	}
	metadata, err := openStore(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	service, err := auth.New(auth.Options{Store: metadata, Log: slog.New(slog.DiscardHandler), Issuer: issuer(cfg)})
	if err != nil {
		return nil, nil, errors.Join(err, metadata.Close())
	}
	return service, func() error { return errors.Join(service.Close(), metadata.Close()) }, nil
}

// FirstUser adds a user with the sample namespace when there is no user yet, and
// returns its password, which is kept nowhere. The password is empty when there
// was a user already.
func (a *App) FirstUser(ctx context.Context, name string) (password string, err error) {
	users, err := a.parts.auth.Users(ctx)
	if err != nil || len(users) > 0 {
		return "", err
	}
	password = NewPassword()
	user, err := a.parts.auth.AddUser(ctx, name, password)
	if err != nil {
		return "", err
	}
	return password, a.addSample(ctx, user)
}

// NewPassword makes a password of 80 random bits that can be read out loud.
func NewPassword() string {
	const letters = "abcdefghjkmnpqrstuvwxyz023456789"
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	var password []byte
	for i, b := range random {
		if i > 0 && i%4 == 0 {
			password = append(password, '-')
		}
		password = append(password, letters[b%byte(len(letters))])
	}
	return string(password)
}

// quota is what users may use who have no quota of their own.
func quota(cfg *config.Config) (q quern.Quota) {
	limit := func(n int64) *int64 {
		if n == 0 {
			return nil
		}
		return &n
	}
	return quern.Quota{
		Bytes: limit(cfg.Quota.Bytes), Rows: limit(int64(cfg.Quota.Rows)), Questions: limit(int64(cfg.Quota.Questions)),
	}
}
