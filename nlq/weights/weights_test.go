package weights_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"quern/nlq/weights"
)

const header = `{"name":"small","tensors":[{"name":"a","shape":[2,3],"type":"i8"},{"name":"b","shape":[2],"type":"f16"}]}`

// file has a, two rows of bytes with the scales 1 and 0.5, and b, 1 and -2.
func file(header string) []byte {
	data := binary.LittleEndian.AppendUint32([]byte("TEST"), 1)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(header)))
	data = append(data, header...)
	data = append(data, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x3f, 1, 2, 3, 0xff, 0x81, 0)
	return append(data, 0, 0x3c, 0, 0xc0)
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	var about struct{ Name string }
	f, err := weights.Open(file(header), "TEST", &about)
	if err != nil || about.Name != "small" {
		t.Fatalf("Open = %v, a header that names %q", err, about.Name)
	}
	if got := f.Numbers("a", 2, 3); !slices.Equal(got, []float32{1, 2, 3, -0.5, -63.5, 0}) {
		t.Errorf("a = %v", got)
	}
	if got := f.Numbers("b", 1, 2); !slices.Equal(got, []float32{1, -2}) || f.Has("c") || f.Err() != nil {
		t.Errorf("b = %v, c is there: %t, %v", got, f.Has("c"), f.Err())
	}
	whole := f.Tensor("a", 0, 3)
	scales, numbers, ok := whole.Whole()
	if !ok || !slices.Equal(scales, []float32{1, 0.5}) || !slices.Equal(numbers, []byte{1, 2, 3, 0xff, 0x81, 0}) {
		t.Errorf("Whole = %v, %v, %t", scales, numbers, ok)
	}
	if got := f.Numbers("a", 3, 3); len(got) != 9 || f.Err() == nil {
		t.Errorf("a of another shape = %v, %v, want zeros and an error", got, f.Err())
	}
}

func TestOpenRefusesWhatIsNotWhole(t *testing.T) {
	t.Parallel()
	whole := file(header)
	for name, data := range map[string][]byte{
		"nothing": nil, "cut": whole[:len(whole)-1], "more": append(slices.Clone(whole), 0), "half a header": whole[:30],
		"another kind":    file(strings.Replace(header, "f16", "f64", 1)),
		"another shape":   file(strings.Replace(header, "[2,3]", "[2,3,1]", 1)),
		"a negative side": file(strings.Replace(header, "[2,3]", "[-2,-3]", 1)),
		"a large side":    file(strings.Replace(header, "[2,3]", "[1000000000,1000000000]", 1)),
	} {
		if _, err := weights.Open(data, "TEST", &struct{}{}); !errors.Is(err, weights.ErrFormat) {
			t.Errorf("Open of %s = %v, want ErrFormat", name, err)
		}
	}
	if _, err := weights.Open(whole, "QNET", &struct{}{}); !errors.Is(err, weights.ErrFormat) {
		t.Errorf("Open of another magic word = %v, want ErrFormat", err)
	}
}
