package shape

import (
	"iter"
	"math"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Object reads the members of an object by their names. A null member is the
// same as an absent one; a member that breaks a rule is recorded as a problem
// and then taken as absent, too.
type Object struct {
	*Reader
	Value    jsontree.Value
	required bool
}

// Object returns a reader of the members of v. ok is false, and a problem is
// recorded, when v is no object.
func (r *Reader) Object(v jsontree.Value) (o Object, ok bool) {
	return Object{Reader: r, Value: v}, r.Is(v, jsontree.Object)
}

// Required returns a reader of the same object that reports members that are
// not given.
func (o Object) Required() Object {
	o.required = true
	return o
}

// Given reports whether the object has a member that is not null.
func (o Object) Given(key string) bool { return o.Value.Get(key).Given() }

// Need reports each of the members that is not given.
func (o Object) Need(keys ...string) {
	for _, key := range keys {
		if !o.Given(key) {
			o.ReportAt(key, fault.Required)
		}
	}
}

// ReportAt records that a member breaks the rule.
func (o Object) ReportAt(key string, rule fault.Rule) {
	o.Enter(key)
	o.Report(rule)
	o.Leave()
}

// at moves to a member and returns it. read is false when there is nothing to
// read. The caller must call Leave in either case.
func (o Object) at(key string) (v jsontree.Value, read bool) {
	o.Enter(key)
	v = o.Value.Get(key)
	return v, v.Given() || o.required
}

// Member returns a member of the kind as it was written.
func (o Object) Member(key string, kind jsontree.Kind) jsontree.Value {
	v, read := o.at(key)
	ok := read && o.Is(v, kind)
	o.Leave()
	return orAbsent(v, ok)
}

// Array returns a list as it was written, which has most elements at most.
func (o Object) Array(key string, most int) jsontree.Value {
	v, read := o.at(key)
	ok := read && o.Reader.Array(v, 0, most)
	o.Leave()
	return orAbsent(v, ok)
}

func orAbsent(v jsontree.Value, ok bool) jsontree.Value {
	if !ok {
		return jsontree.Value{}
	}
	return v
}

// String returns a string of any length.
func (o Object) String(key string) string { return o.Text(key, 0, math.MaxInt) }

// Text returns a string of least to most characters.
func (o Object) Text(key string, least, most int) (text string) {
	if v, read := o.at(key); read {
		text, _ = o.Reader.Text(v, least, most)
	}
	o.Leave()
	return text
}

// Bool returns a boolean, false when it is not given.
func (o Object) Bool(key string) (b bool) {
	if v, read := o.at(key); read {
		b, _ = o.Reader.Bool(v)
	}
	o.Leave()
	return b
}

// Int returns a whole number from least to most, otherwise when it is not
// given.
func (o Object) Int(key string, least, most, otherwise int64) int64 {
	if v, read := o.at(key); read {
		if n, ok := o.IntWithin(v, least, most); ok {
			otherwise = n
		}
	}
	o.Leave()
	return otherwise
}

// Float returns a number from least to most, nil when it is not given.
func (o Object) Float(key string, least, most float64) (number *float64) {
	if v, read := o.at(key); read {
		if f, ok := o.FloatWithin(v, least, most); ok {
			number = &f
		}
	}
	o.Leave()
	return number
}

// Choice returns a member that is one of the words, "" when it is not given.
func Choice[S ~string](o Object, key string, words []S) (word S) {
	if v, read := o.at(key); read {
		word, _ = OneOf(o.Reader, v, words)
	}
	o.Leave()
	return word
}

// Objects ranges over the objects of a list, which has most elements at most.
func (o Object) Objects(key string, most int) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		v, read := o.at(key)
		if read && o.Reader.Array(v, 0, most) {
			o.Reader.Objects(v)(yield)
		}
		o.Leave()
	}
}

// Objects ranges over the elements of a list that are objects, and reports
// those that are not.
func (r *Reader) Objects(list jsontree.Value) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		for i, e := range list.Elems() {
			r.EnterElement(i)
			object, ok := r.Object(e)
			more := !ok || yield(object)
			r.Leave()
			if !more {
				return
			}
		}
	}
}
