package main

// Symbols of the libraries inside are for nobody outside: 7 MB of names.

// #cgo LDFLAGS: -Wl,--no-export-dynamic
import "C"
