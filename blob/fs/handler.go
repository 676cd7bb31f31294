package fs

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"quern"
	"quern/blob"
)

// Handler takes parts at the URLs that PresignPart gave. It is to be mounted at
// PathPrefix, below whatever path a proxy leaves in front of it. Bodies go to
// disk through buffers of fixed size, however long they are.
func (s *Store) Handler() http.Handler { return http.HandlerFunc(s.serve) }

func (s *Store) serve(w http.ResponseWriter, r *http.Request) {
	allowAnyOrigin(w, r)
	switch r.Method {
	case http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
		return
	case http.MethodPut:
	default:
		w.Header().Set("Allow", "PUT, OPTIONS")
		writeError(w, r, errMethod)
		return
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		w.Header().Set("Retry-After", "1")
		writeError(w, r, errBusy)
		return
	}
	etag, err := s.servePart(w, r)
	if err != nil {
		writeError(w, r, err)
		return
	}
	w.Header().Set("ETag", `"`+etag+`"`)
	w.WriteHeader(http.StatusOK)
}

func (s *Store) servePart(w http.ResponseWriter, r *http.Request) (string, error) {
	slot, err := s.verify(r.URL)
	if err != nil {
		return "", err
	}
	if r.ContentLength >= 0 && r.ContentLength != slot.Size {
		return "", errSize
	}
	sum := ""
	if given := r.Header.Get("Content-MD5"); given != "" {
		raw, err := base64.StdEncoding.DecodeString(given)
		if err != nil || len(raw) != 16 {
			return "", errDigest
		}
		sum = hex.EncodeToString(raw)
	}
	conn := http.NewResponseController(w)
	etag, err := s.receivePart(r.Context(), slot, &stallReader{r.Body, conn, s.stall}, sum)
	// The server's own write deadline may have passed while the body came in.
	conn.SetWriteDeadline(time.Now().Add(s.stall))
	return etag, err
}

// stallReader reads a body for however long it takes, as long as it moves.
type stallReader struct {
	body  io.Reader
	conn  *http.ResponseController
	stall time.Duration
}

func (p *stallReader) Read(b []byte) (int, error) {
	p.conn.SetReadDeadline(time.Now().Add(p.stall))
	n, err := p.body.Read(b)
	if err != nil && err != io.EOF {
		err = errCut.Because(err)
	}
	return n, err
}

var (
	errMethod = quern.E(quern.Unsupported, quern.CodeMethodNotAllowed, "a part is sent with PUT")
	errBusy   = quern.E(quern.Unavailable, quern.CodeUnavailable, "too many parts are being received")
	errSize   = quern.E(quern.Invalid, quern.CodeInvalid, "the body does not have the size that the URL was signed for")
	errCut    = quern.E(quern.Malformed, quern.CodeInvalid, "the body was cut off")
)

var statuses = map[quern.Kind]int{
	quern.Malformed:   http.StatusBadRequest,
	quern.Forbidden:   http.StatusForbidden,
	quern.NotFound:    http.StatusNotFound,
	quern.Conflict:    http.StatusConflict,
	quern.Unsupported: http.StatusMethodNotAllowed,
	quern.Invalid:     http.StatusUnprocessableEntity,
	quern.Unavailable: http.StatusServiceUnavailable,
}

// writeError answers with the error body of the contract.
func writeError(w http.ResponseWriter, r *http.Request, err error) {
	e, ok := errors.AsType[*quern.Error](err)
	if !ok {
		e = quern.E(quern.Internal, quern.CodeInternal, "the part could not be stored")
	}
	status, known := statuses[e.Kind]
	if !known {
		status = http.StatusInternalServerError
		slog.ErrorContext(r.Context(), "part not stored", "error", quern.LogText(err))
	}
	w.Header().Set("Content-Type", "application/json")
	// What is left of the body is not worth reading.
	w.Header().Set("Connection", "close")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct {
		Code    quern.Code `json:"error_code"`
		Message string     `json:"message"`
	}{e.Code, e.Detail})
}

// allowAnyOrigin lets pages of any origin send parts and read ETags, as a bucket
// for browsers does: the right to send lies in the URL's signature, and no cookie
// is looked at.
func allowAnyOrigin(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-Id")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "PUT")
		h.Set("Access-Control-Allow-Headers", "*")
		h.Set("Access-Control-Max-Age", "3600")
	}
}

var _ interface {
	blob.Store
	blob.Multipart
	blob.Files
} = (*Store)(nil)
