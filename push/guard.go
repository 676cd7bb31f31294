package push

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"
)

const (
	dialTime   = 5 * time.Second
	answerTime = 10 * time.Second
)

// errNotPublic is why a connection was not made.
var errNotPublic = errors.New("push: the address is not public")

// notPublic are the networks that are not the public internet, beside those that
// netip knows.
var notPublic = prefixes(
	"0.0.0.0/8",         // this network
	"100.64.0.0/10",     // between a carrier and its customers
	"192.0.0.0/24",      // protocol assignments
	"192.0.2.0/24",      // documentation
	"192.88.99.0/24",    // relays to IPv6
	"198.18.0.0/15",     // benchmarks
	"198.51.100.0/24",   // documentation
	"203.0.113.0/24",    // documentation
	"240.0.0.0/4",       // reserved, and broadcast
	"::/96",             // IPv4 in IPv6, as it was once written
	"64:ff9b::/96",      // IPv4 behind a translator
	"64:ff9b:1::/48",    // IPv4 behind a translator of one's own
	"100::/64",          // discarded
	"2001::/23",         // protocol assignments, Teredo among them
	"2001:db8::/32",     // documentation
	"2002::/16",         // IPv4 in IPv6
	"3fff::/20",         // documentation
	"5f00::/16",         // segment routing
	"fec0::/10",         // sites
	"169.254.0.0/16",    // link-local: where clouds keep their secrets
	"fd00:ec2::254/128", // the same, in IPv6
)

func prefixes(all ...string) []netip.Prefix {
	made := make([]netip.Prefix, len(all))
	for i, text := range all {
		made[i] = netip.MustParsePrefix(text)
	}
	return made
}

// Public reports whether an address is one of the public internet.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, network := range notPublic {
		if network.Contains(ip) {
			return false
		}
	}
	return true
}

func resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// NewClient makes a client for addresses that callers name: it connects to the public
// internet only, to what it has looked at, follows no redirect and uses no proxy.
func NewClient() *http.Client { return newClient(false, resolve) }

// newClient makes a client that dials what it has looked at, follows no
// redirect, and uses no proxy: a proxy would dial what nobody has looked at.
func newClient(private bool, resolve func(context.Context, string) ([]netip.Addr, error)) *http.Client {
	dialer := &net.Dialer{Timeout: dialTime}
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			ips, err := resolved(ctx, host, resolve)
			if err != nil {
				return nil, err
			}
			return dial(ctx, dialer, network, ips, port, private)
		},
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   dialTime,
		ResponseHeaderTimeout: answerTime,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          32,
		MaxIdleConnsPerHost:   2,
		IdleConnTimeout:       time.Minute,
	}
	return &http.Client{
		Transport:     transport,
		Timeout:       answerTime + dialTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func resolved(ctx context.Context, host string, resolve func(context.Context, string) ([]netip.Addr, error)) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	return resolve(ctx, host)
}

// dial connects to the first address that answers. One that is not public makes
// the whole name suspect.
func dial(ctx context.Context, dialer *net.Dialer, network string, ips []netip.Addr, port string, private bool) (net.Conn, error) {
	for _, ip := range ips {
		if !private && !Public(ip) {
			return nil, fmt.Errorf("%w: %s", errNotPublic, ip)
		}
	}
	err := errors.New("push: the name has no address")
	for _, ip := range ips {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(ip.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}
