package pdfium

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/tetratelabs/wazero/api"
)

// calls calls the functions of PDFium in a module. The library's own wrapper looks a
// function up, and asks for memory, with every call, which takes as long as the reading.
type calls struct {
	ctx    context.Context
	module api.Module
	known  map[string]api.Function
	stack  [4]uint64 // parameters, and then the result
	room   uint32    // an address with room for what a function answers
	size   uint32    // of the room
}

func newCalls(ctx context.Context, module api.Module) *calls {
	// A call ends with its module, which ends with the caller: see endWith.
	return &calls{ctx: context.WithoutCancel(ctx), module: module, known: map[string]api.Function{}}
}

// call calls a function, whose parameters are numbers and addresses.
func (c *calls) call(name string, parameters ...uint64) (uint64, error) {
	f := c.known[name]
	if f == nil {
		if f = c.module.ExportedFunction(name); f == nil {
			return 0, errModule
		}
		c.known[name] = f
	}
	copy(c.stack[:], parameters)
	err := f.CallWithStack(c.ctx, c.stack[:])
	return c.stack[0], err
}

// object calls a function that returns an address, and fails when that is none.
func (c *calls) object(name string, parameters ...uint64) (uint64, error) {
	at, err := c.call(name, parameters...)
	if at = uint64(uint32(at)); err == nil && at == 0 {
		err = errNothing
	}
	return at, err
}

// number calls a function that returns a number.
func (c *calls) number(name string, parameters ...uint64) (int, error) {
	n, err := c.call(name, parameters...)
	return int(int32(uint32(n))), err
}

var (
	errNothing = errors.New("pdfium: a function has nothing to answer")
	errMemory  = errors.New("pdfium: an address is outside of the memory")
)

// makeRoom returns the address of at least so many bytes. What was there before is lost.
func (c *calls) makeRoom(size uint32) (uint64, error) {
	if size <= c.size {
		return uint64(c.room), nil
	}
	if c.size > 0 {
		if _, err := c.call("free", uint64(c.room)); err != nil {
			return 0, err
		}
		c.size = 0
	}
	at, err := c.object("malloc", uint64(size))
	if err == nil {
		c.room, c.size = uint32(at), size
	}
	return at, err
}

// text writes a text into the room, as C has them, and returns its address.
func (c *calls) text(text string) (uint64, error) {
	at, err := c.makeRoom(uint32(len(text)) + 1)
	if err == nil && !c.module.Memory().Write(uint32(at), append([]byte(text), 0)) {
		err = errMemory
	}
	return at, err
}

// units reads so many units of UTF-16 from the room.
func (c *calls) units(count int) ([]uint16, error) {
	bytes, ok := c.module.Memory().Read(c.room, uint32(count)*2)
	if !ok {
		return nil, errMemory
	}
	units := make([]uint16, count)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(bytes[2*i:])
	}
	return units, nil
}

// rectangle calls a function that writes the sides of a rectangle behind its parameters:
// left, top, right and bottom, from the left and from below.
func (c *calls) rectangle(name string, of uint64, index int) (sides [4]float64, err error) {
	at, err := c.makeRoom(rectangleSize)
	if err != nil {
		return sides, err
	}
	ok, err := c.number(name, of, uint64(index), at)
	if err == nil && ok == 0 {
		err = errNothing
	}
	bytes, inside := c.module.Memory().Read(uint32(at), rectangleSize)
	if err == nil && !inside {
		err = errMemory
	}
	if err != nil {
		return sides, err
	}
	for i := range sides {
		sides[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(bytes[4*i:])))
	}
	return sides, nil
}

// rectangleSize is four numbers of 32 bits.
const rectangleSize = 16
