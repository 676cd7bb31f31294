package lex

import "strings"

// people lists, by country, how what is of it is called.
const people = `
afghanistan: afghan | albania: albanian | algeria: algerian | angola: angolan | argentina: argentine argentinian
armenia: armenian | australia: australian aussie | austria: austrian | azerbaijan: azerbaijani | bahrain: bahraini
bangladesh: bangladeshi | belarus: belarusian | belgium: belgian | bolivia: bolivian | bosnia and herzegovina: bosnian
brazil: brazilian | bulgaria: bulgarian | cambodia: cambodian | cameroon: cameroonian | canada: canadian
chile: chilean | china: chinese | colombia: colombian | congo: congolese | costa rica: costa-rican | croatia: croatian croat
cuba: cuban | cyprus: cypriot | czech republic: czech | denmark: danish dane | dominican republic: dominican
ecuador: ecuadorian | egypt: egyptian | england: english | estonia: estonian | ethiopia: ethiopian | finland: finnish finn
france: french frenchman | georgia: georgian | germany: german | ghana: ghanaian | greece: greek | guatemala: guatemalan
haiti: haitian | honduras: honduran | hungary: hungarian | iceland: icelandic | india: indian | indonesia: indonesian
iran: iranian persian | iraq: iraqi | ireland: irish | israel: israeli | italy: italian | jamaica: jamaican | japan: japanese
jordan: jordanian | kazakhstan: kazakh | kenya: kenyan | kuwait: kuwaiti | latvia: latvian | lebanon: lebanese | libya: libyan
lithuania: lithuanian | luxembourg: luxembourgish | malaysia: malaysian | mali: malian | malta: maltese | mexico: mexican
moldova: moldovan | mongolia: mongolian | morocco: moroccan | mozambique: mozambican | namibia: namibian | nepal: nepalese nepali
netherlands: dutch | new zealand: kiwi | nicaragua: nicaraguan | nigeria: nigerian | north korea: north-korean | norway: norwegian
oman: omani | pakistan: pakistani | panama: panamanian | paraguay: paraguayan | peru: peruvian | philippines: filipino philippine
poland: polish | portugal: portuguese | qatar: qatari | romania: romanian | russia: russian | saudi arabia: saudi | scotland: scottish scot
senegal: senegalese | serbia: serbian serb | singapore: singaporean | slovakia: slovak | slovenia: slovenian slovene | somalia: somali
south africa: south-african | south korea: korean south-korean | spain: spanish spaniard | sri lanka: sri-lankan | sudan: sudanese
sweden: swedish swede | switzerland: swiss | syria: syrian | taiwan: taiwanese | tanzania: tanzanian | thailand: thai | tunisia: tunisian
turkey: turkish | uganda: ugandan | ukraine: ukrainian | united kingdom: british briton | united states: american
uruguay: uruguayan | uzbekistan: uzbek | venezuela: venezuelan | vietnam: vietnamese | wales: welsh | yemen: yemeni
zambia: zambian | zimbabwe: zimbabwean | europe: european | africa: african | asia: asian | north america: north-american
south america: south-american | hawaii: hawaiian | california: californian | texas: texan
alaska: alaskan | andorra: andorran | antigua: antiguan | bahamas: bahamian | barbados: barbadian | bavaria: bavarian | benin: beninese
bermuda: bermudan bermudian | bhutan: bhutanese | botswana: botswanan | burundi: burundian | chad: chadian | corsica: corsican
djibouti: djiboutian | el salvador: salvadoran salvadorean | eritrea: eritrean | fiji: fijian | gabon: gabonese | gambia: gambian
grenada: grenadian | guinea: guinean | guyana: guyanese | kyrgyzstan: kyrgyz kyrgyzstani | laos: laotian | liberia: liberian
liechtenstein: liechtensteiner | macedonia: macedonian | madagascar: madagascan malagasy | malawi: malawian | mauritania: mauritanian
mauritius: mauritian | myanmar: burmese | quebec: quebecois | rwanda: rwandan | samoa: samoan | seychelles: seychellois
sicily: sicilian | sierra leone: sierra-leonean | soviet union: soviet | swaziland: swazi | tajikistan: tajik tajikistani
tasmania: tasmanian | tibet: tibetan | togo: togolese | tonga: tongan | trinidad and tobago: trinidadian | turkmenistan: turkmen
tuscany: tuscan | yugoslavia: yugoslav yugoslavian
athens: athenian | florence: florentine | milan: milanese | naples: neapolitan | paris: parisian | rome: roman | venice: venetian
vienna: viennese`

