// Package relay speaks the Model Context Protocol over standard input and output, for
// assistants that start a program, and passes every message on to a server that speaks it
// over HTTP.
//
// It owns the way there and back: the token, the headers that HTTP wants, cancellation, and
// an answer for a call that got none. It never changes what it passes on and knows no tool: what there is,
// and what may be done, the server says. The failure it is built around is the server that was
// restarted while an assistant was running: the call hears of it, and the next one comes through.
package relay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Options says where messages come from and go to.
type Options struct {
	// Server is the server's address, such as https://quern.example, and Token the
	// one that calls carry.
	Server, Token string
	// Tokens, unless nil, gives the token of each call, in the place of Token.
	Tokens func(context.Context) (string, error)
	// In and Out are the assistant's end, a message on each line.
	In  io.Reader
	Out io.Writer
}

// mostCalls is how many messages are on their way at once.
const mostCalls = 32

// Run passes messages on until In ends and all calls were answered, or ctx ends. It fails at
// once when the server cannot be reached, or refuses the token.
func Run(ctx context.Context, o Options) error {
	r := &relay{
		Options: o, address: strings.TrimSuffix(o.Server, "/") + "/mcp", places: make(chan struct{}, mostCalls),
		calls: map[string]context.CancelFunc{},
	}
	there, err := r.post(ctx, []byte(`{"jsonrpc":"2.0","id":0,"method":"ping"}`), message{})
	if err != nil {
		return err
	}
	there.Body.Close()
	in := bufio.NewReader(o.In)
	var sent sync.WaitGroup
	defer sent.Wait()
	for ctx.Err() == nil {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.places <- struct{}{}
			sent.Go(func() {
				r.pass(ctx, line)
				<-r.places
			})
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// relay is one assistant's way to a server.
type relay struct {
	Options
	address string
	places  chan struct{}

	mu      sync.Mutex
	version string                        // of the protocol, as initialize agreed on it
	calls   map[string]context.CancelFunc // that are on their way, by their ids
	out     sync.Mutex
}

// message is what is read of a message to pass it on.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string                     `json:"name"`
		URI       string                     `json:"uri"`
		RequestID json.RawMessage            `json:"requestId"`
		Meta      map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
	Result struct {
		ProtocolVersion string `json:"protocolVersion"`
	} `json:"result"`
}

// pass passes one message on, and its answers back.
func (r *relay) pass(ctx context.Context, line []byte) {
	var m message
	_ = json.Unmarshal(line, &m) // the server says what is wrong with it
	if m.Method == "notifications/cancelled" {
		r.cancel(m.Params.RequestID)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if len(m.ID) > 0 {
		r.begin(string(m.ID), cancel)
		defer r.begin(string(m.ID), nil)
	}
	err := r.exchange(ctx, line, m)
	if err != nil && ctx.Err() == nil && len(m.ID) > 0 {
		said, _ := json.Marshal(err.Error())
		r.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%s}}`, m.ID, said))
	}
}

// begin notes how a call is cancelled; nil: it has ended.
func (r *relay) begin(id string, cancel context.CancelFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel == nil {
		delete(r.calls, id)
		return
	}
	r.calls[id] = cancel
}

// cancel ends a call: over HTTP that is to leave it.
func (r *relay) cancel(id json.RawMessage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.calls[string(id)]; cancel != nil {
		cancel()
	}
}

// write sends a message to the assistant.
func (r *relay) write(m []byte) {
	r.out.Lock()
	defer r.out.Unlock()
	_, _ = r.Out.Write(append(bytes.TrimSpace(m), '\n')) // an assistant that is gone closes its end too
}

// exchange sends a message and writes what comes back. It fails when a call gets no answer.
func (r *relay) exchange(ctx context.Context, line []byte, m message) error {
	answer, err := r.post(ctx, line, m)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusAccepted {
		return nil
	}
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		return r.whole(answer.Body, m)
	}
	return r.events(answer.Body, m)
}

// whole writes an answer that is one message.
func (r *relay) whole(body io.Reader, m message) error {
	text, err := io.ReadAll(body)
	if err != nil {
		return errCut
	}
	var oneLine bytes.Buffer
	if err := json.Compact(&oneLine, text); err != nil {
		return errCut
	}
	r.receive(oneLine.Bytes(), m)
	return nil
}

var errCut = errors.New("the server broke off in the middle of its answer")

// events writes the messages of a stream, the last of which is the answer.
func (r *relay) events(body io.Reader, m message) error {
	in, answered := bufio.NewReader(body), false
	for {
		line, err := in.ReadBytes('\n')
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok && err == nil { // half a line is no message
			answered = r.receive(data, m) || answered
		}
		if err == nil {
			continue
		}
		if !answered {
			return errCut
		}
		return nil
	}
}

// receive writes a message of the server's and reports whether it is the answer to m.
func (r *relay) receive(data []byte, m message) bool {
	var got message
	_ = json.Unmarshal(data, &got) // the assistant says what is wrong with it
	answers := got.Method == "" && bytes.Equal(got.ID, m.ID)
	if answers && m.Method == "initialize" {
		r.mu.Lock()
		r.version = got.Result.ProtocolVersion
		r.mu.Unlock()
	}
	r.write(data)
	return answers
}

// post sends a message with the headers that HTTP wants of it. It fails unless the answer
// is one of the protocol.
func (r *relay) post(ctx context.Context, body []byte, m message) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	token := r.Token
	if r.Tokens != nil {
		if token, err = r.Tokens(ctx); err != nil {
			return nil, err
		}
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	r.describe(req.Header, m)
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("the server does not answer: %w", err)
	}
	if answer.StatusCode < 300 {
		return answer, nil
	}
	defer answer.Body.Close()
	return refusal(answer)
}

// describe sets the headers that repeat what a message says.
func (r *relay) describe(h http.Header, m message) {
	r.mu.Lock()
	version := r.version
	r.mu.Unlock()
	_ = json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/protocolVersion"], &version) // older messages have none
	for name, value := range map[string]string{
		"Mcp-Protocol-Version": version, "Mcp-Method": m.Method, "Mcp-Name": m.Params.Name + m.Params.URI,
	} {
		if value != "" {
			h.Set(name, value)
		}
	}
}

// refusal returns an answer that is a message of the protocol in spite of its status, or
// fails with what another one says.
func refusal(answer *http.Response) (*http.Response, error) {
	const most = 1 << 20
	text, _ := io.ReadAll(io.LimitReader(answer.Body, most)) // what there is of it
	var said struct {
		Version string `json:"jsonrpc"`
		Message string `json:"message"`
	}
	_ = json.Unmarshal(text, &said) // the status tells enough
	switch {
	case said.Version != "":
		answer.Body = io.NopCloser(bytes.NewReader(text))
		return answer, nil
	case answer.StatusCode == http.StatusUnauthorized:
		return nil, errors.New("the server refuses the token")
	case said.Message != "":
		return nil, errors.New("the server refuses the message: " + said.Message)
	}
	return nil, fmt.Errorf("the server refuses the message: %s", answer.Status)
}
