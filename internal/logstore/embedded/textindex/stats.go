package textindex

import "errors"

// Stats is the state of an index at one moment.
type Stats struct {
	// Docs is the number of documents, in memory and on disk.
	Docs int
	// Segments is the number of files, DiskBytes their size together.
	Segments  int
	DiskBytes int64
	// DiskTerms is the number of terms in all files; a term that is in
	// several files counts several times.
	DiskTerms int64
	// MemoryDocs and MemoryBytes are about what is not on disk yet.
	MemoryDocs  int
	MemoryBytes int
	// Merges is how many merges were done since Open.
	Merges int
	// Err is how the last attempts to write and to merge files failed, nil if
	// both went well.
	Err error
}

// Stats returns the state of the index.
func (ix *Index) Stats() Stats {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	st := Stats{Segments: len(ix.segments), Merges: ix.merges, Err: errors.Join(ix.writeErr, ix.mergeErr)}
	for _, s := range ix.segments {
		st.Docs += s.count()
		st.DiskBytes += int64(len(s.data))
		st.DiskTerms += int64(s.terms)
	}
	for _, m := range append(ix.frozen[:len(ix.frozen):len(ix.frozen)], ix.mem) {
		st.MemoryDocs += m.docs
		st.MemoryBytes += m.bytes()
	}
	st.Docs += st.MemoryDocs
	return st
}
