// Package textindex is an append-only inverted index from words to document
// ids. It answers "which logs contain these words, spelt roughly like this"
// from the moment Add returns, and it is derived data: everything in it can
// be built again from the texts.
//
// # Shape
//
// New documents go into one segment in memory. When that is full it is frozen
// and written in the background as an immutable file; neighbouring files of
// similar size are merged in the background, so that their number grows with
// the logarithm of the number of documents. Readers take a snapshot of the
// list of segments and hold a reference on each file, so a merge never takes
// a file away from under a query.
//
// A segment is a sorted list of keys with one posting list each. A posting is
// a document and the set of its fields that hold the word. See posting.go for
// the lists, key.go for the keys and segment_write.go for the file.
//
// # Words
//
// Package words says what a word is, and which terms a word of a query matches.
//
// # Durability
//
// The segment in memory is lost when the process dies. Last says up to which
// document the files reach; the caller adds the later ones again after Open.
// Files must not be changed by anybody else while the index is open: they are
// mapped into memory.
package textindex
