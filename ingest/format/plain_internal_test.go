package format

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// FuzzPlain holds the reading by blocks to what reading record by record returns,
// for any text and blocks of any size: it returns the same, or says that the text is
// uneven. Where it says that the text may be read verbatim, no cell hides the end
// of a line.
func FuzzPlain(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n3,4\n", "a;b\r\n\"x;\ny\";2\r\n3;4", "a\tb\n\n1\t2\n", "\xef\xbb\xbfa|b\nc|d\n", "a,b\n5'10\" tall,x\n\"y\nz\",\"\"\n",
		"a,b\n\"1\"\"\n2\",\"3\"x\n", "a,b\n1,2,3\n4\n", "'a','b'\n'1','2'\n'3','4'\n", "a,b\n1,\"2", "a,b\n1,\x1a", "\n,ba",
		"a;b\r\n\"x;;2\r\ny\";2\r\n",
	} {
		f.Add([]byte(seed), uint8(20))
		f.Add([]byte(seed), uint8(255))
	}
	f.Fuzz(func(t *testing.T, data []byte, block uint8) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := csvTables(path, Options{})
		if err != nil {
			return
		}
		p, ok, err := tables[0].Plain()
		if err != nil || !ok {
			return
		}
		p.Block = max(int(block), 4)
		got, err := byBlocks(p)
		if errors.Is(err, ErrUneven) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if want := byRecords(t, tables[0]); got != want {
			t.Errorf("blocks of %d bytes of %q give\n%s\nrecords give\n%s", p.Block, data, got, want)
		}
	})
}

func byBlocks(p *Plain) (string, error) {
	var mu sync.Mutex
	blocks := map[int]string{}
	err := p.Each(context.Background(), 2, func(_ context.Context, _ int, b *Block) error {
		var text strings.Builder
		err := b.Read(func(cells []Cell) error {
			for _, c := range cells {
				if b.Verbatim && strings.ContainsAny(string(c.Text), "\r\n") {
					return fmt.Errorf("%q is in a block that may be read verbatim", c.Text)
				}
			}
			show(&text, cells)
			return nil
		})
		mu.Lock()
		defer mu.Unlock()
		blocks[b.Number] = text.String()
		return err
	})
	var all strings.Builder
	for i := range len(blocks) {
		all.WriteString(blocks[i])
	}
	return all.String(), err
}

func byRecords(t *testing.T, table Table) string {
	t.Helper()
	in, err := table.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var all strings.Builder
	for {
		rec, err := in.Next()
		if errors.Is(err, io.EOF) {
			return all.String()
		}
		if err != nil {
			fmt.Fprintf(&all, "%v\n", err)
			if _, ok := errors.AsType[*Fault](err); !ok {
				return all.String()
			}
			continue
		}
		show(&all, rec.Cells)
	}
}

func show(to *strings.Builder, cells []Cell) {
	for _, c := range cells {
		fmt.Fprintf(to, "%q %t|", c.Text, c.Quoted)
	}
	to.WriteByte('\n')
}
