package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quern/app"
	"quern/backup"
	"quern/config"
)

func newBackup(sh shell) *cobra.Command {
	group := newGroup("backup", "Make, list, check and put back backups",
		newBackupCreate(sh), newBackupList(sh), newBackupVerify(sh), newBackupRestore(sh))
	group.Long = `Make, list, check and put back backups of an installation: its metadata and its
objects, of one moment, made while its servers run.

A place holds any number of backups: a folder, s3://bucket/folder, or an archive (a
file). A backup adds to its place only what the place does not have yet.

A backup holds password hashes, the keys that sign tokens, what other services gave
tokens for, and who may see what: whoever reads it can sign in as anybody. Keep it as
you keep the server, or encrypt it.`
	return group
}

// placeSettings are the settings of commands that read a place.
var placeSettings = []string{"config", "data", "s3_endpoint", "s3_region", "s3_access_key_id", "s3_secret_access_key",
	"backup_s3_endpoint", "backup_s3_region", "backup_s3_access_key_id", "backup_s3_secret_access_key"}

// installationSettings are the settings of commands that reach all that an installation keeps.
var installationSettings = append([]string{"database_url", "s3_bucket"}, placeSettings...)

func newBackupCreate(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "create --to PLACE",
		Short: "Make a backup beside running servers, and print its id",
		Long: `Make a backup beside running servers, and print its id. PLACE is a folder, which is
made, s3://bucket/folder, or - for an archive on standard output.

The id ends in a digest of all that the backup holds: who keeps it elsewhere can tell
whether the backup is what it was. While the backup runs, no object is swept.

With --recipient it is encrypted for public keys of age, and only who has a secret key
can read it: this machine need not. With --passphrase-file it is encrypted by a
passphrase. Objects of a dataset that are missing are named and do not keep the backup
from being made; the exit code is 1 then.`,
		Example: `  quern backup create --to /var/backups/quern --data /var/lib/quern
  quern backup create --to s3://backups/quern --recipient age1…
  quern backup create --to - --passphrase-file secret.txt > quern.tar`,
		Args: noArgs,
	}
	addSettings(cmd, installationSettings...)
	to := cmd.Flags().String("to", "", "where the backup goes: a folder, s3://bucket/folder, or - for standard output")
	recipients := cmd.Flags().StringArray("recipient", nil, "a public key of age that the backup is encrypted for; may be repeated")
	recipientsFile := cmd.Flags().String("recipients-file", "", "a file of such keys, one on a line")
	passphraseFile := cmd.Flags().String("passphrase-file", "", "a file with the passphrase that the backup is encrypted by")
	inJSON := addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := loadSettings(cmd, sh)
		if err != nil {
			return err
		}
		if *to == "" {
			return usageError{"--to is missing"}
		}
		lock, err := readLock(*recipients, *recipientsFile, *passphraseFile)
		if err != nil {
			return err
		}
		progress := &backup.Progress{}
		stop := showStages(sh, progress)
		id, m, err := app.CreateBackup(cmd.Context(), cfg, *to, sh.Out, lock, progress)
		stop()
		if err != nil {
			return err
		}
		return tellBackup(sh, *to, id, m, progress, len(lock.Recipients) > 0 || lock.Passphrase != "", *inJSON)
	}
	return cmd
}

// tellBackup tells of a backup that was made. Standard output may be the backup itself.
func tellBackup(sh shell, to, id string, m *backup.Manifest, progress *backup.Progress, sealed, inJSON bool) error {
	files, size := progress.Added()
	fmt.Fprintf(sh.Err, "backup %s made: %d rows of metadata, %d objects of %s; added to the place: %d files, %s\n",
		id, m.Rows(), m.Objects.Count, bytesText(m.Objects.Bytes), files, bytesText(size))
	if !sealed {
		fmt.Fprintln(sh.Err, "It is not encrypted and holds password hashes, the keys that sign tokens, and who may see what: keep it as you keep the server.")
	}
	switch {
	case to == "-":
	case inJSON:
		if err := printJSON(sh.Out, backupAsJSON(id, m.MadeAt, m)); err != nil {
			return err
		}
	default:
		fmt.Fprintln(sh.Out, id)
	}
	if n := len(m.Missing); n > 0 {
		return fmt.Errorf("%d objects that the metadata name are missing or not whole, and are not in the backup; the first is %s ('quern doctor' lists them)",
			n, m.Missing[0])
	}
	return nil
}

