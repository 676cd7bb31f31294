// Package pdfium reads where the words of PDF files stand.
//
// It owns PDFium, the library that reads PDF files, as WebAssembly inside this
// program: how it is compiled, what one document may cost and how reading it ends.
// It never decides what the words of a page mean. The failure it is built around
// is the file that is made to break or to hold up its reader: every document gets
// a memory of its own, which is limited and reached by nothing else, and reading
// ends with the context of its caller.
//
// Compiling takes seconds. It is done for the first document, and what comes of
// it is kept in a folder for the next process.
package pdfium
