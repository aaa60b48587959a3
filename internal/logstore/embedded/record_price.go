package embedded

import (
	"encoding/binary"
	"math"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// A change of prices stands in the journal with the new prices themselves, so
// that a table that is built again has the same. The id of the record is that of
// the re-pricing. The first and last id of logs that return to their old price
// follow, then the number of new prices, and each with the distance of its log
// from the one before.

func appendPriceChange(dst []byte, c *reqlog.PriceChange) []byte {
	dst = appendHeader(dst, recordPrices, c.Repricing, c.Workspace)
	dst = binary.AppendVarint(dst, c.First)
	dst = binary.AppendVarint(dst, c.Last)
	dst = binary.AppendUvarint(dst, uint64(len(c.Prices)))
	before := int64(0)
	for _, p := range c.Prices {
		dst = binary.AppendVarint(dst, p.ID-before)
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(p.USD))
		before = p.ID
	}
	return dst
}

// minPriceSize is the size of the shortest new price in a record.
const minPriceSize = 1 + 8

func decodePriceChange(r record) (*reqlog.PriceChange, error) {
	c := &reqlog.PriceChange{Workspace: r.workspace(), Repricing: r.id()}
	rest := partsOf{bytes: r[recordHeader:]}
	c.First, c.Last = rest.varint(), rest.varint()
	count := rest.uvarint()
	if rest.short || count > uint64(len(rest.bytes)/minPriceSize) {
		return nil, errRecord
	}
	before := int64(0)
	c.Prices = make([]reqlog.NewPrice, count)
	for i := range c.Prices {
		before += rest.varint()
		c.Prices[i] = reqlog.NewPrice{ID: before, USD: rest.float()}
	}
	if rest.short || len(rest.bytes) > 0 {
		return nil, errRecord
	}
	return c, nil
}

// partsOf reads numbers from bytes.
type partsOf struct {
	bytes []byte
	short bool // the bytes ended too early
}

func (p *partsOf) varint() int64 {
	n, size := binary.Varint(p.bytes)
	p.skip(size)
	return n
}

func (p *partsOf) uvarint() uint64 {
	n, size := binary.Uvarint(p.bytes)
	p.skip(size)
	return n
}

func (p *partsOf) float() float64 {
	if len(p.bytes) < 8 {
		p.skip(0)
		return 0
	}
	bits := binary.LittleEndian.Uint64(p.bytes)
	p.skip(8)
	return math.Float64frombits(bits)
}

// skip drops the bytes of a number; a size of 0 or less means that there is none.
// texts reads a list of texts, nil for none.
func (p *partsOf) texts() (list []string) {
	for count := p.uvarint(); count > 0 && !p.short; count-- {
		size := p.uvarint()
		if p.short || size > uint64(len(p.bytes)) {
			p.short = true
			return nil
		}
		list = append(list, string(p.bytes[:size]))
		p.bytes = p.bytes[size:]
	}
	return list
}

func (p *partsOf) skip(size int) {
	if size <= 0 {
		p.bytes, p.short = nil, true
		return
	}
	p.bytes = p.bytes[size:]
}

// priceChanges returns the changes of prices among the operations. They do not
// depend on the annotations among them.
func priceChanges(operations []operation) (changes []reqlog.PriceChange) {
	for _, op := range operations {
		if op.prices != nil {
			changes = append(changes, *op.prices)
		}
	}
	return changes
}
