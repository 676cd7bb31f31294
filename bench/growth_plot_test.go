//go:build growth

package bench_test

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// The plot has a panel for each scale, two beside each other.
const (
	panelWidth, panelHeight = 470, 300
	left, right, top, foot  = 60, 150, 34, 44
)

// inks are of lines, in order.
var inks = []string{"#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#57606a"}

// plot draws scales as SVG, both axes by powers of ten; dotted is what is linear.
func plot(scales []*scale) string {
	rows := (len(scales) + 1) / 2
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n",
		2*panelWidth, rows*panelHeight)
	out.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	for i, s := range scales {
		fmt.Fprintf(&out, `<g transform="translate(%d %d)">`+"\n", i%2*panelWidth, i/2*panelHeight)
		newPanel(s).draw(&out)
		out.WriteString("</g>\n")
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// panel is the frame of one scale: its axes from and to powers of ten.
type panel struct {
	*scale
	xFrom, xTo, yFrom, yTo float64
}

func newPanel(s *scale) panel {
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range s.Lines {
		low, high = min(low, slices.Min(l.Values)), max(high, slices.Max(l.Values))
	}
	p := panel{scale: s, xFrom: math.Log10(float64(s.Sizes[0])), xTo: math.Log10(float64(s.Sizes[len(s.Sizes)-1])),
		yFrom: math.Floor(math.Log10(low)), yTo: math.Ceil(math.Log10(high))}
	p.xTo, p.yTo = max(p.xTo, p.xFrom+1), max(p.yTo, p.yFrom+1)
	return p
}

func (p panel) x(power float64) float64 {
	return left + (power-p.xFrom)/(p.xTo-p.xFrom)*(panelWidth-left-right)
}

func (p panel) y(power float64) float64 {
	return panelHeight - foot - (power-p.yFrom)/(p.yTo-p.yFrom)*(panelHeight-top-foot)
}

func (p panel) draw(out *strings.Builder) {
	text := func(x, y float64, anchor, ink, words string) {
		fmt.Fprintf(out, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, ink, html.EscapeString(words))
	}
	rule := func(x1, y1, x2, y2 float64, style string) {
		fmt.Fprintf(out, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#d0d7de"%s/>`+"\n", x1, y1, x2, y2, style)
	}
	text(left, top-14, "start", "black", p.What)
	for power := p.yFrom; power <= p.yTo; power++ {
		rule(left, p.y(power), panelWidth-right, p.y(power), "")
		text(left-6, p.y(power)+4, "end", "#57606a", fmt.Sprintf("%g", math.Pow(10, power)))
	}
	for _, n := range p.Sizes {
		at := p.x(math.Log10(float64(n)))
		rule(at, top, at, panelHeight-foot, "")
		text(at, panelHeight-foot+16, "middle", "#57606a", short(n))
	}
	steps := min(p.xTo-p.xFrom, p.yTo-p.yFrom)
	rule(p.x(p.xTo-steps), p.y(p.yTo-steps), p.x(p.xTo), p.y(p.yTo), ` stroke-dasharray="2 4" stroke-width="2"`)
	for i, l := range p.Lines {
		ink := inks[i%len(inks)]
		var points []string
		for j, v := range l.Values {
			points = append(points, fmt.Sprintf("%.1f,%.1f", p.x(math.Log10(float64(p.Sizes[j]))), p.y(math.Log10(v))))
		}
		fmt.Fprintf(out, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(points, " "), ink)
		text(panelWidth-right+8, float64(top+8+16*i), "start", ink, l.Name+", "+l.Unit)
	}
}