// backupJSON is how programs see a backup.
type backupJSON struct {
	ID      string           `json:"id"`
	MadeAt  time.Time        `json:"madeAt"`
	Release string           `json:"release,omitempty"`
	Schema  int              `json:"schema,omitempty"`
	Rows    map[string]int64 `json:"rows,omitempty"`
	Objects int64            `json:"objects"`
	Bytes   int64            `json:"bytes"`
	Missing []string         `json:"missing,omitempty"`
	Sealed  bool             `json:"sealed"` // and not opened: nothing more is known
}

func backupAsJSON(id string, at time.Time, m *backup.Manifest) backupJSON {
	if m == nil {
		return backupJSON{ID: id, MadeAt: at, Sealed: true}
	}
	rows := map[string]int64{}
	for _, t := range m.Tables {
		rows[t.Name] = t.Rows
	}
	return backupJSON{ID: id, MadeAt: at, Release: m.Release, Schema: m.Schema, Rows: rows, Objects: m.Objects.Count,
		Bytes: m.Objects.Bytes, Missing: m.Missing}
}

// maxKeys bounds a file of keys or a passphrase.
const maxKeys = 1 << 20

// readKeyFile reads a file with keys or a passphrase; no name reads nothing.
func readKeyFile(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("the key file cannot be read: %w", err)
	}
	if info.Size() > maxKeys {
		return nil, fmt.Errorf("the key file %s is too large to be one", name)
	}
	text, err := os.ReadFile(name)
	if err == nil && len(bytes.TrimSpace(text)) == 0 {
		err = fmt.Errorf("the key file %s is empty", name)
	}
	return text, err
}

// passphrase is the whole of a file, without the line's end.
func passphrase(name string) (string, error) {
	text, err := readKeyFile(name)
	return strings.TrimRight(string(text), "\r\n"), err
}

func readLock(recipients []string, recipientsFile, passphraseFile string) (lock backup.Lock, err error) {
	lock.Recipients = recipients
	listed, err := readKeyFile(recipientsFile)
	if err != nil {
		return lock, err
	}
	for line := range strings.Lines(string(listed)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lock.Recipients = append(lock.Recipients, line)
		}
	}
	if recipientsFile != "" && len(lock.Recipients) == 0 {
		return lock, fmt.Errorf("the file %s has no recipient", recipientsFile)
	}
	lock.Passphrase, err = passphrase(passphraseFile)
	return lock, err
}

// reading is what the commands that read a place were told.
type reading struct {
	from, passphraseFile string
	identities           []string
}

func addReading(cmd *cobra.Command) *reading {
	r := &reading{}
	cmd.Flags().StringVar(&r.from, "from", "", "where the backups are: a folder, an archive, or s3://bucket/folder")
	cmd.Flags().StringArrayVar(&r.identities, "identity", nil, "a key file of age that opens encrypted backups; may be repeated")
	cmd.Flags().StringVar(&r.passphraseFile, "passphrase-file", "", "a file with the passphrase that opens them")
	return r
}

// open runs fn on the place and the keys that a command was told.
func (r *reading) open(cmd *cobra.Command, sh shell, fn func(*config.Config, backup.Place, backup.Unlock) error) error {
	cfg, err := loadSettings(cmd, sh)
	if err != nil {
		return err
	}
	if r.from == "" {
		return usageError{"--from is missing"}
	}
	var unlock backup.Unlock
	for _, name := range r.identities {
		text, err := readKeyFile(name)
		if err != nil {
			return err
		}
		unlock.Identities += string(text) + "\n"
	}
	if unlock.Passphrase, err = passphrase(r.passphraseFile); err != nil {
		return err
	}
	place, closePlace, err := app.OpenPlace(cfg, r.from)
	if err != nil {
		return err
	}
	return errors.Join(fn(cfg, place, unlock), closePlace())
}

