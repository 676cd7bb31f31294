package english

var (
	// Averages ask for a mean: average, typical.
	Averages = marked("operations.txt", "average")
	// Middles ask for the value in the middle: median.
	Middles = marked("operations.txt", "middle")
	// Sums ask for a sum, or for a number of rows: total.
	Sums = marked("operations.txt", "total")
	// Ends ask for an end of an order: top, maximum.
	Ends = marked("operations.txt", "extreme").With(Superlatives)
	// Orders ask for an order: sorted, alphabetically.
	Orders = marked("operations.txt", "ordered")
	// Uniques ask for each thing once: distinct.
	Uniques = marked("operations.txt", "unique")
	// Absences ask for what is missing or is not so: empty, never.
	Absences = marked("operations.txt", "absent").With(Negations)
	// Factors multiply or divide: twice, half.
	Factors = marked("operations.txt", "factor")
	// Differences ask for what lies between two numbers, or for their ratio.
	Differences = marked("operations.txt", "difference")
	// Changes ask how a number moves in time: growth.
	Changes = marked("operations.txt", "change")
	// Gains ask for what is left of one number when another is taken off: profit.
	Gains = marked("operations.txt", "gain")
	// Lastings ask how long something took: stay.
	Lastings = marked("operations.txt", "lasting")
	// Trades say that something changes hands for money: bought, spent, sold.
	Trades = marked("operations.txt", "trade")
	// Sorts stand before "of" and what is told apart: kind of weather.
	Sorts = marked("operations.txt", "told")
	// UnitNouns stand behind a number and say of what: euros, days.
	UnitNouns = marked("operations.txt", "unit")
	// OneEach are words for one that say no number: every single member.
	OneEach = marked("operations.txt", "oneeach")
	// Holding say no more than that two things belong together: made a trip.
	Holding = marked("operations.txt", "holding")
	// OwnPlaces are what askers call the place that all of their data are of: yard, club.
	OwnPlaces = marked("operations.txt", "ownplace")
	// DataFillers are words of questions about any data that say nothing of it.
	DataFillers = marked("operations.txt", "filler")
)
