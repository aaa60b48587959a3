package jsontree

import "iter"

// Members ranges over an object's members in their written order. Nothing is
// ranged over when v is not an object.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for at := v.node().child; at > 0; at = v.doc.nodes[at].next {
			member := Value{v.doc, at}
			if !yield(member.Key(), member) {
				return
			}
		}
	}
}

// Fields ranges over an object's members like Members, without their names,
// which take memory.
func (v Value) Fields() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Object {
			return
		}
		for at := v.node().child; at > 0; at = v.doc.nodes[at].next {
			if !yield(Value{v.doc, at}) {
				return
			}
		}
	}
}

// Elems ranges over an array's elements with their indexes.
func (v Value) Elems() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		i := 0
		for at := v.node().child; at > 0; at = v.doc.nodes[at].next {
			if !yield(i, Value{v.doc, at}) {
				return
			}
			i++
		}
	}
}
