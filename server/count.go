package server

import "github.com/prometheus/client_golang/prometheus"

// Count is something that a part of the program counts for as long as it runs,
// apart for each value of a label.
type Count struct {
	Name, Help, Label string
	Values            func() map[string]int64
	Gauge             bool // it may also fall
}

func (c Count) desc() *prometheus.Desc {
	return prometheus.NewDesc(c.Name, c.Help, []string{c.Label}, nil)
}

// Describe tells the registry what there is.
func (c Count) Describe(all chan<- *prometheus.Desc) { all <- c.desc() }

// Collect asks the part.
func (c Count) Collect(all chan<- prometheus.Metric) {
	kind := prometheus.CounterValue
	if c.Gauge {
		kind = prometheus.GaugeValue
	}
	for label, n := range c.Values() {
		all <- prometheus.MustNewConstMetric(c.desc(), kind, float64(n), label)
	}
}
