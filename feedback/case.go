package feedback

import (
	"strings"

	"quern"
)

// Case is one line of a test set for the translator. Its first three members are
// those that are read when it is run; for a run that was rated down, the query is
// the one to be put right.
type Case struct {
	DB       string      `json:"db"` // the namespace
	Question string      `json:"question"`
	SQL      string      `json:"sql"`
	Rating   string      `json:"rating"` // up or down
	Comment  string      `json:"comment,omitempty"`
	Run      quern.RunID `json:"runId"`
	Step     int         `json:"step"`
}

func cases(r Rated) (all []Case) {
	rating := "down"
	if r.Feedback.ThumbsUp {
		rating = "up"
	}
	for _, step := range r.Run.Steps {
		if step.Query == "" {
			continue
		}
		question := step.Instruction
		if len(r.Run.Steps) == 1 || question == "" {
			question = r.Run.Task.Question
		}
		all = append(all, Case{
			DB: r.Run.In.Namespace, Question: question, SQL: within(r.Run.In, step.Query),
			Rating: rating, Comment: r.Feedback.Comment, Run: r.Run.ID, Step: step.Index,
		})
	}
	return all
}

// within writes the datasets of a namespace, which a query names in full, as the
// tables of one database: "ada/harbour/ships" becomes "ships". Texts in the query
// stay as they are.
func within(in quern.NamespacePath, sql string) string {
	prefix := quern.NameKey(in.Owner + "/" + in.Namespace + "/")
	var out strings.Builder
	for sql != "" {
		start := strings.IndexAny(sql, `'"`)
		if start < 0 {
			break
		}
		// A doubled quote ends one piece and begins the next, which comes to the same.
		end := strings.IndexByte(sql[start+1:], sql[start])
		if end < 0 {
			break
		}
		end += start + 1
		quoted := sql[start+1 : end]
		if sql[start] == '"' && strings.HasPrefix(quern.NameKey(quoted), prefix) {
			quoted = quoted[len(prefix):]
		}
		out.WriteString(sql[:start+1] + quoted + sql[end:end+1])
		sql = sql[end+1:]
	}
	return out.String() + sql
}
