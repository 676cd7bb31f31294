package english_test

import (
	"regexp"
	"strings"
	"testing"

	"quern/english"
)

// holds fails when a set lacks one of some words, or has one of the others.
func holds(t *testing.T, name string, s english.Set, in, out string) {
	t.Helper()
	whole := regexp.MustCompile(`^` + s.Pattern() + `$`)
	for _, list := range []struct {
		words string
		want  bool
	}{{in, true}, {out, false}} {
		for word := range strings.SplitSeq(list.words, ",") {
			if got := s.Has(word); got != list.want {
				t.Errorf("%s.Has(%q) = %v, want %v", name, word, got, list.want)
			}
			if got := whole.MatchString(word); got != list.want {
				t.Errorf("%s.Pattern() matches %q: %v, want %v", name, word, got, list.want)
			}
		}
	}
}

func TestBeginnings(t *testing.T) {
	t.Parallel()
	holds(t, "Interrogatives", english.Interrogatives, "how,what,what's,which,who,who's,whose,why", "is,list,many,whatever")
	holds(t, "Auxiliaries", english.Auxiliaries, "is,were,did,can,have,will", "how,list,be")
	holds(t, "Commands", english.Commands, "list,show,count,compare,select", "report,need,like,how,is")
	holds(t, "Requests", english.Requests, "list,show,count,fetch", "sum,rank,name,report")
	holds(t, "Wants", english.Wants, "list,show,report,need,let", "count,compare,name,how")
	holds(t, "Openers", english.Openers, "and,so,please,okay", "or,how")
}

func TestWordsAroundCountsAndSums(t *testing.T) {
	t.Parallel()
	holds(t, "CountFillers", english.CountFillers, "different,of,our", "orders,are")
	holds(t, "Summed", english.Summed, "money,revenue,total", "expensive,price")
	holds(t, "Earning", english.Earning, "earned,spent,paid,brought in", "sold,made")
	holds(t, "Money", english.Money, "fee,amount,price", "length,quantity")
	holds(t, "HighOrLow", english.HighOrLow, "price,rating", "length,name")
	holds(t, "Unsummed", english.Unsummed, "age,rating,percentage", "price,amount")
}

func TestWhatIsReckoned(t *testing.T) {
	t.Parallel()
	holds(t, "Takings", english.Takings, "revenue,turnover,money", "price,orders")
	holds(t, "Quantities", english.Quantities, "quantity,qty,nights", "price,amount")
	holds(t, "UnitPrices", english.UnitPrices, "price,rate", "total,cost")
	holds(t, "Durations", english.Durations, "days,long,overdue,ago", "often,spend,many")
	holds(t, "ShareCues", english.ShareCues, "percentage,share,%", "total,many")
	holds(t, "MedianCues", english.MedianCues, "median,quartile", "average,mean")
	holds(t, "Compared", english.Compared, "versus,grew,change", "from,total")
	holds(t, "Peers", english.Peers, "their,own,each", "all,average")
	holds(t, "TimeParts", english.TimeParts, "monthly,mondays,hour", "price,often")
	holds(t, "DurationUnits", english.DurationUnits, "minute,day,year", "days,quarter")
	holds(t, "Births", english.Births, "born,dob", "age,hired")
	holds(t, "Ages", english.Ages, "old,younger,aged", "over,years")
	holds(t, "UntilNow", english.UntilNow, "since,ago,still", "from,did")
	holds(t, "TimeStarts", english.TimeStarts, "arrival,opened", "departure,closed")
	holds(t, "TimeEnds", english.TimeEnds, "departure,closed", "arrival,due")
	holds(t, "Tenure", english.Tenure, "with us,employed", "with,us")
	holds(t, "Longest", english.Longest, "longest", "largest")
	holds(t, "Shortest", english.Shortest, "shortest", "smallest")
}

