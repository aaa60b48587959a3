package engine

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// SQLite believes that its write-ahead log ends where a checksum is wrong, because an
// interrupted write looks like that. If a bit flipped in the middle, it would drop
// everything behind it without a word, and overwrite it. Worse, what it had copied to
// the database before would be mixed with older pages of the log. Two things tell
// damage from an interrupted write, because SQLite flushes the log (synchronous=FULL)
// before it continues:
//
//   - the index of the log (-shm) knows how many frames were flushed. A kill leaves it,
//     and after a power cut it is missing, of another log, or too old.
//   - a frame that continues the checksum of the end of a transaction was written after
//     that transaction, and everything before it, was flushed.
//
// The formats are described at https://sqlite.org/fileformat2.html#walformat and
// https://sqlite.org/walformat.html.

const (
	walHeaderSize   = 32
	frameHeaderSize = 24
	walMagic        = 0x377f0682 // the last bit says that checksums are of big-endian numbers
	// walIndexSize is the size of a copy of the header of the index.
	walIndexSize = 48
	// defaultPage is the size of a page of the catalog, if the header is damaged.
	defaultPage = 4096
	// walPause is the time between two looks at a log that seems to be damaged. It may
	// be that of a database in use.
	walPause = 100 * time.Millisecond
)

// requireWAL returns an error if the write-ahead log of a SQLite file is damaged.
func requireWAL(path string) error {
	damage, err := checkWAL(path)
	if err == nil && damage != "" {
		err = fmt.Errorf("%s. SQLite would drop confirmed changes. Nothing was changed: restore a backup", damage)
	}
	return err
}

// checkWAL describes the damage of the write-ahead log of a SQLite file, "" if there
// is none. It changes nothing. Another process may write to the log: what a look at it
// finds then, another look does not.
func checkWAL(path string) (damage string, err error) {
	damage, err = lookAtWAL(path)
	if err != nil || damage == "" {
		return "", err
	}
	time.Sleep(walPause)
	again, err := lookAtWAL(path)
	if err != nil || damage != again {
		return "", err
	}
	return "the write-ahead log " + path + "-wal is damaged: " + damage, nil
}

// lookAtWAL describes the damage of a write-ahead log, "" if there is none.
func lookAtWAL(path string) (damage string, err error) {
	index, err := readIndex(path + "-shm") // first: the log may grow in the meantime
	if err != nil {
		return "", err
	}
	file, err := os.Open(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("open the log of the SQLite file: %w", err)
	}
	defer func() { _ = file.Close() }() // it is only read
	var header [walHeaderSize]byte
	if _, err := io.ReadFull(file, header[:]); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "", nil // a log begins with its header
	} else if err != nil {
		return "", fmt.Errorf("read the log of the SQLite file: %w", err)
	}
	w := newWALReader(bufio.NewReaderSize(file, 1<<20), header)
	if err := w.read(); err != nil {
		return "", fmt.Errorf("read the log of the SQLite file: %w", err)
	}
	return w.damage(index), nil
}

// walIndex is what the index of a log knows about it.
type walIndex struct {
	frames uint32
	salts  [8]byte
}

// readIndex reads the header of an index, which is there twice. A zero value means
// that it knows nothing.
func readIndex(path string) (index walIndex, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return walIndex{}, nil
	}
	if err != nil {
		return walIndex{}, fmt.Errorf("open the index of the SQLite log: %w", err)
	}
	defer func() { _ = file.Close() }() // it is only read
	var both [2 * walIndexSize]byte
	if _, err := io.ReadFull(file, both[:]); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return walIndex{}, nil
	} else if err != nil {
		return walIndex{}, fmt.Errorf("read the index of the SQLite log: %w", err)
	}
	header := both[:walIndexSize]
	sum := walSum{order: binary.NativeEndian}
	sum.add(header[:40])
	initialized := header[12] != 0
	if !initialized || !bytes.Equal(header, both[walIndexSize:]) || !sum.equals(header[40:], binary.NativeEndian) {
		return walIndex{}, nil
	}
	index.frames = binary.NativeEndian.Uint32(header[16:])
	copy(index.salts[:], header[32:40])
	return index, nil
}

