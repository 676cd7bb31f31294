package ingest_test

import (
	"testing"
	"time"

	"quern"
	"quern/catalog"
	"quern/store"
	"quern/store/storetest"
)

// A dataset whose first ingestion fails is not there, but the ingestion is.
func TestAFailedFirstIngestionLeavesNoDataset(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := newFileHouseOn(t, s)
		bo := m.User("bo")
		i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("a,b\n1,2\n3,4,5\n6,7\n")})
		if i.Status != quern.IngestionFailed {
			t.Fatalf("ingest() = %s, want it to fail", i.Status)
		}
		if _, _, err := m.Catalog.Describe(t.Context(), m.ada, dataset("it")); !quern.Is(err, quern.NotFound) {
			t.Errorf("Describe() = %v, want NotFound", err)
		}
		if page, _, err := m.Catalog.Datasets(t.Context(), m.ada, catalog.Filter{Limit: 10}); err != nil || len(page) != 0 {
			t.Errorf("Datasets() = %v, %v, want none", page, err)
		}
		if page, _, err := m.Catalog.Namespaces(t.Context(), m.ada, catalog.Filter{Limit: 10}); err != nil || len(page) != 0 {
			t.Errorf("Namespaces() = %v, %v, want none", page, err)
		}
		_, attempts, err := m.ingest.Attempts(t.Context(), m.ada, dataset("it"), m.clock.Now().Add(time.Hour), 10)
		if err != nil || len(attempts) != 1 || attempts[0].ID != i.ID {
			t.Errorf("Attempts() = %v, %v, want the one", attempts, err)
		}
		if rows, err := m.ingest.Rejected(t.Context(), m.ada, i.ID, 0, 10); err != nil || len(rows) != 1 {
			t.Errorf("Rejected() = %v, %v, want the one row", rows, err)
		}
		if _, _, err := m.ingest.Ingestion(t.Context(), bo, i.ID); !quern.Is(err, quern.NotFound) {
			t.Errorf("Ingestion() of another = %v, want NotFound", err)
		}
		again, err := m.ingest.Retry(t.Context(), m.ada, i.ID)
		must(t, err)
		_, err = m.ingest.WorkOnce(t.Context())
		must(t, err)
		if again = m.ingestion(again.ID); again.Status != quern.IngestionFailed {
			t.Errorf("Retry() = %s, want it to fail as the first", again.Status)
		}
		// A namespace and a dataset of these names can be made, by hand or by rows.
		_, err = m.Catalog.CreateNamespace(t.Context(), m.ada, "files")
		must(t, err)
		if page, _, err := m.Catalog.Datasets(t.Context(), m.ada, catalog.Filter{Limit: 10}); err != nil || len(page) != 0 {
			t.Errorf("Datasets() in the namespace = %v, %v, want none", page, err)
		}
		if done := m.ingestFiles("it", quern.IngestionOptions{}, file{"b.csv", []byte("a,b\n1,2\n")}); done.Status != quern.IngestionCompleted {
			t.Errorf("another ingestion = %s: %s, want it completed", done.Status, done.Message)
		}
		if got := m.table("it"); got != "a integer, b integer\n[1,2]\n" {
			t.Errorf("the dataset is\n%s", got)
		}
		m.ingestFiles("two", quern.IngestionOptions{}, file{"a.csv", nil})
		_, err = m.Catalog.CreateDataset(t.Context(), m.ada, dataset("two"), quern.InferDefinition{})
		must(t, err)
		_, err = m.Catalog.CreateDataset(t.Context(), m.ada, dataset("two"), quern.InferDefinition{})
		if !quern.Is(err, quern.Conflict) {
			t.Errorf("CreateDataset() again = %v, want a Conflict", err)
		}
		m.ingestFiles("three", quern.IngestionOptions{}, file{"a.csv", nil})
		_, err = m.Catalog.DeleteNamespace(t.Context(), m.ada, quern.NamespacePath{Owner: "ada", Namespace: "files"}, true)
		must(t, err)
	})
}
