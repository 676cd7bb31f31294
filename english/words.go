package english

// How questions and wishes begin (beginnings.txt).
var (
	// Interrogatives ask: how, what, which.
	Interrogatives = marked("beginnings.txt", "interrogative")
	// Auxiliaries begin questions that are answered with yes or no: is, did, has.
	Auxiliaries = marked("beginnings.txt", "auxiliary")
	// Commands begin wishes: list, show, count.
	Commands = marked("beginnings.txt", "command")
	// Requests are the commands that nobody takes for a noun: list, not rank.
	Requests = marked("beginnings.txt", "request")
	// Wants say that something is wanted and nothing of what: show, need, tell.
	Wants = marked("beginnings.txt", "want")
	// Openers stand before a question and say nothing of it: and, so, please.
	Openers = marked("beginnings.txt", "opener")
)

// Pronouns (pronouns.txt).
var (
	// Pronouns refer back to things that were named before.
	Pronouns = marked("pronouns.txt")
	// PersonalPronouns are it, they and their like.
	PersonalPronouns = marked("pronouns.txt", "personal")
	// PluralPronouns stand for several things: they, those.
	PluralPronouns = marked("pronouns.txt", "many")
	// SingularPronouns stand for one thing: it, she.
	SingularPronouns = marked("pronouns.txt", "one")
	// Possessives say whose something is: their, its.
	Possessives = marked("pronouns.txt", "possessive")
)

// Negations (negations.txt).
var (
	// Negations say that something is not so. A network has learnt from them.
	Negations = marked("negations.txt", "negation")
	// Exclusions say what is left out of rows that were shown before.
	Exclusions = marked("negations.txt", "exclusion")
	// Denials are the words without which nobody means rows that are not among
	// others.
	Denials = marked("negations.txt", "denial")
)

// Telling are the words that hold a sentence together and yet change what it asks
// for: how, many, when, per (telling.txt).
var Telling = marked("telling.txt")

// Superlatives (superlatives.txt).
var (
	// Superlatives name an end of an order. A network has learnt from them.
	Superlatives = marked("superlatives.txt", "superlative")
	// Lowest name its lower end. A network has learnt from them.
	Lowest = marked("superlatives.txt", "low")
	// Ascending name what comes first where the least is first: smallest, oldest.
	Ascending = marked("superlatives.txt", "ascending")
	// Descending name what comes first where the most is first: largest, newest.
	Descending = marked("superlatives.txt", "descending")
	// Extremes stand alone for the row with the most or the least.
	Extremes = marked("superlatives.txt", "extreme")
	// Measured stand before a number that is looked up: highest price.
	Measured = marked("superlatives.txt", "measured")
	// LateEnds name the later end of time: the newest was made last.
	LateEnds = marked("superlatives.txt", "late")
	// EarlyEnds name the earlier end of time: the oldest was made first.
	EarlyEnds = marked("superlatives.txt", "early")
	// ManyEnds name the upper end of numbers: the most.
	ManyEnds = marked("superlatives.txt", "many")
	// FewEnds name the lower end of numbers: the fewest.
	FewEnds = marked("superlatives.txt", "few")
	// Cheapest name the lower end of prices.
	Cheapest = marked("superlatives.txt", "cheap")
	// Dearest name their upper end.
	Dearest = marked("superlatives.txt", "dear")
	// Places stand before a number of rows: top 3.
	Places = marked("superlatives.txt", "place")
)

// Comparatives (comparatives.txt).
var (
	// More ask for larger or later values. A network has learnt from them.
	More = marked("comparatives.txt", "more")
	// Less ask for smaller or earlier values. A network has learnt from them.
	Less = marked("comparatives.txt", "less")
	// OrMore follow a value and "or": 5 or more. A network has learnt from them.
	OrMore = marked("comparatives.txt", "ormore")
	// OrLess follow a value and "or": 5 or less. A network has learnt from them.
	OrLess = marked("comparatives.txt", "orless")
)

// Each stand before what rows are told apart by (counts.txt).
var Each = marked("counts.txt", "each")

