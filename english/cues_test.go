package english_test

import (
	"slices"
	"testing"

	"quern/english"
)

func TestFollowUpWords(t *testing.T) {
	t.Parallel()
	holds(t, "Suggestions", english.Suggestions, "what about,how about", "what,and")
	holds(t, "FilterCues", english.FilterCues, "only,what about,and,not,the same,in,over,at most", "or,how many,but not")
	holds(t, "Fragments", english.Fragments, "only,just,except,but not", "not,and,in")
	holds(t, "GroupCues", english.GroupCues, "per,by,for each,split by", "of,each")
	holds(t, "Remainders", english.Remainders, "others,rest,rest of them,remaining ones", "them,ones")
	holds(t, "RowNames", english.RowNames, "the rows,the list,the results", "rows,list")
	holds(t, "Totals", english.Totals, "altogether,in total", "total,all")
	holds(t, "Fillers", english.Fillers, "ones,please,already,excluding", "open,not,only")
}

func TestBounds(t *testing.T) {
	t.Parallel()
	holds(t, "Above", english.Above, "over,more than,higher than", "at least,under,more")
	holds(t, "AtLeast", english.AtLeast, "at least", "over,at most")
	holds(t, "Below", english.Below, "under,fewer than", "at most,over,less")
	holds(t, "AtMost", english.AtMost, "at most,up to", "under,at least")
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	holds(t, "PeriodUnits", english.PeriodUnits, "year,quarter,month,week,day,hour,weekday", "weekly,monthly")
	holds(t, "PeriodAdverbs", english.PeriodAdverbs, "monthly,annually", "month,early")
	holds(t, "BeforeYears", english.BeforeYears, "in,since,years,by", "of,the")
	for adverb, want := range map[string]string{"monthly": "month", "annually": "year", "month": "", "early": ""} {
		if got := english.PeriodOf(adverb); got != want {
			t.Errorf("PeriodOf(%s) = %q, want %q", adverb, got, want)
		}
	}
	for _, adverb := range english.PeriodAdverbs.Words() {
		if !english.PeriodUnits.Has(english.PeriodOf(adverb)) {
			t.Errorf("%s stands for %q, which is no unit", adverb, english.PeriodOf(adverb))
		}
	}
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	holds(t, "Functions", english.Functions, "average,total,max,lowest", "count,many")
	for word, want := range map[string]string{"mean": "avg", "total": "sum", "highest": "max", "smallest": "min", "count": ""} {
		if got := english.FunctionOf(word); got != want {
			t.Errorf("FunctionOf(%s) = %q, want %q", word, got, want)
		}
	}
	if got := english.FunctionNames("count"); !slices.Equal(got, []string{"count", "number", "how many", "amount"}) {
		t.Errorf("FunctionNames(count) = %q", got)
	}
	if got := english.FunctionNames("mode"); got != nil {
		t.Errorf("FunctionNames(mode) = %q, want none", got)
	}
}

func TestColumnWords(t *testing.T) {
	t.Parallel()
	holds(t, "Shares", english.Shares, "share,percentage,per cent", "total,of")
	holds(t, "Framing", english.Framing, "is,date,when", "paid,id")
	holds(t, "Numbering", english.Numbering, "id,number,code", "name,ids")
	holds(t, "KeyNames", english.KeyNames, "id,code,key,number", "ids,name")
	holds(t, "AskNumber", english.AskNumber, "ids,identifier,number,nr,tags", "name,numbered,note")
	holds(t, "Labels", english.Labels, "name,title", "id,names")
	holds(t, "Unknown", english.Unknown, "missing,blank,recorded", "not,no")
	holds(t, "NegativePrefixes", english.NegativePrefixes, "un,non,dis", "re,pre")
}

func TestOpposed(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"junior", "senior"}, {"Seniors", "junior"}, {"child", "adults"}} {
		if !english.Opposed(pair[0], pair[1]) {
			t.Errorf("Opposed(%q, %q) = false, want true", pair[0], pair[1])
		}
	}
	if english.Opposed("junior", "youth") || english.Opposed("junior", "junior") {
		t.Error("Opposed() = true of words that may mean the same, want false")
	}
}
