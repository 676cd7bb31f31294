// Command build makes places.bin of two files of the public GeoNames dump
// (https://download.geonames.org/export/dump): cities5000.txt and countryInfo.txt.
//
//	go run ./place/build cities5000.txt countryInfo.txt place/places.bin
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"quern/place"
)

// Of a small place only its own name is kept; of a large one the names that other
// languages in Latin letters have for it.
const (
	largePopulation = 100_000
	mostNames       = 40
	longestName     = 60
)

type city struct {
	name, country, region string
	names, airports       []string
	lat, lon              float64
	population            uint32
}

type country struct{ iso, iso3, name, capital string }

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: build cities5000.txt countryInfo.txt places.bin")
		os.Exit(2)
	}
	cities, err := readCities(os.Args[1])
	if err == nil {
		var countries []country
		if countries, err = readCountries(os.Args[2]); err == nil {
			err = os.WriteFile(os.Args[3], build(cities, countries), 0o644) //nolint:gosec // a file of the repository
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// lines calls fn with the tab-separated fields of every line that is no comment.
func lines(path string, fn func([]string) error) error {
	file, err := os.Open(path) //nolint:gosec // named by whoever builds
	if err != nil {
		return err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	const longest = 1 << 20
	scanner.Buffer(nil, longest)
	for scanner.Scan() {
		if text := scanner.Text(); text != "" && !strings.HasPrefix(text, "#") {
			if err := fn(strings.Split(text, "\t")); err != nil {
				return err
			}
		}
	}
	return scanner.Err()
}

func readCities(path string) (all []city, err error) {
	err = lines(path, func(f []string) error {
		const fields = 15
		if len(f) < fields {
			return fmt.Errorf("a line of %s has %d fields", path, len(f))
		}
		c := city{name: f[1], country: f[8], region: f[10]}
		var population uint64
		for _, err := range []error{parse(f[4], &c.lat), parse(f[5], &c.lon)} {
			if err != nil {
				return err
			}
		}
		if population, err = strconv.ParseUint(f[14], 10, 32); err != nil {
			return err
		}
		c.population = uint32(population)
		c.addNames(append([]string{f[1], f[2]}, strings.Split(f[3], ",")...))
		all = append(all, c)
		return nil
	})
	slices.SortStableFunc(all, func(a, b city) int { return cmp.Compare(b.population, a.population) })
	return all, err
}

func parse(text string, into *float64) (err error) {
	*into, err = strconv.ParseFloat(text, 64)
	return err
}

// addNames keeps the names of a city that are worth their room.
func (c *city) addNames(names []string) {
	for i, name := range names {
		if len(name) == 3 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			c.airports = append(c.airports, name)
			continue
		}
		own := i < 2
		key := place.Key(name)
		small := c.population < largePopulation || len(c.names) >= mostNames
		if key == "" || len(key) > longestName || slices.Contains(c.names, key) || !own && (small || !isLatin(key)) {
			continue
		}
		c.names = append(c.names, key)
	}
}

func isLatin(key string) bool {
	return !strings.ContainsFunc(key, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
}

func readCountries(path string) (all []country, err error) {
	err = lines(path, func(f []string) error {
		const fields = 6
		if len(f) < fields {
			return fmt.Errorf("a line of %s has %d fields", path, len(f))
		}
		all = append(all, country{f[0], f[1], f[4], f[5]})
		return nil
	})
	return all, err
}

type entry struct {
	key   string
	place uint32
}

// texts are the names, each once.
type texts struct {
	bytes.Buffer
	at map[string]uint32
}

func (t *texts) add(text string) uint32 {
	at, known := t.at[text]
	if !known {
		at = uint32(t.Len())
		t.at[text] = at
		t.WriteByte(byte(len(text)))
		t.WriteString(text)
	}
	return at
}

func build(cities []city, countries []country) []byte {
	var names, airports []entry
	seen := map[string]bool{}
	for i, c := range cities {
		for _, key := range c.names {
			names = append(names, entry{key, uint32(i)})
		}
		for _, code := range c.airports {
			if !seen[code] {
				seen[code] = true
				airports = append(airports, entry{code, uint32(i)})
			}
		}
	}
	byKey := func(a, b entry) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.place, b.place)) }
	slices.SortFunc(names, byKey)
	slices.SortFunc(airports, byKey)
	t := &texts{at: map[string]uint32{}}
	out := []byte("QPL1")
	for _, n := range []int{len(cities), len(names), len(airports), len(countries)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	const degree = 1e5
	for _, c := range cities {
		out = binary.LittleEndian.AppendUint32(out, uint32(int32(math.Round(c.lat*degree))))
		out = binary.LittleEndian.AppendUint32(out, uint32(int32(math.Round(c.lon*degree))))
		out = binary.LittleEndian.AppendUint32(out, c.population)
		out = append(append(out, padded(c.country, 2)...), padded(c.region, 2)...)
		out = binary.LittleEndian.AppendUint32(out, t.add(c.name))
	}
	for _, e := range names {
		out = binary.LittleEndian.AppendUint32(out, t.add(e.key))
		out = binary.LittleEndian.AppendUint32(out, e.place)
	}
	for _, e := range airports {
		out = append(out, padded(e.key, 4)...)
		out = binary.LittleEndian.AppendUint32(out, e.place)
	}
	for _, c := range countries {
		out = append(append(out, padded(c.iso, 2)...), padded(c.iso3, 6)...)
		out = binary.LittleEndian.AppendUint32(out, t.add(c.name))
		out = binary.LittleEndian.AppendUint32(out, capital(c, cities, names))
	}
	return append(out, t.Bytes()...)
}

// padded is text of exactly n bytes; what is longer is left out.
func padded(text string, n int) []byte {
	b := make([]byte, n)
	if len(text) <= n {
		copy(b, text)
	}
	return b
}

// capital returns the number of a country's capital, from 1; 0 when it is not there.
func capital(c country, cities []city, names []entry) uint32 {
	key := place.Key(c.capital)
	i, _ := slices.BinarySearchFunc(names, key, func(e entry, key string) int { return cmp.Compare(e.key, key) })
	for ; key != "" && i < len(names) && names[i].key == key; i++ {
		if cities[names[i].place].country == c.iso {
			return names[i].place + 1
		}
	}
	return 0
}
