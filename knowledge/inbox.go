package knowledge

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/store"
	"quern/tree"
)

const (
	// keptInInbox is how long an item is kept that nobody acts on.
	keptInInbox = 90 * 24 * time.Hour
	// mostInInbox is how many items a namespace has.
	mostInInbox = 1_000
	// longestMissed is the most characters of a word that is counted.
	longestMissed = 40
)

// The kinds of items.
const (
	ItemWord   = "word"   // nothing answered to a word
	ItemChoice = "choice" // one of several meanings of a word was chosen
	ItemTold   = "told"   // an asker told what they thought of an answer
)

// The actions: what may be done about an item.
const (
	AddWord     = "addWord"
	AddVerified = "addVerified"
	ReadTold    = "read"
)

// Item is something that the people who teach about a namespace may want to know.
type Item struct {
	ID   string
	Kind string
	Word string // of ItemWord and ItemChoice
	// Meaning is what was chosen of ItemChoice: dataset.column.
	Meaning string
	Action  string
	Times   int64
	At      time.Time // the last time
	Told    *Told     // of ItemTold
	// Proposal is what may be taught because of it; empty: nothing by itself.
	Proposal Document
}

// Told is what an asker told about an answer, because they wanted to.
type Told struct {
	Question       string `json:"question"`
	ThumbsUp       bool   `json:"thumbsUp"`
	Comment        string `json:"comment,omitempty"`
	Meant          string `json:"meant,omitempty"`
	CorrectedQuery string `json:"correctedQuery,omitempty"`
	Query          string `json:"query,omitempty"` // that answered
}

// Missed counts the words of a run that nothing answered to, for the server's own
// use: it asks for nobody's rights. Words with digits are left out, for they may be
// names of one thing.
func (s *Service) Missed(ctx context.Context, r quern.Run) error {
	missed := map[string]bool{}
	add := func(words []quern.Word) {
		for _, w := range words {
			if text, ok := plainWord(w.Text); ok && w.State == quern.WordUnknown {
				missed[text] = true
			}
		}
	}
	if r.Result != nil {
		add(r.Result.Words)
	}
	for _, step := range r.Steps {
		add(step.Words)
	}
	for word := range missed {
		if err := s.deliver(ctx, r.Actor, r.In, store.InboxItem{Kind: ItemWord, Key: word}); err != nil {
			return err
		}
	}
	return nil
}

// plainWord returns a word as it is counted; ok is false for what may be more than a
// word.
func plainWord(text string) (word string, ok bool) {
	word = strings.ToLower(strings.TrimSpace(text))
	other := func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }
	return word, word != "" && utf8.RuneCountInString(word) <= longestMissed && !strings.ContainsFunc(word, other)
}

// Chosen counts what an asker chose of the readings that a run had offered, as the
// word that was unclear and the column that was meant; for the server's own use.
// Where either is not one, nothing is counted.
func (s *Service) Chosen(ctx context.Context, asked quern.Run, c quern.Choice) error {
	if !asked.AskedBack() {
		return nil
	}
	word, ok := unclearWord(asked.Result.Words)
	means, one := saidInstead(asked.Result.Words, c)
	if !one {
		means, one = onlyThere(c, asked.Result.Clarification.Choices)
	}
	if !ok || !one {
		return nil
	}
	return s.deliver(ctx, asked.Actor, asked.In, store.InboxItem{Kind: ItemChoice, Key: word + choiceSeam + means})
}

// choiceSeam stands between the word and what was chosen in the key of an item.
const choiceSeam = " = "

// unclearWord returns the one word that a question was asked back for.
func unclearWord(words []quern.Word) (word string, ok bool) {
	for _, w := range words {
		if w.State == quern.WordMatched && len(w.Instead) == 0 {
			continue
		}
		text, plain := plainWord(w.Text)
		if !plain || ok {
			return "", false
		}
		word, ok = text, true
	}
	return word, ok
}

// saidInstead returns what a word was said to mean where the choice asks for it.
func saidInstead(words []quern.Word, c quern.Choice) (means string, ok bool) {
	for _, w := range words {
		for _, m := range w.Instead {
			if _, column := Column(m.Means); m.Question == c.Question && column != "" {
				return m.Means, true
			}
		}
	}
	return "", false
}

// onlyThere returns the one column that a choice reads and not all others do.
func onlyThere(c quern.Choice, all []quern.Choice) (means string, ok bool) {
	columns := columnsOf(c.Query)
	for _, other := range all {
		if other.Query == c.Query {
			continue
		}
		theirs := columnsOf(other.Query)
		columns = slices.DeleteFunc(columns, func(name string) bool { return slices.Contains(theirs, name) })
	}
	if len(columns) != 1 {
		return "", false
	}
	return columns[0], true
}

// columnsOf returns the columns of a query as dataset.column, each once.
func columnsOf(text string) []string {
	q, err := tree.Parse(text)
	if err != nil {
		return nil
	}
	var all []string
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		tree.EachColumn(q, func(c tree.Column) {
			for _, from := range q.Select.From {
				alone := c.Source == "" && len(q.Select.From) == 1
				name := from.Dataset.Dataset + "." + c.Name
				if (alone || tree.SameName(c.Source, from.Ref())) && !slices.Contains(all, name) {
					all = append(all, name)
				}
			}
		})
	})
	return all
}

