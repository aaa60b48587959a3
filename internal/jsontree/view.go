package jsontree

import "unsafe"

// View is Str without a copy where the string has no escapes. It is valid as long as
// the text that was parsed does not change.
func (v Value) View() string {
	if v.Kind() != String || v.node().escaped {
		return v.Str()
	}
	n := v.node()
	inner := v.doc.text[n.start+1 : n.end-1]
	return unsafe.String(unsafe.SliceData(inner), len(inner))
}

// KeyView is Key without a copy where the name has no escapes. It is valid as long as
// the text that was parsed does not change.
func (v Value) KeyView() string {
	n := v.node()
	if n.keyEnd == 0 || n.keyEscaped {
		return v.Key()
	}
	inner := v.doc.text[n.keyStart+1 : n.keyEnd-1]
	return unsafe.String(unsafe.SliceData(inner), len(inner))
}
