package grammar

// States is the number of states; a State is less than it.
const States = int(states)

// MaxDepth is the greatest nesting that Depth tells apart.
const MaxDepth = 2

// MaxSpan is the most words of a question that a constant takes.
const MaxSpan = 12

// Stack is where the automaton stands, topmost state last. It is never changed:
// Next returns a new one. An empty Stack has derived a whole query.
type Stack []State

// Start is the stack before the first token.
func Start() Stack { return Stack{query} }

// Done reports whether a whole query was derived.
func (s Stack) Done() bool { return len(s) == 0 }

// Top is the state that the next token must satisfy.
func (s Stack) Top() State { return s[len(s)-1] }

// Depth is how many queries the stack is inside of, at most MaxDepth.
func (s Stack) Depth() int {
	depth := 0
	for _, state := range s {
		if state >= tailSelect && state <= tailExtra {
			depth++
		}
	}
	return min(depth, MaxDepth)
}

// Next returns the stack after a token; ok is false when it is not allowed.
func (s Stack) Next(t Token) (next Stack, ok bool) {
	if s.Done() {
		return nil, false
	}
	key := t.String()
	if t.Kind != Symbol {
		key = letters[t.Kind]
	}
	pushed, ok := rules[s.Top()][key]
	if !ok {
		return nil, false
	}
	next = make(Stack, 0, len(s)+len(pushed))
	next = append(next, s[:len(s)-1]...)
	for i := len(pushed) - 1; i >= 0; i-- {
		next = append(next, pushed[i])
	}
	return next, true
}

// Choice is what a state allows.
type Choice struct {
	Symbols []int // ids
	Column  bool
	Table   bool
	Word    bool
	Linking bool // of columns, only those at a link
	Last    bool // of words, only those from the one before on, within MaxSpan
}

var choices = makeChoices()

func makeChoices() [states]Choice {
	var all [states]Choice
	for state := range states {
		rule, c := rules[state], &all[state]
		for id, name := range symbols {
			if _, ok := rule[name]; ok {
				c.Symbols = append(c.Symbols, id)
			}
		}
		_, c.Column = rule[letters[Column]]
		_, c.Table = rule[letters[Table]]
		_, c.Word = rule[letters[Word]]
		c.Linking = state == extra || state == tailExtra
		c.Last = state == spanLast
	}
	return all
}

// Allowed tells what a state allows.
func Allowed(s State) Choice { return choices[s] }
