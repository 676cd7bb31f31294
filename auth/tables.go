package auth

import (
	"context"
	"errors"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"quern"
	"quern/store"
)

const (
	// tablesAudience is where tokens for tables are good.
	tablesAudience = "quern:tables"
	// MaxTables is the most datasets of one token for tables: it travels in headers.
	MaxTables = 64
	// maxTablesLife bounds how long a token for tables may be good.
	maxTablesLife = time.Hour
)

// tablesClaims is what a token for tables says beside who it is for.
type tablesClaims struct {
	Proof    quern.TokenID     `json:"prf,omitempty"`
	Datasets []quern.DatasetID `json:"dst"`
}

// TablesToken is a token for tables, with the id that tells it from others.
type TablesToken struct{ Secret, ID string }

// SignTables makes a token with which another engine reads some datasets as the
// principal does. It is good for a while at the catalog of tables, which ForTables
// guards, and nowhere else; nothing of it is kept. Every request made with it asks the
// store whether who asked is still good, and what is read, whether they may read it.
func (s *Service) SignTables(ctx context.Context, p quern.Principal, datasets []quern.DatasetID, life time.Duration) (TablesToken, error) {
	switch {
	case len(datasets) == 0 || len(datasets) > MaxTables:
		return TablesToken{}, errors.New("auth: a token for tables is for 1 to 64 datasets")
	case life <= 0 || life > maxTablesLife:
		return TablesToken{}, errors.New("auth: a token for tables lives for an hour at most")
	}
	if err := s.keys.ensure(ctx); err != nil {
		return TablesToken{}, err
	}
	now, id := s.now(), quern.NewID[string]()
	said := jwt.Claims{
		Issuer: apiIssuer, Audience: jwt.Audience{tablesAudience}, Subject: string(p.User.ID), ID: id,
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(life)),
	}
	var secret string
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		secret, _, err = s.keys.sign(ctx, tx, typeTables, said, tablesClaims{p.Proof(), datasets})
		return err
	})
	return TablesToken{secret, id}, err
}

// ForTables believes what Authenticate does, and tokens for tables.
func (s *Service) ForTables() Tables { return Tables{s} }

// Tables is a service at the catalog of tables.
type Tables struct{ service *Service }

// Authenticate returns the principal that a bearer token proves; that of a token for
// tables sees its datasets alone, and ends with it.
func (t Tables) Authenticate(ctx context.Context, bearer string) (quern.Principal, error) {
	if e, err := open(bearer); err == nil && e.kind == typeTables {
		return t.service.authenticateTables(ctx, e)
	}
	return t.service.Authenticate(ctx, bearer)
}

func (s *Service) authenticateTables(ctx context.Context, e *envelope) (quern.Principal, error) {
	var t tablesClaims
	c, err := s.own(ctx, e, typeTables, expectation{issuer: apiIssuer, audience: tablesAudience}, &t)
	if err != nil {
		return quern.Principal{}, err
	}
	if len(t.Datasets) == 0 {
		return quern.Principal{}, refuse(detailInvalid).Because(errors.New("token for no table"))
	}
	p, err := s.Still(ctx, quern.UserID(c.Subject), t.Proof)
	if quern.Is(err, quern.Forbidden) {
		return quern.Principal{}, refuse(detailAsker).Because(err)
	}
	if err != nil {
		return quern.Principal{}, err
	}
	p.Datasets, p.Until, p.ReadOnly = t.Datasets, c.Expiry.Time(), true
	return p, nil
}