// CountFillers stand between "how many" and what is counted: different, of the
// (counts.txt).
var CountFillers = marked("counts.txt", "filler")

// Countable stand behind "how" where a number of rows is an answer (counts.txt).
var Countable = marked("counts.txt", "countable")

// Tallies are names of columns that say how many each row stands for (counts.txt).
var Tallies = marked("counts.txt", "tally")

// Measures (measures.txt).
var (
	// Measures are words for a number that is looked up or computed: average.
	Measures = marked("measures.txt", "measure").With(Measured)
	// ByMeasures stand behind "by" where things are compared: by revenue.
	ByMeasures = marked("measures.txt", "by")
	// Computed say that a number was computed: altogether, more than.
	Computed = marked("measures.txt", "computed")
	// Summed stand behind "the most" where numbers are added up: the most money.
	Summed = marked("measures.txt", "summed")
	// Unsummed name numbers that nobody adds up: age, rating.
	Unsummed = marked("measures.txt", "unsummed")
	// Earning are verbs whose object is money where none is named: spent the most.
	Earning = marked("measures.txt", "earning")
	// Pricing are verbs for what something costs others: charge.
	Pricing = marked("measures.txt", "pricing")
	// Losing are verbs for money that does not come in: lose.
	Losing = marked("measures.txt", "losing")
	// Money are words of the names of columns that hold money: fee.
	Money = marked("measures.txt", "money")
	// Takings is what was taken in for all that was sold: revenue.
	Takings = marked("measures.txt", "takings")
	// Quantities end the names of columns that say how many: quantity.
	Quantities = marked("measures.txt", "quantity")
	// ListPrices are words of the names of columns that say what one of something costs: fee.
	ListPrices = marked("measures.txt", "listprice")
	// UnitPrices end the names of columns that say what one costs: price.
	UnitPrices = marked("measures.txt", "unitprice")
	// Selling ask for what is sold most: best selling.
	Selling = marked("measures.txt", "selling")
	// Dimensions are measured, and nothing else stands for them: elevation.
	Dimensions = marked("measures.txt", "dimension")
	// Voids are values by which a row says that what it is about did not come to pass: cancelled.
	Voids = marked("measures.txt", "void")
	// Buying are verbs by which somebody takes pieces of something: bought the most.
	Buying = marked("measures.txt", "buying")
	// HighOrLow name numbers of which people say that they are high: price.
	HighOrLow = marked("measures.txt", "high")
	// Adverse name numbers of which the highest is the worst: late, broken.
	Adverse = marked("measures.txt", "adverse")
)

// What has to be reckoned (reckoned.txt): the words without which nobody asks for it.
var (
	// Durations ask for the time between two others: long, days.
	Durations = marked("reckoned.txt", "duration")
	// ShareCues ask how much of a whole something is: percent.
	ShareCues = marked("reckoned.txt", "share")
	// MedianCues ask for a place in the order of values: median.
	MedianCues = marked("reckoned.txt", "middle")
	// Compared hold two numbers against each other: versus, grew.
	Compared = marked("reckoned.txt", "compared")
	// Peers ask for what others of the same kind have: of their own.
	Peers = marked("reckoned.txt", "peers")
	// TimeParts ask for parts of times: month, Mondays.
	TimeParts = marked("reckoned.txt", "timepart")
	// Areas ask how large something flat is: surface, area.
	Areas = marked("reckoned.txt", "area")
	// Widths and Heights are words of the names of columns that hold the two sides.
	Widths  = marked("reckoned.txt", "width")
	Heights = marked("reckoned.txt", "height")
	// Percents name columns that often hold percents of an amount: vat, discount.
	Percents = marked("reckoned.txt", "percents")
	// Products ask for one number times another: worth, times.
	Products = marked("reckoned.txt", "product")
	// Rests ask for what is left of a number when another is taken off: minus, net.
	Rests = marked("reckoned.txt", "rest")
	// Quotients ask for one number for each of another: per, ratio.
	Quotients = marked("reckoned.txt", "quotient")
)