// Tell puts what an asker told about a run of their own into the inbox of its
// namespace, in place of what they told about it before.
func (s *Service) Tell(ctx context.Context, r quern.Run, told Told) error {
	told.Question = r.Task.Question
	if n := len(r.Steps); n == 1 {
		told.Query = r.Steps[0].Query
	}
	text, err := json.Marshal(told)
	if err != nil {
		return err
	}
	return s.deliver(ctx, r.Actor, r.In, store.InboxItem{Kind: ItemTold, Key: string(r.ID), Told: string(text)})
}

// Untell takes back what an asker told about a run.
func (s *Service) Untell(ctx context.Context, r quern.Run) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		access, err := tx.NamespaceAccess(ctx, r.Actor, r.In)
		if quern.Is(err, quern.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return tx.DeleteInboxItem(ctx, access.Namespace.ID, ItemTold, string(r.ID))
	})
}

func (s *Service) deliver(ctx context.Context, actor quern.UserID, in quern.NamespacePath, item store.InboxItem) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		access, err := tx.NamespaceAccess(ctx, actor, in)
		if quern.Is(err, quern.NotFound) {
			return nil // gone meanwhile
		}
		if err != nil {
			return err
		}
		id := access.Namespace.ID
		if err := tx.SweepInbox(ctx, id, s.now().Add(-keptInInbox)); err != nil {
			return err
		}
		if n, err := tx.CountInboxItems(ctx, id); err != nil || n >= mostInInbox {
			return err
		}
		item.ID, item.Namespace, item.LastAt = quern.NewID[string](), id, s.now()
		return tx.PutInboxItem(ctx, item)
	})
}

// Inbox lists what the people who teach about a namespace may want to know.
// Forbidden for who may not write all of its knowledge.
func (s *Service) Inbox(ctx context.Context, p quern.Principal, in quern.NamespacePath) ([]Item, error) {
	var all []Item
	err := s.store.View(ctx, func(tx *store.Tx) error {
		all = nil
		id, err := s.teacher(ctx, tx, p, in)
		if err != nil {
			return err
		}
		items, err := tx.InboxItems(ctx, id, mostInInbox)
		for _, i := range items {
			item, err := itemOf(i, in)
			if err != nil {
				return err
			}
			all = append(all, item)
		}
		return err
	})
	return all, err
}

// itemOf returns an item as people read it, with what may be done about it.
func itemOf(i store.InboxItem, in quern.NamespacePath) (Item, error) {
	item := Item{ID: i.ID, Kind: i.Kind, Times: i.Times, At: i.LastAt, Action: AddWord}
	switch i.Kind {
	case ItemWord:
		item.Word = i.Key
	case ItemChoice:
		item.Word, item.Meaning, _ = strings.Cut(i.Key, choiceSeam)
		proposed := Word{Word: item.Word}
		means, value, isValue := strings.Cut(item.Meaning, choiceSeam)
		if proposed.Means = means; isValue {
			proposed.Value = &value
		}
		item.Proposal = Document{Words: []Word{proposed}}
	case ItemTold:
		item.Told, item.Action = &Told{}, ReadTold
		if err := json.Unmarshal([]byte(i.Told), item.Told); err != nil {
			return item, err
		}
		if item.Proposal = item.Told.proposal(in); !item.Proposal.Empty() {
			item.Action = AddVerified
		}
	}
	return item, nil
}

// Dismiss dismisses an item for good. NotFound when there is none.
func (s *Service) Dismiss(ctx context.Context, p quern.Principal, in quern.NamespacePath, item string) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		id, err := s.teacher(ctx, tx, p, in)
		if err == nil {
			err = p.MayChange()
		}
		if err != nil {
			return err
		}
		err = tx.DismissInboxItem(ctx, id, item)
		if quern.Is(err, quern.NotFound) {
			return quern.E(quern.NotFound, quern.CodeNotFound, "not found")
		}
		return err
	})
}

// Teachable returns the id of a namespace if the principal may write all of its
// knowledge; Forbidden for who may not.
func (s *Service) Teachable(ctx context.Context, p quern.Principal, in quern.NamespacePath) (id quern.NamespaceID, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		id, err = s.teacher(ctx, tx, p, in)
		return err
	})
	return id, err
}

// teacher returns the namespace if the principal may write all of its knowledge.
func (s *Service) teacher(ctx context.Context, tx *store.Tx, p quern.Principal, in quern.NamespacePath) (quern.NamespaceID, error) {
	standing, err := s.catalog.Standing(ctx, tx, p, in, 1)
	if err != nil {
		return "", err
	}
	if !standing.Role.AtLeast(quern.Editor) {
		return "", forbidden("this is for the owner and editors of the namespace")
	}
	return standing.Namespace.ID, nil
}

// proposal returns the question as a verified one: with the query that the asker
// says is right, or the one that answered where they liked it.
func (t *Told) proposal(in quern.NamespacePath) Document {
	text := t.CorrectedQuery
	if text == "" && t.ThumbsUp {
		text = t.Query
	}
	q, err := tree.Parse(text)
	if text == "" || err != nil {
		return Document{}
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for i := range q.Select.From {
			from := &q.Select.From[i]
			from.Alias = from.Ref()
			if tree.SameName(from.Dataset.Namespace, in.Namespace) {
				from.Dataset = tree.Name{Dataset: from.Dataset.Dataset}
			}
		}
	})
	if text, err = tree.Print(q); err != nil {
		return Document{}
	}
	name := quern.Clip(t.Question, MaxText)
	return Document{Verified: []Verified{{Name: name, Questions: []string{name}, Query: text}}}
}
