package embedded

import (
	"encoding/binary"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// A deletion stands in the journal with the keys of everything that goes, so that
// a table that is built again lacks the same, also from a journal of which a part
// was rewritten without it. A byte with what is deleted follows the header, then
// three lists: ids of logs, keys of spans and of ends of traces. Each has its length,
// and the distance of each key from the one before. If only metadata and scores are
// removed, the lists of paths and of names of scores follow, each with its length.

// The values of the byte that says what is deleted.
const (
	deletesLogs = iota
	deletesTexts
	deletesNotes
	deletesNotesAndTraces
	deletionKinds
)

func deletionKind(d *reqlog.Deletion) byte {
	switch {
	case d.Removes() && d.WithTraces:
		return deletesNotesAndTraces
	case d.Removes():
		return deletesNotes
	case d.TextsOnly:
		return deletesTexts
	}
	return deletesLogs
}

func appendDeletion(dst []byte, d *reqlog.Deletion) []byte {
	dst = appendHeader(dst, recordDeletion, 0, d.Workspace)
	dst = append(dst, deletionKind(d))
	for _, keys := range [...][]int64{d.Logs, d.SpanKeys, d.ClosureKeys} {
		dst = binary.AppendUvarint(dst, uint64(len(keys)))
		before := int64(0)
		for _, key := range keys {
			dst = binary.AppendVarint(dst, key-before)
			before = key
		}
	}
	if !d.Removes() {
		return dst
	}
	for _, names := range [...][]string{d.RemovedPaths, d.RemovedScores} {
		dst = binary.AppendUvarint(dst, uint64(len(names)))
		for _, name := range names {
			dst = appendPart(dst, name)
		}
	}
	return dst
}

func decodeDeletion(r record) (*reqlog.Deletion, error) {
	d := &reqlog.Deletion{Workspace: r.workspace()}
	if len(r) == recordHeader || r[recordHeader] >= deletionKinds {
		return nil, errRecord
	}
	kind := r[recordHeader]
	d.TextsOnly, d.WithTraces = kind == deletesTexts, kind == deletesNotesAndTraces
	rest := partsOf{bytes: r[recordHeader+1:]}
	for _, keys := range [...]*[]int64{&d.Logs, &d.SpanKeys, &d.ClosureKeys} {
		count := rest.uvarint()
		if rest.short || count > uint64(len(rest.bytes)) {
			return nil, errRecord
		}
		before := int64(0)
		*keys = make([]int64, count)
		for i := range *keys {
			before += rest.varint()
			(*keys)[i] = before
		}
	}
	if kind >= deletesNotes {
		d.RemovedPaths, d.RemovedScores = rest.texts(), rest.texts()
		rest.short = rest.short || !d.Removes()
	}
	if rest.short || len(rest.bytes) > 0 {
		return nil, errRecord
	}
	return d, nil
}
