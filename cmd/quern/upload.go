package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/client"
)

// exitResumable says that an upload was cut off and --resume goes on with it.
const exitResumable = 3

// codedError is an error with an exit code of its own.
type codedError struct {
	error
	code int
}

func (e codedError) Unwrap() error { return e.error }

// uploading is an upload command with what it was told.
type uploading struct {
	sh       shell
	client   *client.Client
	server   string
	states   stateDir
	resume   bool
	parallel int
	json     bool
	to       *client.Dataset // nil: the files are only stored
	ask      client.IngestRequest
	look     bool // show what would become of them instead
}

func newUpload(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "upload FILE…",
		Short: "Send files to a server",
		Long: `Send files to a server, part by part, in one upload session.

An upload that is cut off (by Ctrl-C, a reboot, the network) goes on where it
stopped with 'quern upload --resume FILE…', or for all unfinished uploads to the
server with 'quern upload --resume'. Until then the server keeps what it has
for as long as sessions live there. What --to said then holds, unless it is said
again.

With --to the files become rows of a dataset, which is made when it is missing.
What they hold decides how they are read: delimited text, JSON, Parquet, Excel
and others, also packed. Lists of objects in JSON become datasets of their own
(--list). A file that the dataset was given before is not stored again unless
--append or --replace says so. With a row that cannot be read none is stored,
unless --on-error quarantine sets it aside. With --preview no rows are stored.

Give the token in QUERN_TOKEN rather than by its flag, which others can see.

Exit codes: 0 all files are stored (and ingested, with --to), 1 failed, 2 used
wrongly, 3 cut off: --resume goes on with the upload, or follows the ingestion
that the server goes on with.`,
		Example: `  export QUERN_SERVER=https://quern.example QUERN_TOKEN=…
  quern upload --to harbour/arrivals arrivals.csv
  quern upload --to harbour/arrivals --preview --sheet Orders arrivals.xlsx
  quern upload --to shop/orders --list lines=order_lines --list tags= orders.json
  until quern upload --resume big.csv; do [ $? = 3 ] || break; done`,
	}
	server := addServer(cmd, sh)
	state := cmd.Flags().String("state", "", "the folder for notes on unfinished uploads (default ~/.local/state/quern/uploads)")
	resume := cmd.Flags().Bool("resume", false, "go on with what was cut off")
	parallel := cmd.Flags().Int("parallel", 4, "the parts that are sent at the same time")
	look := cmd.Flags().Bool("preview", false, "with --to, show what the files would become, and store no rows")
	into := addTarget(cmd)
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 && !*resume:
			return usageError{"FILE is missing"}
		case *parallel < 1 || *parallel > 64:
			return usageError{"--parallel is not between 1 and 64"}
		}
		u := uploading{sh: sh, resume: *resume, parallel: *parallel, json: *inJSON, look: *look, states: stateDir(*state)}
		u.server = server.address()
		var err error
		if u.to, u.ask, err = into(); err != nil {
			return err
		}
		if u.client, err = server.connect(); err != nil {
			return err
		}
		if u.states == "" {
			if u.states, err = defaultStateDir(sh); err != nil {
				return err
			}
		}
		return u.run(cmd.Context(), args)
	}
	return cmd
}

// given is the first text that is not empty.
func given(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// variable returns an environment variable, "" when it is not set.
func (sh shell) variable(name string) string {
	for _, entry := range sh.Environ {
		if key, value, _ := strings.Cut(entry, "="); key == name {
			return value
		}
	}
	return ""
}

func (u uploading) run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		paths := make([]string, len(args))
		for i, arg := range args {
			var err error
			if paths[i], err = filepath.Abs(arg); err != nil {
				return err
			}
		}
		return u.upload(ctx, paths)
	}
	notes, err := u.states.all(u.server)
	if err != nil {
		return err
	}
	if len(notes) == 0 {
		fmt.Fprintf(u.sh.Err, "There is no unfinished upload to %s.\n", u.server)
	}
	var failed error
	for _, n := range notes {
		failed = errors.Join(failed, u.upload(ctx, n.paths()))
	}
	return failed
}

