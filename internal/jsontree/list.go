package jsontree

import "slices"

// List is a JSON array that grows over time. The zero value is an empty array.
type List struct {
	elements []byte // with commas between them
}

// Add appends the element that the function writes.
func (l *List) Add(write func(*Writer)) {
	if len(l.elements) > 0 {
		l.elements = append(l.elements, ',')
	}
	w := NewWriter(l.elements)
	write(&w)
	l.elements = w.Bytes()
}

// AddValue appends a parsed value.
func (l *List) AddValue(v Value) { l.Add(func(w *Writer) { w.Value(v) }) }

// Size returns the length of the array's text.
func (l *List) Size() int { return len("[]") + len(l.elements) }

// Bytes returns the text of the array, a copy that does not grow further.
func (l *List) Bytes() []byte { return slices.Concat([]byte{'['}, l.elements, []byte{']'}) }
