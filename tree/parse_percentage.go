package tree

import (
	"reflect"
	"strings"
)

// percentage reads the form that a Share or a Portion is printed in (printer.share),
// if one comes; other arithmetic is left to who reads that.
func (p *parser) percentage() (Expr, bool) {
	start := p.i
	if e, ok := p.share(); ok {
		return e, true
	}
	p.i = start
	return nil, false
}

func (p *parser) share() (Expr, bool) {
	if !p.takes("100.0", "*") {
		return nil, false
	}
	some, ok := p.measure()
	if !ok || !p.takes("/", "nullif", "(") {
		return nil, false
	}
	portion := some.Where == nil
	if portion && !p.takes("sum", "(") {
		return nil, false
	}
	all, ok := p.measure()
	where := some.Where
	some.Where = nil
	if !ok || !reflect.DeepEqual(some, all) {
		return nil, false
	}
	if portion {
		return Portion{all}, p.takes(")", "over", "(", ")", ",", "0", ")")
	}
	share := Share{Where: where}
	if !reflect.DeepEqual(all, rowCount) {
		share.Of = all
	}
	return share, p.takes(",", "0", ")")
}

// measure reads an aggregate.
func (p *parser) measure() (Aggregate, bool) {
	name := Func(strings.ToLower(p.peek().text))
	if _, ok := aggregateNames[name]; !ok {
		return Aggregate{}, false
	}
	n, err := p.primary()
	a, ok := n.(Aggregate)
	return a, ok && err == nil
}

// takes takes tokens, as far as they are those wanted.
func (p *parser) takes(all ...string) bool {
	for _, want := range all {
		t := p.peek()
		if t.kind == tokenText || t.kind == tokenName || !strings.EqualFold(t.text, want) {
			return false
		}
		p.take()
	}
	return true
}
