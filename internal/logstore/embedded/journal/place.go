package journal

// Place is where a record stands in the journal.
type Place struct {
	Block Position
	// Slot counts the records of the block from 0.
	Slot int64
}

// Next returns the place after p in the same block.
func (p Place) Next() Place { return Place{p.Block, p.Slot + 1} }

// Before reports whether p comes before other.
func (p Place) Before(other Place) bool {
	return p.Block < other.Block || p.Block == other.Block && p.Slot < other.Slot
}
