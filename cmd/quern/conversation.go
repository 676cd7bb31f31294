package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"quern/client"
)

// cancelTime is how long the server has to be told that a run is no longer wanted.
const cancelTime = 10 * time.Second

const conversationHelp = `Ask in plain English, one question a line; the next one may follow up on it.
Where you are asked back, answer with a number or in words. Ctrl-C ends a run.

  \sql          the queries of the last answer
  \sql SELECT…  runs SQL of yours
  \chart        the last rows as a chart
  \new          begins a new conversation
  \help         this
  \quit         ends, as Ctrl-D does
`

// errInterrupted ends a run, and not the program.
var errInterrupted = errors.New("cancelled")

// conversation is questions that are asked one after the other.
type conversation struct {
	sh       shell
	client   *client.Client
	question client.Question // without a text
	last     client.Answer
	// interrupts are what ends a run; nil where ending it ends the program.
	interrupts <-chan os.Signal
}

// converse asks what is typed at a terminal, or each line of standard input. It fails when
// a question of the latter did.
func converse(ctx context.Context, sh shell, c *client.Client, q client.Question) error {
	talk := &conversation{sh: sh, client: c, question: q}
	if !readsTerminal(sh) {
		return talk.readAll(ctx)
	}
	// Ctrl-C is for the run that goes on, so the signal that ends other commands does
	// not count here.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	interrupts, terminations := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	signal.Notify(terminations, syscall.SIGTERM)
	defer signal.Stop(interrupts)
	defer signal.Stop(terminations)
	talk.interrupts = interrupts
	in, err := newTerminalLines(sh)
	if err != nil {
		return err
	}
	go func() {
		select {
		case <-terminations:
			in.restore()
			os.Exit(exitFailed)
		case <-ctx.Done():
		}
	}()
	fmt.Fprintf(sh.Out, "Questions about %s. \\help says more.\n\n", printable(q.Namespace))
	for {
		line, err := in.read("> ")
		if errors.Is(err, io.EOF) {
			fmt.Fprintln(sh.Out)
			return nil
		}
		if err != nil {
			return err
		}
		ended, err := talk.take(ctx, line)
		if err != nil {
			_ = printLines(sh.Err, explain(err)) // there is nowhere else to say it
		}
		if ended {
			return nil
		}
	}
}

// readAll asks every line of standard input.
func (c *conversation) readAll(ctx context.Context) error {
	in, asked, failed := newPlainLines(c.sh.In), 0, 0
	for {
		line, err := in.read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		asked++
		ended, err := c.take(ctx, line)
		if ctx.Err() != nil {
			return errors.Join(ctx.Err(), err)
		}
		if err != nil {
			failed++
			_ = printLines(c.sh.Err, "quern: "+explain(err)) // there is nowhere else to say it
		}
		if ended {
			break
		}
	}
	switch {
	case asked == 0:
		return usageError{"the question is missing"}
	case failed > 0:
		return fmt.Errorf("%d of %d lines failed", failed, asked)
	}
	return nil
}

// take does what a line says; ended says that it was the last.
func (c *conversation) take(ctx context.Context, line string) (ended bool, err error) {
	line = strings.TrimSpace(line)
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case line == "":
		return false, nil
	case !strings.HasPrefix(line, `\`):
		return false, c.ask(ctx, line)
	}
	switch word {
	case `\quit`, `\q`:
		return true, nil
	case `\help`:
		_, err = io.WriteString(c.sh.Out, conversationHelp)
	case `\new`:
		c.question.Conversation, c.last = "", client.Answer{}
		_, err = fmt.Fprintln(c.sh.Out, "A new conversation.")
	case `\sql`:
		err = c.sql(ctx, strings.TrimSpace(rest))
	case `\chart`:
		err = c.chart()
	default:
		err = fmt.Errorf(`there is no %s; \help lists what there is`, word)
	}
	return false, err
}

// ask asks a question, and prints its steps as they come.
func (c *conversation) ask(ctx context.Context, text string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-c.interrupts:
			cancel(errInterrupted)
		case <-ctx.Done():
		}
	}()
	q := c.question
	q.Text = text
	var begun struct{ RunID, ConversationID string }
	answer, err := c.client.Ask(ctx, q, func(e client.Event) error {
		if e.Type == "run-started" {
			return json.Unmarshal(e.Data, &begun)
		}
		return printEvent(c.sh.Out, text, e)
	})
	if begun.ConversationID != "" {
		c.question.Conversation = begun.ConversationID
	}
	if err != nil {
		err = errors.Join(printUntold(c.sh.Out, answer), err)
	}
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return c.cancel(context.WithoutCancel(ctx), begun.RunID)
	}
	if err != nil {
		return err
	}
	c.last = answer
	if err := printAnswer(c.sh, answer); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.sh.Out)
	return err
}

// cancel tells the server that a run is no longer wanted.
func (c *conversation) cancel(ctx context.Context, run string) error {
	if run == "" {
		return errInterrupted
	}
	ctx, stop := context.WithTimeout(ctx, cancelTime)
	defer stop()
	if err := c.client.CancelRun(ctx, run); err != nil && !client.IsStatus(err, 409) { // it has ended meanwhile
		return fmt.Errorf("%w here; the server could not be told: %w", errInterrupted, err)
	}
	return errInterrupted
}

// sql prints the queries of the last answer, or runs one.
func (c *conversation) sql(ctx context.Context, text string) error {
	if text != "" {
		result, err := c.client.Query(ctx, client.Query{Owner: c.question.Owner, Namespace: c.question.Namespace, SQL: text})
		if err != nil {
			return err
		}
		return printResult(c.sh, result, false)
	}
	none := true
	for _, step := range c.last.Steps {
		if step.Query == "" {
			continue
		}
		none = false
		if err := printLines(c.sh.Out, step.Query); err != nil {
			return err
		}
	}
	if none {
		return errors.New("there is no query yet")
	}
	return nil
}

// chart draws the rows of the last step that has any.
func (c *conversation) chart() error {
	for i := len(c.last.Steps) - 1; i >= 0; i-- {
		step := c.last.Steps[i]
		if len(step.Data) == 0 {
			continue
		}
		wide := terminalWidth(c.sh.Out)
		if wide == 0 {
			wide = 80
		}
		text, err := chartText(step, wide)
		if err != nil {
			return err
		}
		_, err = io.WriteString(c.sh.Out, text)
		return err
	}
	return errors.New("there are no rows to draw yet")
}
