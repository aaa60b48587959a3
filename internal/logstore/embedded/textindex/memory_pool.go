package textindex

import "encoding/binary"

// slicePool holds many growing byte lists in a few large blocks. A list is a
// chain of slices, each larger than the one before up to a limit; behind the
// payload of a slice is the address of the next one.
type slicePool struct {
	blocks [][]byte
	used   int // bytes taken of the newest block
}

// chain is one list of a pool. The zero value is an empty list.
type chain struct {
	head, tail uint32 // addresses: number of the block, offset in it
	size       uint32 // bytes in the list
	room       uint16 // bytes left in the newest slice
	level      uint8  // number of slices, as far as it matters for their size
}

const (
	blockBits = 15
	blockSize = 1 << blockBits
	linkSize  = 4
	topLevel  = 7
)

// sliceRoom is the payload of the nth slice of a chain, counted from 1.
func sliceRoom(level uint8) int {
	return 4 << level
}

// append adds data to the end of c.
func (p *slicePool) append(c *chain, data []byte) {
	for _, b := range data {
		if c.room == 0 {
			p.extend(c)
		}
		p.blocks[c.tail>>blockBits][c.tail%blockSize] = b
		c.tail++
		c.room--
	}
	c.size += uint32(len(data))
}

// extend hangs a new slice onto c.
func (p *slicePool) extend(c *chain) {
	fresh := c.level == 0
	c.level = min(c.level+1, topLevel)
	room := sliceRoom(c.level)
	if len(p.blocks) == 0 || p.used+room+linkSize > blockSize {
		p.blocks = append(p.blocks, make([]byte, blockSize))
		p.used = 0
	}
	address := uint32((len(p.blocks)-1)<<blockBits | p.used)
	p.used += room + linkSize
	if fresh {
		c.head = address
	} else {
		binary.LittleEndian.PutUint32(p.blocks[c.tail>>blockBits][c.tail%blockSize:], address)
	}
	c.tail, c.room = address, uint16(room)
}

// read appends the bytes of c to dst.
func (p *slicePool) read(dst []byte, c chain) []byte {
	address, left, level := c.head, int(c.size), uint8(1)
	for left > 0 {
		room := sliceRoom(level)
		slice := p.blocks[address>>blockBits][address%blockSize:]
		n := min(room, left)
		dst = append(dst, slice[:n]...)
		if left -= n; left > 0 {
			address = binary.LittleEndian.Uint32(slice[room:])
			level = min(level+1, topLevel)
		}
	}
	return dst
}

func (p *slicePool) bytes() int {
	return len(p.blocks) * blockSize
}