// same lists writings of the same thing.
const same = `
united states: us usa u-s u-s-a america united-states-of-america the-united-states
united kingdom: uk u-k great-britain britain gb
netherlands: holland the-netherlands | united arab emirates: uae emirates | south korea: republic-of-korea korea
russia: russian-federation | myanmar: burma | czech republic: czechia | ivory coast: cote-d-ivoire | european union: eu
female: f woman girl lady | male: m man boy gentleman
alabama: al | alaska: ak | arizona: az | arkansas: ar | california: ca | colorado: co | connecticut: ct | delaware: de
florida: fl | georgia: ga | hawaii: hi | idaho: id | illinois: il | indiana: in | iowa: ia | kansas: ks | kentucky: ky
louisiana: la | maine: me | maryland: md | massachusetts: ma | michigan: mi | minnesota: mn | mississippi: ms | missouri: mo
montana: mt | nebraska: ne | nevada: nv | new hampshire: nh | new jersey: nj | new mexico: nm | new york: ny | north carolina: nc
north dakota: nd | ohio: oh | oklahoma: ok | oregon: or | pennsylvania: pa | rhode island: ri | south carolina: sc | south dakota: sd
tennessee: tn | texas: tx | utah: ut | vermont: vt | virginia: va | washington: wa | west virginia: wv | wisconsin: wi | wyoming: wy
los angeles: la l-a | new york city: nyc | san francisco: sf | washington dc: dc
monday: mon | tuesday: tue | wednesday: wed | thursday: thu | friday: fri | saturday: sat | sunday: sun
bachelor: bachelors ba bs bsc | master: masters ma ms msc | doctor: phd doctorate ph-d`

// aliases gives, for a folded word or words, what else a value may be called.
var aliases = func() map[string][]string {
	all, groups := map[string][]string{}, map[string][]string{}
	for _, e := range entries(same) {
		group := append([]string{e.name}, e.others...)
		groups[e.name] = append(groups[e.name], e.others...)
		for _, n := range group {
			for _, other := range group {
				if n != other {
					all[n] = append(all[n], other)
				}
			}
		}
	}
	for _, e := range entries(people) {
		for _, n := range e.others {
			all[n] = append(append(all[n], e.name), groups[e.name]...)
			all[e.name] = append(all[e.name], n)
		}
	}
	for _, short := range ambiguous {
		delete(all, short)
	}
	return all
}()

// ambiguous are writings that mean something else in most questions.
var ambiguous = strings.Fields("in or me hi ok oh id de al la ma pa co ms mo us m f ar ca")

// entry is a name and what else belongs to it.
type entry struct {
	name   string
	others []string
}

// entries reads name: other other | name: …, hyphens for spaces in the others.
func entries(table string) []entry {
	var all []entry
	for _, text := range strings.FieldsFunc(table, func(r rune) bool { return r == '|' || r == '\n' }) {
		name, others, ok := strings.Cut(text, ":")
		if !ok {
			continue
		}
		e := entry{name: strings.TrimSpace(name)}
		for _, other := range strings.Fields(others) {
			e.others = append(e.others, strings.ReplaceAll(other, "-", " "))
		}
		all = append(all, e)
	}
	return all
}

// Aliases gives what else a value may be written as that a folded text means:
// canadian is Canada, female is f, ohio is oh. Which of them there are, the data
// must show.
func Aliases(folded string) []string {
	if found := aliases[folded]; found != nil {
		return found
	}
	if one, ok := irregular[folded]; ok {
		return aliases[one]
	}
	if short, ok := strings.CutSuffix(folded, "ies"); ok {
		return aliases[short+"y"]
	}
	if short, ok := strings.CutSuffix(folded, "s"); ok && len(short) > 3 {
		return aliases[short]
	}
	return nil
}
