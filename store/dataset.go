package store

import (
	"context"
	"slices"
	"time"

	"quern"
)

// InsertNamespace adds a namespace; Conflict when its owner has one of that name. A
// draft of that name becomes the namespace.
func (tx *Tx) InsertNamespace(ctx context.Context, n quern.Namespace) error {
	if made, err := tx.exec(ctx, `UPDATE namespaces SET name = $3, draft = 0 WHERE owner_id = $1 AND name_key = $2 AND draft = 1`,
		n.OwnerID, quern.NameKey(n.Name), n.Name); err != nil || made > 0 {
		return err
	}
	_, err := tx.exec(ctx, `INSERT INTO namespaces (id, owner_id, name, name_key, created_at) VALUES ($1, $2, $3, $4, $5)`,
		n.ID, n.OwnerID, n.Name, quern.NameKey(n.Name), micros(n.CreatedAt))
	return err
}

// EnsureNamespace adds a namespace, as a draft or not, unless its owner has one of
// that name, and returns the one that is there afterwards.
func (tx *Tx) EnsureNamespace(ctx context.Context, n quern.Namespace, draft bool) (quern.Namespace, error) {
	const tries = 5
	for try := 1; ; try++ {
		if _, err := tx.exec(ctx, `INSERT INTO namespaces (id, owner_id, name, name_key, created_at, draft) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (owner_id, name_key) DO NOTHING`,
			n.ID, n.OwnerID, n.Name, quern.NameKey(n.Name), micros(n.CreatedAt), asInt(draft)); err != nil {
			return n, err
		}
		if !draft {
			if _, err := tx.exec(ctx, `UPDATE namespaces SET draft = 0 WHERE owner_id = $1 AND name_key = $2 AND draft = 1`,
				n.OwnerID, quern.NameKey(n.Name)); err != nil {
				return n, err
			}
		}
		a, err := scanNamespaceAccess(tx.row(ctx, namespaceAccess+` WHERE n.owner_id = $2 AND n.name_key = $3`,
			n.OwnerID, n.OwnerID, quern.NameKey(n.Name)))
		// One that was there may be deleted between the two statements.
		if !quern.Is(err, quern.NotFound) || try == tries {
			return a.Namespace, err
		}
	}
}

// LockNamespace keeps a namespace from changing until the transaction ends.
func (tx *Tx) LockNamespace(ctx context.Context, id quern.NamespaceID) error {
	_, err := tx.exec(ctx, `UPDATE namespaces SET name = name WHERE id = $1`, id)
	return err
}

// RenameNamespace changes a namespace's name; Conflict when it is taken.
func (tx *Tx) RenameNamespace(ctx context.Context, id quern.NamespaceID, name string) error {
	_, err := tx.exec(ctx, `UPDATE namespaces SET name = $2, name_key = $3 WHERE id = $1`, id, name, quern.NameKey(name))
	return err
}

// DeleteNamespace removes an empty namespace with its grants.
func (tx *Tx) DeleteNamespace(ctx context.Context, id quern.NamespaceID) error {
	if err := tx.deleteGrants(ctx, string(id)); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `DELETE FROM namespaces WHERE id = $1`, id)
	return err
}

// InsertDataset adds an empty dataset; Conflict when the name is taken.
func (tx *Tx) InsertDataset(ctx context.Context, d quern.Dataset) error {
	definition, err := encode(d.Definition.SchemaDefinition)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `INSERT INTO datasets (id, namespace_id, name, name_key, version, row_count, next_row, columns,
		data_description, schema_definition, created_at, data_changed_at, draft, made_for)
		VALUES ($1, $2, $3, $4, 1, 0, 0, '[]', $5, $6, $7, $7, $8, $9)`,
		d.ID, d.Namespace.ID, d.Name, quern.NameKey(d.Name), d.Definition.DataDescription, definition, micros(d.CreatedAt), asInt(d.Draft), d.MadeFor)
	return err
}

func asInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// PublishDataset makes a draft a dataset like others, and so its namespace.
func (tx *Tx) PublishDataset(ctx context.Context, d quern.Dataset) error {
	if _, err := tx.exec(ctx, `UPDATE datasets SET draft = 0 WHERE id = $1`, d.ID); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE namespaces SET draft = 0 WHERE id = $1 AND draft = 1`, d.Namespace.ID)
	return err
}

// LockDataset keeps a dataset from changing until the transaction ends. What is
// read of it afterwards is the latest committed state.
func (tx *Tx) LockDataset(ctx context.Context, id quern.DatasetID) error {
	// A write that changes nothing takes the row in both databases.
	_, err := tx.exec(ctx, `UPDATE datasets SET version = version WHERE id = $1`, id)
	return err
}

// DatasetByID returns a dataset; NotFound when it is gone.
func (tx *Tx) DatasetByID(ctx context.Context, id quern.DatasetID) (quern.Dataset, error) {
	var r datasetRow
	if err := tx.row(ctx, `SELECT `+datasetColumns+`, `+namespaceColumns+` FROM datasets d
		JOIN namespaces n ON n.id = d.namespace_id JOIN users u ON u.id = n.owner_id WHERE d.id = $1`, id)(r.dest()...); err != nil {
		return quern.Dataset{}, err
	}
	return r.value()
}

var changedData = valueTable{"changed", []valueColumn{{"id", "text"}, {"columns", "text"}, {"version", "bigint"}, {"row_count", "bigint"},
	{"next_row", "bigint"}, {"at", "bigint"}, {"journal_bytes", "bigint"}, {"journal_rows", "bigint"}}}

// UpdateData stores what a change of data changes of datasets: version, counts, columns.
func (tx *Tx) UpdateData(ctx context.Context, all ...quern.Dataset) error {
	for some := range slices.Chunk(all, insertAtOnce) {
		rows := make([][]any, len(some))
		for i, d := range some {
			columns, err := encode(d.Columns)
			if err != nil {
				return err
			}
			if !columns.Valid {
				columns.String, columns.Valid = "[]", true
			}
			tx.columns.note(d.ID, columns.String, d.Columns)
			rows[i] = []any{d.ID, columns, d.Version, d.Rows, d.NextRow, micros(d.DataChangedAt), d.Journal.Bytes, d.Journal.Rows}
		}
		with, args, err := tx.with(changedData, rows)
		if err != nil {
			return err
		}
		if err := tx.later(ctx, with+`UPDATE datasets SET columns = c.columns, version = c.version, row_count = c.row_count, next_row = c.next_row,
			data_changed_at = c.at, journal_bytes = c.journal_bytes, journal_rows = c.journal_rows
			FROM changed c WHERE datasets.id = c.id`, args...); err != nil {
			return err
		}
	}
	return nil
}

// UpdateDefinition replaces a dataset's saved inference definition.
func (tx *Tx) UpdateDefinition(ctx context.Context, id quern.DatasetID, def quern.InferDefinition) error {
	schema, err := encode(def.SchemaDefinition)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE datasets SET data_description = $2, schema_definition = $3 WHERE id = $1`, id, def.DataDescription, schema)
	return err
}

// UpdateLinkOptions replaces how links of a dataset are looked for.
func (tx *Tx) UpdateLinkOptions(ctx context.Context, id quern.DatasetID, options *quern.LinkOptions) error {
	text, err := encode(options)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE datasets SET link_options = $2 WHERE id = $1`, id, text)
	return err
}

// UpdateSortOrder replaces the order in which a dataset's columns are shown.
func (tx *Tx) UpdateSortOrder(ctx context.Context, id quern.DatasetID, order []string) error {
	text, err := encode(order)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE datasets SET sort_order = $2 WHERE id = $1`, id, text)
	return err
}