func newBackupList(sh shell) *cobra.Command {
	cmd := &cobra.Command{Use: "list --from PLACE", Short: "List the backups of a place, oldest first", Args: noArgs,
		Long: `List the backups of a place, oldest first. Of encrypted ones only the time is known
unless a key is given.`}
	addSettings(cmd, placeSettings...)
	from, inJSON := addReading(cmd), addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return from.open(cmd, sh, func(_ *config.Config, place backup.Place, unlock backup.Unlock) error {
			all, err := backup.List(cmd.Context(), place, unlock)
			if err != nil {
				return err
			}
			if *inJSON {
				listed := make([]backupJSON, 0, len(all))
				for _, b := range all {
					listed = append(listed, backupAsJSON(b.ID, b.MadeAt, b.Manifest))
				}
				return printJSON(sh.Out, listed)
			}
			rows := [][]string{{"ID", "MADE", "RELEASE", "OBJECTS", "SIZE"}}
			for _, b := range all {
				row := []string{b.ID, moment(b.MadeAt), "encrypted", "", ""}
				if m := b.Manifest; m != nil {
					row = []string{b.ID, moment(b.MadeAt), m.Release, fmt.Sprint(m.Objects.Count), bytesText(m.Objects.Bytes)}
				}
				rows = append(rows, row)
			}
			return printTable(sh.Out, rows)
		})
	}
	return cmd
}

// atMostOneID takes a backup's id or nothing, which is the last one.
func atMostOneID(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError{fmt.Sprintf("%q is one word too many", args[1])}
	}
	return nil
}

func newBackupVerify(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [ID] --from PLACE",
		Short: "Read a backup from beginning to end, and say whether it is whole",
		Long: `Read a backup from beginning to end, the last one when no id is given, and say whether
it is what it was when it was made. A file that is found damaged can be deleted: the
next backup copies it anew, if the installation still has it.`,
		Example: "  quern backup verify --from /var/backups/quern",
		Args:    atMostOneID,
	}
	addSettings(cmd, placeSettings...)
	from, inJSON := addReading(cmd), addJSON(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return from.open(cmd, sh, func(_ *config.Config, place backup.Place, unlock backup.Unlock) error {
			progress := &backup.Progress{}
			stop := showStages(sh, progress)
			id, m, err := backup.Verify(cmd.Context(), place, unlock, strings.Join(args, ""), progress)
			stop()
			if err != nil {
				return err
			}
			fmt.Fprintf(sh.Err, "backup %s is whole: %d rows of metadata, %d objects of %s\n", id, m.Rows(), m.Objects.Count, bytesText(m.Objects.Bytes))
			if *inJSON {
				return printJSON(sh.Out, backupAsJSON(id, m.MadeAt, m))
			}
			return nil
		})
	}
	return cmd
}

func newBackupRestore(sh shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "restore [ID] --from PLACE",
		Short: "Put a backup back where no server runs",
		Long: `Put a backup back, the last one when no id is given, where the settings say that
metadata and objects are. The databases need not be those that it was made of: a backup
of SQLite and files can be put into PostgreSQL and S3, and the other way round.

No server may run there. The backup is read and checked from beginning to end before
anything is touched; then objects are put back, and the metadata at the end in one step.
Where there are users and data already, --replace is needed: the former metadata stay
beside the new ones (quern.db.replaced-…) where they are a file.

Everything is as it was when the backup was made: tokens, sessions and grants that were
revoked since, and users that were disabled since, are good again and must be revoked
again.`,
		Example: "  quern backup restore --from /var/backups/quern --data /var/lib/quern",
		Args:    atMostOneID,
	}
	addSettings(cmd, installationSettings...)
	from := addReading(cmd)
	replace := cmd.Flags().Bool("replace", false, "users and data that are there go")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return from.open(cmd, sh, func(cfg *config.Config, place backup.Place, unlock backup.Unlock) error {
			progress := &backup.Progress{}
			stop := showStages(sh, progress)
			id, m, err := app.RestoreBackup(cmd.Context(), cfg, place, app.Restoration{
				ID: strings.Join(args, ""), Unlock: unlock, Replace: *replace, Progress: progress,
			})
			stop()
			if err != nil {
				return err
			}
			fmt.Fprintf(sh.Err, "backup %s of %s is back: %d rows of metadata, %d objects of %s\n", id, moment(m.MadeAt),
				m.Rows(), m.Objects.Count, bytesText(m.Objects.Bytes))
			fmt.Fprintln(sh.Err, "Tokens, sessions and grants that were revoked since, and users that were disabled since, are good again: revoke them again.")
			if n := len(m.Missing); n > 0 {
				fmt.Fprintf(sh.Err, "%d objects were missing when the backup was made and are missing still; the first is %s.\n", n, m.Missing[0])
			}
			return nil
		})
	}
	return cmd
}
