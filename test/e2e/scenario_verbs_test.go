package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"

	"quern/client"
)

// verbs are those of the scenarios, on the Go client.
var verbs = map[string]func(context.Context, *scenarioRunner, *client.Client, given) (map[string]any, error){
	"create": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		made, err := c.Create(ctx, g.at())
		return map[string]any{"name": made.Name}, err
	},
	"append": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		n, err := c.Append(ctx, g.at(), g.Rows)
		return map[string]any{"rows": n}, err
	},
	"describe": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		about, err := c.Describe(ctx, g.at())
		return map[string]any{"rows": about.Metadata.RowCount, "columns": about.Metadata.ColumnNames}, err
	},
	"delete": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		return nil, c.DeleteDataset(ctx, g.at())
	},
	"query": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		result, err := c.Query(ctx, client.Query{Namespace: g.Namespace, SQL: g.SQL})
		return plain(result), err
	},
	"export": export,
	"ask":    askStep,
	"leave":  leave,
	"await": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		answer, err := c.FollowRun(ctx, g.Run, nil)
		if err != nil {
			return nil, err
		}
		run, err := c.Run(ctx, g.Run)
		return map[string]any{"status": run.Status, "response": answer.Response}, err
	},
	"interrupt": interrupt,
	"upload":    resume,
	"ingest": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		id, err := c.Ingest(ctx, g.at(), client.IngestRequest{Session: g.Session})
		if err != nil {
			return nil, err
		}
		done, err := c.Follow(ctx, id, nil)
		return map[string]any{"status": done.Status, "rows": done.ProcessedRows}, err
	},
	"share": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		_, err := c.Share(ctx, g.at(), client.Share{Username: g.Username, Role: g.Role})
		return nil, err
	},
	"unshare": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		return nil, c.Unshare(ctx, g.at(), g.Username)
	},
	"shares": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		all, err := c.Shares(ctx, g.at())
		return map[string]any{"shares": all}, err
	},
	"knowledge": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		k, err := c.Knowledge(ctx, "", g.Namespace)
		return map[string]any{"version": k.Version}, err
	},
	"changeKnowledge": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		k, err := c.ChangeKnowledge(ctx, "", g.Namespace, g.Version, g.Merge, nil)
		document, _ := alike(k.Document).(map[string]any)
		words, _ := document["words"].([]any)
		return map[string]any{"words": len(words)}, err
	},
	"createToken": func(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
		made, err := c.CreateToken(ctx, client.NewToken{Name: g.Name, ReadOnly: g.ReadOnly})
		return map[string]any{"token": made.Token, "id": made.ID}, err
	},
}

// at is the dataset of a step; one that is none is refused by the server.
func (g given) at() client.Dataset {
	d, _ := client.ParseDataset(g.Dataset)
	return d
}

func export(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
	var content bytes.Buffer
	_, err := c.Export(ctx, g.at(), client.ExportOptions{Format: g.Format}, &content)
	if err != nil || g.Format != "arrow" {
		return map[string]any{"text": content.String()}, err
	}
	rows, err := countArrow(content.Bytes())
	if err != nil {
		return nil, err
	}
	about, err := c.Describe(ctx, g.at())
	return map[string]any{"whole": rows == about.Metadata.RowCount}, err
}

func askStep(ctx context.Context, r *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
	events := []string{}
	q := client.Question{Namespace: g.Namespace, Text: g.Question, Conversation: g.Conversation}
	answer, err := c.Ask(ctx, q, func(e client.Event) error {
		if events = append(events, e.Type); len(events) > 1 || g.RevokeAtFirst == "" {
			return nil
		}
		ada, err := r.as("", "")
		if err != nil {
			return err
		}
		return ada.RevokeToken(ctx, g.RevokeAtFirst)
	})
	if err != nil {
		return nil, err
	}
	got := map[string]any{}
	if len(answer.Steps) > 0 {
		result, err := answer.Steps[len(answer.Steps)-1].Rows()
		if err != nil {
			return nil, err
		}
		got = plain(result)
	}
	labels := []string{}
	if answer.Clarification != nil {
		for _, choice := range answer.Clarification.Choices {
			labels = append(labels, choice.Label)
		}
		got["choice"] = answer.Clarification.Choices[0].Question
	}
	got["response"], got["doubt"], got["events"], got["choices"] = answer.Response, answer.Doubt, events, labels
	got["conversation"] = answer.ConversationID
	return got, nil
}

var errLeft = errors.New("the asker has left")

func leave(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
	answer, err := c.Ask(ctx, client.Question{Namespace: g.Namespace, Text: g.Question}, func(client.Event) error { return errLeft })
	if !errors.Is(err, errLeft) {
		return nil, errors.Join(errors.New("the asker did not leave"), err)
	}
	return map[string]any{"run": answer.RunID}, nil
}

// numbers is a file with as many lines, and its header.
func numbers(lines int) string {
	var text strings.Builder
	text.WriteString("n\n")
	for i := range lines {
		text.WriteString(strconv.Itoa(i) + "\n")
	}
	return text.String()
}

// interrupted is a file whose second half cannot be read.
type interrupted struct{ io.ReaderAt }

var errInterrupted = errors.New("interrupted")

func (f interrupted) ReadAt(p []byte, at int64) (int, error) {
	if at >= scenarioPart {
		return 0, errInterrupted
	}
	return f.ReaderAt.ReadAt(p, at)
}

func interrupt(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
	text := numbers(g.Lines)
	file := client.File{Name: g.Name, Size: int64(len(text)), Content: interrupted{strings.NewReader(text)}}
	session, err := c.Upload(ctx, []client.File{file}, client.UploadOptions{Parallel: 1})
	if !errors.Is(err, errInterrupted) {
		return nil, errors.Join(errors.New("the upload was not interrupted"), err)
	}
	return map[string]any{"session": session.ID}, nil
}

func resume(ctx context.Context, _ *scenarioRunner, c *client.Client, g given) (map[string]any, error) {
	text := numbers(g.Lines)
	progress := &client.Progress{}
	var before int64
	session, err := c.Upload(ctx, []client.File{{Name: g.Name, Size: int64(len(text)), Content: strings.NewReader(text)}}, client.UploadOptions{
		Session: g.Session, Progress: progress,
		Started: func(string) error { before, _ = progress.Bytes(); return nil },
	})
	done, total := progress.Bytes()
	return map[string]any{"status": session.Status, "resumed": before > 0 && done == total}, err
}