// What people say that asks for no data (talk.txt).
var (
	// Greetings are hello and its like.
	Greetings = marked("talk.txt", "greeting")
	// Greeted are those whom greetings are for: everyone.
	Greeted = marked("talk.txt", "greeted")
	// Thanks are thanks and goodbyes.
	Thanks = marked("talk.txt", "thanks")
	// BeforeThanks stand before them: many thanks.
	BeforeThanks = marked("talk.txt", "beforethanks")
	// BehindThanks stand behind them: thanks for your help.
	BehindThanks = marked("talk.txt", "behindthanks")
	// Politeness is what else says nothing: please.
	Politeness = marked("talk.txt", "polite")
)

// Words that name nothing by themselves (function.txt). The networks have learnt
// from them.
var (
	// FunctionWords only hold a sentence together.
	FunctionWords = marked("function.txt", "function")
	// ThinWords are so frequent in questions that a value which holds one proves
	// little.
	ThinWords = marked("function.txt", "thin")
)

var (
	// Prepositions hold a thing to what is said of it (prepositions.txt).
	Prepositions = marked("prepositions.txt")
	// BeforeMonths are words after which a month needs no year (time.txt).
	BeforeMonths = marked("time.txt", "beforemonth")
	// DurationUnits count the time between two others (time.txt).
	DurationUnits = marked("time.txt", "durationunit")
	// Births are words of the names of columns that say when somebody was born (time.txt).
	Births = marked("time.txt", "birth")
	// Ages ask how old somebody is (time.txt).
	Ages = marked("time.txt", "age")
	// UntilNow say that a time lasts until now: since, still (time.txt).
	UntilNow = marked("time.txt", "untilnow")
	// TimeStarts are words of the names of columns at which something begins: arrived (time.txt).
	TimeStarts = marked("time.txt", "start")
	// TimeEnds are words of the names of columns at which something ends: departed (time.txt).
	TimeEnds = marked("time.txt", "end")
	// Limits are words of the names of columns that say until when something holds: expiry (time.txt).
	Limits = marked("time.txt", "limit")
	// Dues are words of the names of columns that say by when something has to be done: deadline (time.txt).
	Dues = marked("time.txt", "due")
	// NearDays are days around today: tomorrow (time.txt).
	NearDays = marked("time.txt", "nearday")
	// Agreed are words of the names of columns that say when it was agreed that something would be: booked (time.txt).
	Agreed = marked("time.txt", "agreed")
	// Took are values by which a row says that what it is about has taken place: done (time.txt).
	Took = marked("time.txt", "took")
	// Pending are values by which a row says that what it is about is still to take place: booked
	// (time.txt).
	Pending = marked("time.txt", "pending")
	// Failed are values by which it did not take place, besides those that are void and say that
	// somebody was absent: called off (time.txt).
	Failed = marked("time.txt", "failed")
	// Applications are words of the names of columns that say when somebody began to wait for
	// something: applied (time.txt).
	Applications = marked("time.txt", "asked")
	// Dones are words of the names of columns that say that it was done: returned (time.txt).
	Dones = marked("time.txt", "done")
	// Stops are words of the names of columns at which what went on came to its end: cancelled (time.txt).
	Stops = marked("time.txt", "stop")
	// Ongoing are values by which a row says that what it is about goes on: active (time.txt).
	Ongoing = marked("time.txt", "ongoing")
	// Returns are words of the names of columns at which what was lent came back: returned (time.txt).
	Returns = marked("time.txt", "return")
	// Present are values by which a row says that somebody was there: attended (time.txt).
	Present = marked("time.txt", "present")
	// Kept are values by which what was agreed took place: done (time.txt).
	Kept = marked("time.txt", "kept")
	// Absent are values by which it says that somebody was not: sick (time.txt).
	Absent = marked("time.txt", "absent")
	// Tenure ask how long somebody has belonged to something: with us (time.txt).
	Tenure = marked("time.txt", "tenure")
	// Longest is the upper end of durations (time.txt).
	Longest = marked("time.txt", "longest")
	// Shortest is their lower end (time.txt).
	Shortest = marked("time.txt", "shortest")
	// Shortened are words whose full stop ends no sentence (shortened.txt).
	Shortened = marked("shortened.txt")
)
