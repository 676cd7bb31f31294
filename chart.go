package quern

// ChartKind is a way to draw rows.
type ChartKind string

// The kinds. Every chart has its rows as a table beside it.
const (
	ChartNumbers   ChartKind = "numbers"      // the values of one row, large
	ChartTable     ChartKind = "table"        // rows are best read
	ChartShares    ChartKind = "shares"       // bars of percentages of a whole
	ChartCalendar  ChartKind = "calendarBars" // bars in the order of the calendar
	ChartLine      ChartKind = "line"         // over time, one for each of y or of the series
	ChartBars      ChartKind = "bars"         // horizontal, sorted, from zero
	ChartGrouped   ChartKind = "groupedBars"  // next to each other, one for each of y or of the series
	ChartStacked   ChartKind = "stackedBars"  // on top of each other, one for each of the series
	ChartHeat      ChartKind = "heat"         // a grid of x and series, coloured by y
	ChartHistogram ChartKind = "histogram"    // how the values of x are spread
	ChartScatter   ChartKind = "scatter"      // a point for each row
	ChartBinned    ChartKind = "binnedScatter"
)

// ChartKinds lists the kinds.
func ChartKinds() []ChartKind {
	return []ChartKind{
		ChartNumbers, ChartTable, ChartShares, ChartCalendar, ChartLine, ChartBars, ChartGrouped, ChartStacked, ChartHeat,
		ChartHistogram, ChartScatter, ChartBinned,
	}
}

// Chart says how the rows of a step are drawn, the same for every client.
type Chart struct {
	Kind ChartKind `json:"kind"`
	// X is the column along the axis, or the label of numbers; empty: none.
	X string `json:"x,omitempty"`
	// Y are the columns of values.
	Y []string `json:"y,omitempty"`
	// Series is the column whose values are drawn apart; empty: none.
	Series string `json:"series,omitempty"`
	// Unit is what the values are in, where that is known.
	Unit string `json:"unit,omitempty"`
	// Top is how many of the bars, or of the series, are drawn by themselves; 0: all. The
	// others are added up where Summed says so, and else counted.
	Top    int    `json:"top,omitempty"`
	Summed bool   `json:"summed,omitempty"`
	Reason string `json:"reason"`
}