func TestPronouns(t *testing.T) {
	t.Parallel()
	holds(t, "Pronouns", english.Pronouns, "they,those,it,her,theirs,one,ones,of which", "i,you,this,that,which")
	holds(t, "PersonalPronouns", english.PersonalPronouns, "it,they,them,he,she,him", "those,their,ones")
	holds(t, "PluralPronouns", english.PluralPronouns, "they,them,those,these", "it,their,ones")
	holds(t, "SingularPronouns", english.SingularPronouns, "it,he,she,him", "they,its,one")
	holds(t, "Possessives", english.Possessives, "their,theirs,its,his,her", "they,it,whose")
}

func TestNegations(t *testing.T) {
	t.Parallel()
	holds(t, "Negations", english.Negations, "not,no,without,except,other than,excludes,excluding,didn", "none,only,exception,unpaid,but not")
	holds(t, "Exclusions", english.Exclusions, "not,without,except,excluding,but not,other than", "no,never,excluded,only")
	holds(t, "Denials", english.Denials, "not,none,exception,excluded,unpaid,nonfiction,only,missing,different from", "un,and,excess,every")
}

func TestSuperlatives(t *testing.T) {
	t.Parallel()
	holds(t, "Superlatives", english.Superlatives, "most,least,top,first,last,best,worst,max,newest,fewest", "next,bottom,more,mostly")
	holds(t, "Lowest", english.Lowest, "least,min,smallest,youngest,earliest,first,cheapest,worst", "oldest,most,last")
	holds(t, "Ascending", english.Ascending, "lowest,smallest,least,oldest,earliest", "newest,first,youngest")
	holds(t, "Descending", english.Descending, "highest,largest,biggest,most,newest,latest", "oldest,maximum,last")
	holds(t, "Extremes", english.Extremes, "most,highest,maximum,least,fewest,minimum", "newest,oldest,max,first")
	holds(t, "Measured", english.Measured, "highest,lowest,oldest,youngest,max,min,latest", "top,first,biggest,newest")
	holds(t, "LateEnds", english.LateEnds, "newest,youngest,latest,most recent", "oldest,most,last")
	holds(t, "EarlyEnds", english.EarlyEnds, "oldest,earliest", "newest,first,least")
	holds(t, "ManyEnds", english.ManyEnds, "most,highest,biggest,greatest", "newest,least,more")
	holds(t, "FewEnds", english.FewEnds, "least,fewest,lowest", "most,oldest,less")
	holds(t, "Places", english.Places, "top,first,last,next,best,bottom", "most,worst,latest")
}

func TestComparatives(t *testing.T) {
	t.Parallel()
	holds(t, "More", english.More, "more,greater,over,at least,exceeds,since", "less,most,at most,until")
	holds(t, "Less", english.Less, "less,fewer,under,before,at most,cheaper", "more,least,at least,since")
	holds(t, "OrMore", english.OrMore, "more,above,later,after", "at least,since,longer,less")
	holds(t, "OrLess", english.OrLess, "less,fewer,below,before", "at most,cheaper,shorter,more")
}

func TestMeasures(t *testing.T) {
	t.Parallel()
	holds(t, "Measures", english.Measures, "how many,count,average,highest,oldest,share", "price,top,first")
	holds(t, "Computed", english.Computed, "computed,sum,totals,difference,more than,dropped,of which", "summer,meaning,price,more")
	holds(t, "ByMeasures", english.ByMeasures, "number,median,highest,revenue", "how many,oldest,name")
}

func TestTalk(t *testing.T) {
	t.Parallel()
	holds(t, "Greetings", english.Greetings, "hi,good morning,hola", "good,help")
	holds(t, "Greeted", english.Greeted, "there,quern", "hi,orders")
	holds(t, "Thanks", english.Thanks, "thanks,thank you,ok,goodbye", "hi,orders")
	holds(t, "BeforeThanks", english.BeforeThanks, "many,okay", "thanks,no")
	holds(t, "BehindThanks", english.BehindThanks, "a lot,for your help,that's all", "thanks,orders")
	holds(t, "Politeness", english.Politeness, "please,i have a question", "thanks,how many")
}
