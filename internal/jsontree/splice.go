package jsontree

import (
	"cmp"
	"slices"
)

// Edit replaces one value within another.
type Edit struct {
	// Value is the value to replace.
	Value Value
	// Text is the JSON to put in its place.
	Text []byte
}

// Splice returns the bytes of v with some of the values within it replaced. All
// other bytes stay as they are. Of edits that overlap, the one that starts first
// counts.
func (v Value) Splice(edits []Edit) []byte {
	ordered := slices.Clone(edits)
	slices.SortStableFunc(ordered, func(a, b Edit) int { return cmp.Compare(a.Value.node().start, b.Value.node().start) })
	raw := v.Raw()
	out := make([]byte, 0, len(raw))
	done := 0
	for _, edit := range ordered {
		start := edit.Value.Offset(v)
		if start < done {
			continue
		}
		out = append(append(out, raw[done:start]...), edit.Text...)
		done = start + len(edit.Value.Raw())
	}
	return append(out, raw[done:]...)
}
