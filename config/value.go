package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quern"
)

// value is a setting's place in Config together with its type.
type value struct {
	kind string // what the documentation calls the type
	set  func(string) error
	text func() string
}

func parsed[T any](p *T, kind string, parse func(string) (T, error), show func(T) string) value {
	return value{
		kind: kind,
		set: func(text string) error {
			v, err := parse(text)
			if err == nil {
				*p = v
			}
			return err
		},
		text: func() string { return show(*p) },
	}
}

func same(s string) string { return s }

// text is any string.
func text(p *string) value {
	return parsed(p, "text", func(s string) (string, error) { return s, nil }, same)
}

// path is a file or directory; empty means none.
func path(p *string) value {
	v := text(p)
	v.kind = "path"
	return v
}

// word is one of a few.
func word(p *string, words ...string) value {
	return parsed(p, strings.Join(words, ", "), func(s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", fmt.Errorf("is none of %s", strings.Join(words, ", "))
		}
		return s, nil
	}, same)
}

// flag is yes or no.
func flag(p *bool) value {
	return parsed(p, "true, false", func(s string) (bool, error) {
		if s != "true" && s != "false" {
			return false, errors.New("is neither true nor false")
		}
		return s == "true", nil
	}, strconv.FormatBool)
}

// address is HOST:PORT to listen on.
func address(p *string) value {
	return parsed(p, "host:port", func(s string) (string, error) {
		_, port, err := net.SplitHostPort(s)
		if err != nil {
			return "", errors.New("is not HOST:PORT")
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n > 65535 {
			return "", fmt.Errorf("has the port %q, which is not a number from 0 to 65535", port)
		}
		return s, nil
	}, same)
}

// webURL is an absolute http or https address; empty means none. A slash at
// its end does not count.
func webURL(p *string) value {
	return parsed(p, "URL", func(s string) (string, error) {
		if s == "" {
			return "", nil
		}
		u, err := url.Parse(s)
		switch {
		case err != nil || !quern.IsWeb(u):
			return "", errors.New("is not an address that starts with http:// or https://")
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			return "", errors.New("carries a user, a query or a fragment, which have no meaning here")
		}
		return strings.TrimRight(s, "/"), nil
	}, same)
}

// origin is an address without a path: scheme, host and port.
func origin(p *string) value {
	v := webURL(p)
	set := v.set
	v.set = func(s string) error {
		if u, err := url.Parse(s); err == nil && strings.Trim(u.Path, "/") != "" {
			return errors.New("has a path, but only scheme, host and port have a meaning here")
		}
		return set(s)
	}
	return v
}

// postgresURL is the address of a PostgreSQL database; empty means none.
func postgresURL(p *string) value {
	return parsed(p, "URL", func(s string) (string, error) {
		if s == "" {
			return "", nil
		}
		u, err := url.Parse(s)
		if err != nil || !slices.Contains([]string{"postgres", "postgresql"}, u.Scheme) {
			return "", errors.New("is not an address that starts with postgres://")
		}
		return s, nil
	}, same)
}

// clusterURL is the address of a Trino cluster; empty means none.
func clusterURL(p *string) value {
	return parsed(p, "URL", func(s string) (string, error) {
		if s == "" {
			return "", nil
		}
		if u, err := url.Parse(s); err != nil || u.Scheme != "trino" || u.Hostname() == "" {
			return "", errors.New("is not an address of the form trino://host:port")
		}
		return s, nil
	}, same)
}

// duration is a positive length of time.
func duration(p *time.Duration) value { return lasting(p, 1) }

// delay is a length of time that may be none.
func delay(p *time.Duration) value { return lasting(p, 0) }

func lasting(p *time.Duration, least time.Duration) value {
	return parsed(p, "duration", func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil {
			return 0, errors.New("is not a duration such as 30s, 5m or 24h")
		}
		if d < least {
			return 0, errors.New("is too short")
		}
		return d, nil
	}, showDuration)
}

// showDuration drops the zero minutes and seconds that Duration.String writes.
func showDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// number is a whole number of at least least.
func number(p *int, least int) value {
	return parsed(p, "number", func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return 0, errors.New("is not a whole number")
		}
		if n < least {
			return 0, fmt.Errorf("is less than %d", least)
		}
		return n, nil
	}, strconv.Itoa)
}

// list reads words that commas separate, each with parse.
func list[T any](p *[]T, parse func(string) (T, error), show func(T) string) value {
	return parsed(p, "list", func(s string) ([]T, error) {
		var all []T
		for item := range strings.SplitSeq(s, ",") {
			item = strings.TrimSpace(item)
			if item == "" {
				continue
			}
			one, err := parse(item)
			if err != nil {
				return nil, fmt.Errorf("names %q, which %w", item, err)
			}
			all = append(all, one)
		}
		return all, nil
	}, func(all []T) string {
		words := make([]string, len(all))
		for i, one := range all {
			words[i] = show(one)
		}
		return strings.Join(words, ",")
	})
}

// origins is a list of web origins, or * alone for all of them.
func origins(p *[]string) value {
	v := list(p, func(item string) (string, error) {
		if item == "*" {
			return item, nil
		}
		var one string
		return strings.TrimRight(item, "/"), origin(&one).set(item)
	}, same)
	set := v.set
	v.set = func(s string) error {
		if err := set(s); err != nil {
			return err
		}
		if len(*p) > 1 && slices.Contains(*p, "*") {
			return errors.New("names * beside other origins")
		}
		return nil
	}
	return v
}

// words is a list of anything.
func words(p *[]string) value {
	return list(p, func(item string) (string, error) { return item, nil }, same)
}

// webURLs is a list of addresses, kept to the letter.
func webURLs(p *[]string) value {
	return list(p, func(item string) (string, error) {
		u, err := url.Parse(item)
		if err != nil || !quern.IsWeb(u) || u.User != nil || u.Fragment != "" {
			return "", errors.New("is not a whole http or https address without user or fragment")
		}
		return item, nil
	}, same)
}

// networks is a list of address ranges; a single address is a range of one.
func networks(p *[]netip.Prefix) value {
	return list(p, func(item string) (netip.Prefix, error) {
		if one, err := netip.ParseAddr(item); err == nil {
			return one.Prefix(one.BitLen())
		}
		network, err := netip.ParsePrefix(item)
		if err != nil {
			return network, errors.New("is not a network such as 10.0.0.0/8")
		}
		return network.Masked(), nil
	}, netip.Prefix.String)
}

// claimValue is a claim of a token and what it must say.
func claimValue(p *string) value {
	return parsed(p, "text", func(s string) (string, error) {
		if claim, says, ok := strings.Cut(s, "="); s != "" && (!ok || claim == "" || says == "") {
			return "", errors.New("is not CLAIM=VALUE")
		}
		return s, nil
	}, func(s string) string { return s })
}
