package format

import (
	"archive/zip"
	"math"
)

// What reading one file may cost, whatever its size. A few bytes can ask for
// millions of cells (a spanning cell, a repeated row, a text that many cells
// share), so cells are counted before they are made.
const (
	// MaxCells is the most cells of one record.
	MaxCells = 16384
	// maxHeldCells is the most cells of a document that is held in memory.
	maxHeldCells = 4 << 20
	// MaxTables is the most tables of one file; each costs a write of its own.
	MaxTables = 500
	// maxNested is how deep tables may stand in one another.
	maxNested = 64
)

// budget is what is left of the cells and bytes that a file may become. All
// readings of a file share one.
type budget struct {
	cells, bytes int64
	refusal      error // what a file is told that asks for more
}

// heldBudget returns the budget of a document whose cells are held in memory.
func heldBudget(what string) *budget {
	return &budget{maxHeldCells, maxDocument, refuse("the %s holds more than %d cells or %d MiB of text in its tables, "+
		"cells that span rows and columns counted for each", what, maxHeldCells, maxDocument>>20)}
}

// cellCost is what a cell of a spreadsheet costs beside its text, in bytes.
const cellCost = 8

// readings is how often a sheet is read at most: for its header, to learn its
// columns, and to write them.
const readings = 3

// sheetBudget returns the budget of a spreadsheet of so many bytes, whose cells
// are read one row at a time.
func sheetBudget(size int64) *budget {
	return &budget{math.MaxInt64, readings * UnpackedLimit(size), errExplodes}
}

// take counts a cell that is about to be made so many times.
func (b *budget) take(text string, times int) error {
	b.cells -= int64(times)
	b.bytes -= int64(times) * int64(len(text)+1)
	if b.cells < 0 || b.bytes < 0 {
		return b.refusal
	}
	return nil
}

// takeRow counts the cells of a row and fails for one that is longer than a
// record may be.
func (b *budget) takeRow(cells []string) error {
	size := 0
	for _, text := range cells {
		size += len(text)
	}
	if size > MaxRecord {
		return refuse("a row is longer than %d MiB", MaxRecord>>20)
	}
	b.bytes -= int64(size + cellCost*len(cells))
	if b.bytes < 0 {
		return b.refusal
	}
	return nil
}

// errTables refuses a file with too many tables.
var errTables = refuse("the file holds more than %d tables", MaxTables)

// UnpackedLimit is how many bytes a packed file of so many bytes may unpack to.
func UnpackedLimit(size int64) int64 { return max(freeBytes, maxRatio*size) }

// checkUnpacked refuses a zip file whose entries say that they unpack to too
// much. Those that say less than is true fail when they are read.
func checkUnpacked(z *zip.Reader, size int64) error {
	left := uint64(max(0, UnpackedLimit(size)))
	for _, f := range z.File {
		if f.UncompressedSize64 > left {
			return errExplodes
		}
		left -= f.UncompressedSize64
	}
	return nil
}