// RenameDataset changes a dataset's name; Conflict when it is taken.
func (tx *Tx) RenameDataset(ctx context.Context, id quern.DatasetID, name string) error {
	_, err := tx.exec(ctx, `UPDATE datasets SET name = $2, name_key = $3 WHERE id = $1`, id, name, quern.NameKey(name))
	return err
}

// DeleteDataset removes a dataset with its grants. Its segments must be gone.
func (tx *Tx) DeleteDataset(ctx context.Context, id quern.DatasetID) error {
	if err := tx.deleteGrants(ctx, string(id)); err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `UPDATE published SET until = coalesce(until, 0), held = 0 WHERE dataset_id = $1`, id); err != nil {
		return err
	}
	if err := tx.ReplaceFoundLinks(ctx, id, nil, 0); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `DELETE FROM datasets WHERE id = $1`, id)
	return err
}

// CountDatasets counts a namespace's datasets that are no drafts.
func (tx *Tx) CountDatasets(ctx context.Context, id quern.NamespaceID) (n int, err error) {
	err = tx.row(ctx, `SELECT COUNT(*) FROM datasets WHERE namespace_id = $1 AND draft = 0`, id)(&n)
	return n, err
}

// DatasetsIn lists the ids of a namespace's datasets, drafts included.
func (tx *Tx) DatasetsIn(ctx context.Context, id quern.NamespaceID) ([]quern.DatasetID, error) {
	return tx.datasetIDs(ctx, `SELECT id FROM datasets WHERE namespace_id = $1 ORDER BY id`, id)
}

// FragmentedDatasets lists datasets that have more than one segment under rows
// rows, most fragmented first.
func (tx *Tx) FragmentedDatasets(ctx context.Context, rows int64, limit int) ([]quern.DatasetID, error) {
	return tx.datasetIDs(ctx, `SELECT dataset_id FROM segments WHERE row_count < $1 GROUP BY dataset_id
		HAVING count(*) > 1 ORDER BY count(*) DESC, dataset_id LIMIT $2`, rows, limit)
}

func (tx *Tx) datasetIDs(ctx context.Context, query string, args ...any) ([]quern.DatasetID, error) {
	var all []quern.DatasetID
	err := tx.each(ctx, query, args, func(scan func(...any) error) error {
		var id quern.DatasetID
		err := scan(&id)
		all = append(all, id)
		return err
	})
	return all, err
}

// IdempotentAnswer returns the request digest and answer stored under a user's
// key; NotFound when the key is new.
func (tx *Tx) IdempotentAnswer(ctx context.Context, user quern.UserID, key string) (request, answer string, err error) {
	err = tx.row(ctx, `SELECT request, answer FROM idempotency_keys WHERE user_id = $1 AND key = $2`, user, key)(&request, &answer)
	return request, answer, err
}

// IdempotentAnswer is what a request to change a dataset was answered with.
type IdempotentAnswer struct {
	User    quern.UserID
	Key     string
	Dataset quern.DatasetID
	Request string // a digest
	Answer  string
	At      time.Time
}

// InsertIdempotentAnswer stores an answer under a user's key; Conflict when
// another request has done so.
func (tx *Tx) InsertIdempotentAnswer(ctx context.Context, a IdempotentAnswer) error {
	_, err := tx.exec(ctx, `INSERT INTO idempotency_keys (user_id, key, dataset_id, request, answer, created_at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		a.User, a.Key, a.Dataset, a.Request, a.Answer, micros(a.At))
	return err
}

// ForgetIdempotentAnswers forgets what a dataset's requests were answered with,
// because what they stored is gone.
func (tx *Tx) ForgetIdempotentAnswers(ctx context.Context, id quern.DatasetID) error {
	_, err := tx.exec(ctx, `DELETE FROM idempotency_keys WHERE dataset_id = $1`, id)
	return err
}

// DeleteIdempotentAnswers forgets answers stored before a time.
func (tx *Tx) DeleteIdempotentAnswers(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM idempotency_keys WHERE created_at < $1`, micros(before))
	return err
}