// walReader reads a write-ahead log from its beginning to its end.
type walReader struct {
	in    io.Reader
	sound bool // the header is
	salts [8]byte
	page  int
	sum   walSum // up to the last frame

	frame  int // the number of the current frame, from 1
	intact int // frames up to the first wrong one
	wrong  bool
	// ended says that the last frame ends a transaction and is not before the first wrong
	// one, and later that a frame continued such a frame.
	ended, later bool
}

func newWALReader(in io.Reader, header [walHeaderSize]byte) *walReader {
	w := &walReader{in: in, page: int(binary.BigEndian.Uint32(header[8:]))}
	copy(w.salts[:], header[16:24])
	w.sum.order = binary.LittleEndian
	magic := binary.BigEndian.Uint32(header[:])
	if magic&1 == 1 {
		w.sum.order = binary.BigEndian
	}
	w.sum.add(header[:24])
	w.sound = magic&^1 == walMagic && w.page >= 512 && w.page <= 1<<16 && w.sum.equals(header[24:], binary.BigEndian)
	if !w.sound {
		// Read the salts from the frame headers. The program has written them on such a machine.
		w.page, w.sum.order, w.wrong = defaultPage, binary.NativeEndian, true
	}
	return w
}

// read reads the frames.
func (w *walReader) read() error {
	frame := make([]byte, frameHeaderSize+w.page)
	for {
		if _, err := io.ReadFull(w.in, frame); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		} else if err != nil {
			return err
		}
		w.frame++
		w.add(frame)
	}
}

// add takes a frame into account. Its checksum continues that of the frame before.
func (w *walReader) add(frame []byte) {
	if !w.sound && w.frame == 1 {
		copy(w.salts[:], frame[8:16])
	}
	ours := bytes.Equal(frame[8:16], w.salts[:])
	w.sum.add(frame[:8])
	w.sum.add(frame[frameHeaderSize:])
	good := ours && w.sum.equals(frame[16:24], binary.BigEndian)
	if !good {
		w.wrong = true
		w.sum.set(frame[16:24])
	}
	if !w.wrong {
		w.intact = w.frame
	}
	w.later = w.later || w.ended && good
	w.ended = w.wrong && ours && binary.BigEndian.Uint32(frame[4:]) != 0 // the size of the database
}

// damage describes what is wrong, "" if nothing is.
func (w *walReader) damage(index walIndex) string {
	known := index.salts == w.salts && int(index.frames) > w.intact
	switch {
	case !w.later && !known:
		return ""
	case !w.sound:
		return "its header is wrong"
	}
	return fmt.Sprintf("the frame at byte %d is wrong, but it was complete", walHeaderSize+w.intact*(frameHeaderSize+w.page))
}

// walSum is the checksum of SQLite's log.
type walSum struct {
	order  binary.ByteOrder
	s1, s2 uint32
}

// add continues the checksum with a multiple of 8 bytes.
func (c *walSum) add(data []byte) {
	for i := 0; i+8 <= len(data); i += 8 {
		c.s1 += c.order.Uint32(data[i:]) + c.s2
		c.s2 += c.order.Uint32(data[i+4:]) + c.s1
	}
}

// equals compares the checksum with a stored one.
func (c *walSum) equals(stored []byte, order binary.ByteOrder) bool {
	return c.s1 == order.Uint32(stored) && c.s2 == order.Uint32(stored[4:])
}

// set continues with the checksum that a frame has.
func (c *walSum) set(stored []byte) {
	c.s1, c.s2 = binary.BigEndian.Uint32(stored), binary.BigEndian.Uint32(stored[4:])
}
