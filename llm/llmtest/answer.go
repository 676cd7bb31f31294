package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Completion is what a double answers, in either interface.
type Completion struct {
	Text          string
	Input, Output int64  // tokens
	End           string // empty: it is whole; "cut" and "declined"
	Model         string // empty: the one that was asked for
}

// chatCompletion writes a completion as the chat completion object.
func chatCompletion(c Completion) any {
	message := map[string]any{"role": "assistant", "content": c.Text, "refusal": nil, "annotations": []any{}}
	finish := "stop"
	switch c.End {
	case "cut":
		finish = "length"
	case "declined":
		message["content"], message["refusal"] = nil, "I'm sorry, I can't help with that."
	}
	return map[string]any{
		"id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "object": "chat.completion", "created": 1741569952, "model": c.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "logprobs": nil, "finish_reason": finish}},
		"usage": map[string]any{
			"prompt_tokens": c.Input, "completion_tokens": c.Output, "total_tokens": c.Input + c.Output,
			"prompt_tokens_details": map[string]any{"cached_tokens": 0, "audio_tokens": 0},
		},
		"service_tier": "default", "system_fingerprint": "fp_44709d6fcb",
	}
}

// message writes a completion as the message object.
func message(c Completion) any {
	content, stop := []any{map[string]any{"type": "text", "text": c.Text, "citations": nil}}, "end_turn"
	switch c.End {
	case "cut":
		stop = "max_tokens"
	case "declined":
		content, stop = []any{}, "refusal"
	}
	return map[string]any{
		"id": "msg_013Zva2CMHLNnXjNJJKqJ2EF", "type": "message", "role": "assistant", "model": c.Model,
		"content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]any{
			"input_tokens": c.Input, "output_tokens": c.Output,
			"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "service_tier": "standard",
		},
	}
}

// Reply is one thing that a double does with a request that it takes.
type Reply func(s *Service, w http.ResponseWriter, r *http.Request, asked Asked)

// Says answers with a text.
func Says(text string) Reply { return Gives(Completion{Text: text, Input: 100, Output: 20}) }

// Gives answers with a completion.
func Gives(c Completion) Reply {
	return func(s *Service, w http.ResponseWriter, _ *http.Request, asked Asked) {
		if c.Model == "" {
			c.Model = asked.Model
		}
		s.write(w, 200, s.speaks.answer(c))
	}
}

// Fails answers with a status and the interface's error body; after, when not
// zero, is what Retry-After says.
func Fails(status int, after time.Duration) Reply {
	return func(s *Service, w http.ResponseWriter, _ *http.Request, _ Asked) {
		if after > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(after.Seconds())))
		}
		s.write(w, status, s.speaks.failure("api_error", "the key "+s.Key+" is not to be repeated"))
	}
}

// Sends answers with a status and any body.
func Sends(status int, contentType, body string) Reply {
	return func(_ *Service, w http.ResponseWriter, _ *http.Request, _ Asked) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// Redirects sends the caller to another address.
func Redirects(to string) Reply {
	return func(_ *Service, w http.ResponseWriter, _ *http.Request, _ Asked) {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
}

// Truncates promises a whole answer and ends in its middle.
func Truncates() Reply {
	return func(s *Service, w http.ResponseWriter, _ *http.Request, asked Asked) {
		whole, _ := json.Marshal(s.speaks.answer(Completion{Text: "cut off", Model: asked.Model}))
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
		fmt.Fprintf(w, "%s", whole[:len(whole)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Floods answers with more than anyone should read.
func Floods() Reply {
	return func(_ *Service, w http.ResponseWriter, _ *http.Request, _ Asked) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"`)
		block := strings.Repeat("x", 1<<20)
		for range 64 {
			if _, err := fmt.Fprint(w, block); err != nil {
				return
			}
		}
	}
}

// Stalls takes the request and answers nothing until the caller leaves.
func Stalls() Reply {
	return func(s *Service, _ http.ResponseWriter, r *http.Request, _ Asked) {
		select {
		case s.Stalled <- struct{}{}:
		default:
		}
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
}

// Drops closes the connection without an answer.
func Drops() Reply {
	return func(*Service, http.ResponseWriter, *http.Request, Asked) { panic(http.ErrAbortHandler) }
}
