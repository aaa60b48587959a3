package chunk

import (
	"fmt"
	"unsafe"

	"github.com/duckdb/duckdb-go/v2/mapping"
)

// column is a column of a chunk. Its slices are DuckDB's memory; only the one of
// its type is set.
type column struct {
	kind   kind
	vector mapping.Vector
	valid  []uint64 // a bit per row, 0 for null

	ints   []int64
	floats []float64
	bools  []bool
	texts  []Text
	lists  []List

	// elements or, if they are numbers, numbers are the elements of all lists. There
	// is room for so many, and count are used.
	elements []Text
	numbers  []int64
	room     int
	count    int
}

// kind is the type of the values of a column.
type kind uint8

const (
	intKind kind = iota + 1
	floatKind
	boolKind
	textKind
	textsKind
	intsKind
)

// List is duckdb_list_entry: which elements are in a list.
type List struct{ offset, length uint64 }

var kinds = map[mapping.Type]kind{
	mapping.TypeBigInt: intKind, mapping.TypeUBigInt: intKind, mapping.TypeDouble: floatKind, mapping.TypeBoolean: boolKind, mapping.TypeVarchar: textKind,
}

// listKinds are the types of lists by those of their elements.
var listKinds = map[mapping.Type]kind{mapping.TypeVarchar: textsKind, mapping.TypeBigInt: intsKind}

func (k kind) isList() bool { return k == textsKind || k == intsKind }

// setType sets the type of the values.
func (c *column) setType(t mapping.LogicalType) error {
	id := mapping.GetTypeId(t)
	known := kinds[id]
	if id == mapping.TypeList {
		child := mapping.ListTypeChildType(t)
		defer mapping.DestroyLogicalType(&child)
		id = mapping.GetTypeId(child)
		known = listKinds[id]
	}
	if known == 0 {
		return fmt.Errorf("unsupported column type %d", id)
	}
	c.kind = known
	return nil
}

// reset makes the column ready for the first row of a chunk that was reset.
func (c *column) reset(vector mapping.Vector) {
	c.vector = vector
	mapping.VectorEnsureValidityWritable(vector)
	c.valid = unsafe.Slice((*uint64)(mapping.VectorGetValidity(vector)), chunkRows/64)
	data := mapping.VectorGetData(vector)
	switch c.kind {
	case intKind:
		c.ints = unsafe.Slice((*int64)(data), chunkRows)
	case floatKind:
		c.floats = unsafe.Slice((*float64)(data), chunkRows)
	case boolKind:
		c.bools = unsafe.Slice((*bool)(data), chunkRows)
	case textKind:
		c.texts = unsafe.Slice((*Text)(data), chunkRows)
	case textsKind, intsKind:
		c.lists = unsafe.Slice((*List)(data), chunkRows)
		c.count = 0
		c.reserve(max(chunkRows, c.room))
	}
}

// reserve makes room for so many elements of lists in all. Those written stay.
func (c *column) reserve(room int) {
	mapping.ListVectorReserve(c.vector, mapping.IdxT(room))
	data := mapping.VectorGetData(mapping.ListVectorGetChild(c.vector))
	if c.room = room; c.kind == intsKind {
		c.numbers = unsafe.Slice((*int64)(data), room)
	} else {
		c.elements = unsafe.Slice((*Text)(data), room)
	}
}

// finish tells DuckDB how many elements the lists have together.
func (c *column) finish() {
	if c.kind.isList() {
		mapping.ListVectorSetSize(c.vector, mapping.IdxT(c.count))
	}
}
