package app

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestCallerAddress(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, tt := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"192.0.2.1:99", nil, "192.0.2.1"},
		{"192.0.2.1:99", []string{"203.0.113.9"}, "192.0.2.1"}, // a stranger's word
		{"10.0.0.1:99", nil, "10.0.0.1"},
		{"10.0.0.1:99", []string{"203.0.113.9"}, "203.0.113.9"},
		{"10.0.0.1:99", []string{"1.1.1.1, 203.0.113.9, 10.0.0.2"}, "203.0.113.9"}, // 1.1.1.1 was made up
		{"10.0.0.1:99", []string{"203.0.113.9", "10.0.0.2"}, "203.0.113.9"},
		{"10.0.0.1:99", []string{"nonsense"}, "10.0.0.1"},
		{"[::1]:99", []string{"2001:db8::1"}, "2001:db8::1"},
		{"[::ffff:10.0.0.1]:99", []string{"203.0.113.9"}, "203.0.113.9"},
		{"pipe", nil, "pipe"},
	} {
		r := &http.Request{RemoteAddr: tt.peer, Header: http.Header{"X-Forwarded-For": tt.forwarded}}
		if got := callerAddress(trusted)(r); got != tt.want {
			t.Errorf("callerAddress(%s, %v) = %s, want %s", tt.peer, tt.forwarded, got, tt.want)
		}
	}
}
