package textbench

import (
	"math"

	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
)

// ours is the text index of the program.
type ours struct {
	index   *textindex.Index
	durable bool
}

// owner is the workspace of all documents.
const owner = 1

func openOurs(dir string, durable bool) (engine, error) {
	index, err := textindex.Open(dir, textindex.Options{Version: 1, SegmentDocs: *segmentDocs})
	return &ours{index: index, durable: durable}, err
}

func (e *ours) add(id int64, doc document) error {
	return e.index.Add(textindex.Doc{ID: id, Owner: owner, Time: id}, []string{doc.input, doc.output})
}

// commit has nothing to do in the program, which adds documents again from the
// journal after a crash.
func (e *ours) commit() error {
	if e.durable {
		return e.index.Flush()
	}
	return nil
}

func (e *ours) search(q string) (result, error) {
	all, _, _ := e.index.Match(q)
	everything := textindex.Wanted{Owner: owner, UpTo: math.MaxInt64, From: math.MinInt64, To: math.MaxInt64}
	newest, total, err := e.index.Newest(all, everything, newestIDs)
	return result{count: int(total), newest: newest}, err
}

func (e *ours) close() error { return e.index.Close() }
