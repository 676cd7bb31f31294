package pdfium

import (
	"context"
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strconv"
	"sync"

	library "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const (
	// memoryPages bounds what reading one document may hold, in pages of 64 KiB.
	memoryPages = 4096
	pageBytes   = 64 << 10
	// atOnce is how many documents one process reads at a time.
	atOnce = 4
)

// compiled is PDFium, ready to read documents.
type compiled struct {
	pool  library.Pool
	files *shownFiles
}

// loaded holds what this process has compiled, by the folder it is kept in.
var loaded struct {
	sync.Mutex
	by map[string]*compiled
}

// load returns PDFium, which it compiles once in a process.
func load(cache string) (*compiled, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if c := loaded.by[cache]; c != nil {
		return c, nil
	}
	c, err := compile(cache)
	if err != nil && cache != "" {
		// A folder that cannot be used costs time, not documents.
		c, err = compile("")
	}
	if err != nil {
		return nil, err
	}
	if loaded.by == nil {
		loaded.by = map[string]*compiled{}
	}
	loaded.by[cache] = c
	return c, nil
}

// Compile leaves in a folder what processes that may not write there need, to read
// documents without compiling PDFium again.
func Compile(cache string) error {
	c, err := compile(cache)
	if err != nil {
		return err
	}
	return c.pool.Close()
}

func compile(cache string) (*compiled, error) {
	config := wazero.NewRuntimeConfigCompiler().WithMemoryLimitPages(memoryPages).WithCloseOnContextDone(true)
	if cache != "" {
		kept, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(kept)
	}
	files := &shownFiles{paths: map[string]string{}}
	pool, err := webassembly.Init(webassembly.Config{
		MaxTotal: atOnce, FSConfig: wazero.NewFSConfig().WithFSMount(files, "/"), RuntimeConfig: config,
		Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, err
	}
	return &compiled{pool, files}, nil
}

// shownFiles is all that PDFium sees of the file system: documents while they are
// read, under names of ours.
type shownFiles struct {
	mu    sync.Mutex
	last  int
	paths map[string]string
}

// show makes a file visible until hide is called.
func (s *shownFiles) show(path string) (name string, hide func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	name = strconv.Itoa(s.last) + ".pdf"
	s.paths[name] = path
	return "/" + name, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.paths, name)
	}
}

// Open opens a file that is shown, or the folder of them, which lists nothing.
func (s *shownFiles) Open(name string) (fs.File, error) {
	if name == "." {
		return embed.FS{}.Open(".")
	}
	s.mu.Lock()
	path, ok := s.paths[name]
	s.mu.Unlock()
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return os.Open(path)
}

// errModule says that the library is not built as this package knows it.
var errModule = errors.New("pdfium: an instance does not tell its module")

// moduleOf returns the WebAssembly module of an instance. The library has it in an
// exported field of a type that cannot be named, and no other way to end a call.
func moduleOf(instance library.Pdfium) (api.Module, error) {
	v := reflect.ValueOf(instance.GetImplementation())
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, errModule
	}
	field := v.Elem().FieldByName("Module")
	if !field.IsValid() || !field.CanInterface() {
		return nil, errModule
	}
	module, ok := field.Interface().(api.Module)
	if !ok {
		return nil, errModule
	}
	return module, nil
}

// endWith closes a module when ctx ends, which ends the call that is under way in
// it. The caller calls stop when it is done.
func endWith(ctx context.Context, module api.Module) (stop func() bool) {
	return context.AfterFunc(ctx, func() { _ = module.CloseWithExitCode(context.WithoutCancel(ctx), 1) })
}

// full reports whether a module has all the memory that it may have.
func full(module api.Module) bool {
	const nearly = memoryPages * pageBytes / 10 * 9
	return module.Memory() != nil && module.Memory().Size() >= nearly
}
