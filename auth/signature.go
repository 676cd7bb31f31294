package auth

import (
	"crypto/sha256"
	"sync"

	"quern"
)

// maxSignatures bounds of how many tokens it is kept that their signature is right.
const maxSignatures = 4096

// signatures are tokens whose signature was found to be right: whoever asks often sends the same
// token each time, and to check it takes longer than all else that is asked about it. A token is
// known by all its bytes, in them the key that signed it. What the token says, and
// whether its key is still trusted, is checked each time.
type signatures struct {
	mu    sync.Mutex
	right map[[sha256.Size]byte]struct{}
}

// verify is the envelope's, which need not check a signature twice.
func (s *signatures) verify(e *envelope, key any, dest ...any) error {
	digest := sha256.Sum256([]byte(e.raw))
	s.mu.Lock()
	_, right := s.right[digest]
	s.mu.Unlock()
	if right {
		return readClaims(e.signed.UnsafePayloadWithoutVerification(), dest)
	}
	if err := e.verify(key, dest...); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.right == nil || len(s.right) >= maxSignatures {
		s.right = map[[sha256.Size]byte]struct{}{}
	}
	s.right[digest] = struct{}{}
	return nil
}

// Signatures is of how many tokens it is kept that their signature is right.
func (s *Service) Signatures() quern.Room {
	s.signatures.mu.Lock()
	defer s.signatures.mu.Unlock()
	return quern.Room{Taken: int64(len(s.signatures.right)), Limit: maxSignatures}
}
