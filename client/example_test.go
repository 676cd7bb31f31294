package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"quern"
	"quern/app"
	"quern/client"
	"quern/config"
)

// newServer starts a whole server with the sample namespace and returns a client
// of its first user.
func newServer() (c *client.Client, stop func()) {
	must := func(err error) {
		if err != nil {
			log.Panic(err)
		}
	}
	dir, err := os.MkdirTemp("", "quern-example-*")
	must(err)
	cfg, err := config.Load(config.Inputs{Flags: map[string]string{"data": filepath.Join(dir, "data"), "listen": "127.0.0.1:0"}})
	must(err)
	ctx, cancel := context.WithCancel(context.Background())
	server, err := app.New(ctx, cfg, app.Options{Log: io.Discard})
	must(err)
	_, err = server.FirstUser(ctx, "ada")
	must(err)
	people, closePeople, err := app.OpenAuth(ctx, cfg, false)
	must(err)
	ada, err := people.As(ctx, "ada")
	must(err)
	_, token, err := people.CreateToken(ctx, ada, quern.TokenSpec{Name: "example"})
	must(err)
	must(closePeople())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	requests := &http.Client{Transport: &http.Transport{}}
	c, err = client.New(client.Options{Server: server.URL(), Token: token, HTTP: requests})
	must(err)
	return c, func() {
		requests.CloseIdleConnections()
		cancel()
		must(errors.Join(<-ended, server.Close(), os.RemoveAll(dir)))
	}
}

// SQL runs over the datasets that the token's user may see.
func ExampleClient_Query() {
	c, stop := newServer()
	defer stop()
	result, err := c.Query(context.Background(), client.Query{
		Namespace: "harbour", SQL: "select kind, count(*) as ships from ships group by kind order by ships desc, kind limit 2",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Columns)
	for _, row := range result.Rows {
		fmt.Printf("%s %s\n", row[0], row[1])
	}
	// Output:
	// [kind ships]
	// "bulk carrier" 3
	// "container ship" 3
}

// A question is read as a query, which is told with its rows.
func ExampleClient_Ask() {
	c, stop := newServer()
	defer stop()
	answer, err := c.Ask(context.Background(), client.Question{Namespace: "harbour", Text: "How many ships are there?"}, func(e client.Event) error {
		if e.Type == "queryExecuting" {
			fmt.Println("it is looked up …")
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Steps[0].Query)
	fmt.Println(answer.Response)
	// Output:
	// it is looked up …
	// SELECT count(*) AS "count" FROM "ada/harbour/ships" AS "ships"
	// There are 12 ships.
}

// Files are uploaded first, in parts that survive a bad network, and then become
// rows of a dataset.
func ExampleClient_Upload() {
	c, stop := newServer()
	defer stop()
	ctx := context.Background()
	text := "grain;grams\noats;80,5\nrye;1250\n"
	session, err := c.Upload(ctx, []client.File{{Name: "pantry.csv", Size: int64(len(text)), Content: strings.NewReader(text)}}, client.UploadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	pantry, err := client.ParseDataset("kitchen/pantry")
	if err != nil {
		fmt.Println(err)
		return
	}
	id, err := c.Ingest(ctx, pantry, client.IngestRequest{Session: session.ID})
	if err != nil {
		fmt.Println(err)
		return
	}
	done, err := c.Follow(ctx, id, func(client.Ingestion) {})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(session.Status, done.Status, done.ProcessedRows)
	// Output: completed completed 2
}

// Rows are stored once, all of them or none, and come out as they went in.
func ExampleClient_Append() {
	c, stop := newServer()
	defer stop()
	ctx := context.Background()
	herbs := client.Dataset{Namespace: "kitchen", Name: "herbs"}
	type row struct {
		Herb  string `json:"herb"`
		Grams *int   `json:"grams"`
	}
	n, err := c.Append(ctx, herbs, []row{{"mint", new(3)}, {"sage", nil}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n, "rows")
	if _, err := c.Export(ctx, herbs, client.ExportOptions{Format: "csv"}, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2 rows
	// herb,grams
	// mint,3
	// sage,
}

// A run belongs to the server: it goes on when its asker leaves, and is found again.
func ExampleClient_FollowRun() {
	c, stop := newServer()
	defer stop()
	ctx := context.Background()
	errLeave := errors.New("leave")
	begun, err := c.Ask(ctx, client.Question{Namespace: "harbour", Text: "How many ships are there?"}, func(client.Event) error { return errLeave })
	fmt.Println(errors.Is(err, errLeave))
	answer, err := c.FollowRun(ctx, begun.RunID, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Response)
	// Output:
	// true
	// There are 12 ships.
}

// A token for a program that only reads and asks.
func ExampleClient_CreateToken() {
	c, stop := newServer()
	defer stop()
	ctx := context.Background()
	made, err := c.CreateToken(ctx, client.NewToken{Name: "reports", ReadOnly: true, Reach: []client.Access{{Owner: "ada", Namespace: "harbour"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(made.Name, made.ReadOnly, made.Token != "")
	fmt.Println(c.RevokeToken(ctx, made.ID))
	// Output:
	// reports true true
	// <nil>
}

// What was changed by somebody else meanwhile is refused, not lost.
func ExampleClient_ChangeKnowledge() {
	c, stop := newServer()
	defer stop()
	ctx := context.Background()
	now, err := c.Knowledge(ctx, "", "harbour")
	if err != nil {
		fmt.Println(err)
		return
	}
	words := map[string]any{"words": []map[string]string{{"word": "vessel", "means": "ships"}}}
	_, first := c.ChangeKnowledge(ctx, "", "harbour", now.Version, words, nil)
	_, second := c.ChangeKnowledge(ctx, "", "harbour", now.Version, words, nil)
	fmt.Println(first, client.IsStatus(second, http.StatusConflict))
	// Output: <nil> true
}

// What a server refuses says why, as a value.
func ExampleIsStatus() {
	c, stop := newServer()
	defer stop()
	_, err := c.Query(context.Background(), client.Query{Namespace: "nowhere", SQL: "select 1"})
	fmt.Println(client.IsStatus(err, http.StatusNotFound))
	// Output: true
}