// upload sends files, going on with a former session of theirs where asked to.
func (u uploading) upload(ctx context.Context, paths []string) error {
	files, err := openFiles(paths)
	if err != nil {
		return err
	}
	defer files.close()
	note := files.note(u.server)
	former, found, err := u.former(ctx, &note)
	if err != nil {
		return err
	}
	options := client.UploadOptions{Parallel: u.parallel, Started: func(id string) error {
		note.Session, note.Started = id, time.Now().UTC()
		return u.states.save(note)
	}}
	if found {
		options.Session, note.Session, note.Started = former.Session, former.Session, former.Started
		if err := u.states.save(note); err != nil {
			return err
		}
	}
	session, err := u.send(ctx, files, options)
	if errors.Is(err, client.ErrEnded) || errors.Is(err, client.ErrOtherFiles) {
		fmt.Fprintln(u.sh.Err, "The server no longer has the upload that was cut off; it starts again.")
		options.Session = ""
		session, err = u.send(ctx, files, options)
	}
	if err != nil {
		return u.explain(ctx, err, note.Session != "")
	}
	if u.look && u.to != nil {
		return u.preview(ctx, session)
	}
	made, err := u.ingest(ctx, session)
	if err != nil {
		return err
	}
	if err := u.states.remove(note); err != nil {
		return err
	}
	if err := u.print(session, paths, made); err != nil {
		return err
	}
	return u.setAside(ctx, made, failure(made))
}

// former returns the note on an upload of the same files to go on with, if there is
// one, and notes where the files go.
func (u *uploading) former(ctx context.Context, note *uploadNote) (former uploadNote, found bool, err error) {
	if former, found, err = u.states.load(*note); err != nil {
		return former, false, err
	}
	if found && u.resume {
		if err := u.recall(former); err != nil {
			return former, false, err
		}
	}
	if u.to != nil {
		note.To, note.Ask = u.to.String(), u.ask
	}
	goesOn := u.resume && former.same(*note)
	if !found || goesOn {
		return former, found, nil
	}
	if u.resume {
		fmt.Fprintln(u.sh.Err, "The files have changed since the upload was cut off; it starts again.")
	}
	u.drop(ctx, former)
	return former, false, nil
}

func (u uploading) send(ctx context.Context, files openedFiles, o client.UploadOptions) (client.Session, error) {
	o.Progress = &client.Progress{}
	if app.IsTerminal(u.sh.Err) {
		stop := showProgress(u.sh.Err, o.Progress)
		defer stop()
	}
	return u.client.Upload(ctx, files.files(), o)
}

// drop frees what a former upload left on the server, if that can be done: the
// server ends it by itself in time.
func (u uploading) drop(ctx context.Context, former uploadNote) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := u.client.Abort(ctx, former.Session); err != nil && !client.IsStatus(err, http.StatusNotFound) {
		fmt.Fprintf(u.sh.Err, "The upload session %s stays on the server until its end.\n", former.Session)
	}
}

// explain says whether it makes sense to go on later.
func (u uploading) explain(ctx context.Context, err error, begun bool) error {
	refused, ok := errors.AsType[*client.Error](err)
	forGood := ok && refused.Status < 500 && refused.Status != http.StatusTooManyRequests
	useless := forGood || errors.Is(err, errChanged)
	if ctx.Err() == nil && useless {
		return err
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	if !begun {
		return err
	}
	return codedError{fmt.Errorf("%w; run the same command with --resume to go on", err), exitResumable}
}

// print tells what is on the server now.
func (u uploading) print(s client.Session, paths []string, made *client.Ingestion) error {
	type fileJSON struct {
		FileID   string `json:"fileId"`
		Filename string `json:"filename"`
		Path     string `json:"path"`
		Size     int64  `json:"size"`
		Key      string `json:"key"`
	}
	files := make([]fileJSON, len(s.Files))
	rows := [][]string{{"FILE ID", "NAME", "BYTES"}}
	for i, f := range s.Files {
		files[i] = fileJSON{f.FileID, f.Filename, paths[i], f.Size, f.Key}
		rows = append(rows, []string{f.FileID, f.Filename, strconv.FormatInt(f.Size, 10)})
	}
	if u.json {
		return printJSON(u.sh.Out, struct {
			SessionID     string        `json:"sessionId"`
			SessionStatus client.Status `json:"sessionStatus"`
			Files         []fileJSON    `json:"files"`
			// Ingestion is what was made of the files, where that was asked for.
			Ingestion *client.Ingestion `json:"ingestion,omitempty"`
		}{s.ID, s.Status, files, made})
	}
	fmt.Fprintf(u.sh.Out, "Upload session %s\n\n", s.ID)
	if err := printTable(u.sh.Out, rows); err != nil || made == nil {
		return err
	}
	return u.printIngestion(*made)
}
