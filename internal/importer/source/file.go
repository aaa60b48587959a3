package source

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// MaxRow is the maximum size of a row in bytes.
	MaxRow = 16 << 20
	// maxRatio is how many times the size of a compressed file its content may have,
	// beyond freeText. Logs have ten to a hundred times; bombs have thousands.
	maxRatio = 250
	freeText = 100 << 20
	// maxWindow limits the memory of the decoder of zstd files.
	maxWindow = 64 << 20
)

// The first bytes of compressed files, and of texts.
var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	utf8Mark  = []byte{0xef, 0xbb, 0xbf}
	utf16LE   = []byte{0xff, 0xfe}
	utf16BE   = []byte{0xfe, 0xff}
)

// textReader reads the text of a file and counts lines.
type textReader struct {
	*bufio.Reader
	file *counter
	// line is the number of the line that is read next, from 1.
	line int64
}

// counter counts what is read of the file, and keeps why reading it failed.
type counter struct {
	from io.Reader
	n    int64
	err  error
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// open returns the text of a file, which may be compressed.
func open(from io.Reader) (*textReader, error) {
	file := &counter{from: from}
	packed := bufio.NewReaderSize(file, 64<<10)
	text, err := unpack(packed, file)
	t := &textReader{file: file, line: 1}
	if err != nil {
		return t, t.fault(err)
	}
	t.Reader = bufio.NewReaderSize(text, 64<<10)
	return t, t.skipMark()
}

// unpack returns the content of a file that may be compressed.
func unpack(packed *bufio.Reader, file *counter) (io.Reader, error) {
	head, err := packed.Peek(len(zstdMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		content, err := gzip.NewReader(packed)
		return &bounded{from: content, file: file}, err
	case bytes.HasPrefix(head, zstdMagic):
		content, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		return &bounded{from: content, file: file}, err
	}
	return packed, nil
}

// skipMark skips the byte order mark.
func (t *textReader) skipMark() error {
	head, err := t.Peek(len(utf8Mark))
	switch {
	case bytes.HasPrefix(head, utf16LE) || bytes.HasPrefix(head, utf16BE):
		return fault.BadRequestf("The file is in UTF-16: convert it to UTF-8")
	case bytes.HasPrefix(head, utf8Mark):
		_, err = t.Discard(len(utf8Mark))
	}
	if errors.Is(err, io.EOF) {
		return nil // shorter than the mark
	}
	return t.fault(err)
}

// firstByte returns the first byte that is not white space, and leaves it to be
// read.
func firstByte(t *textReader) (byte, error) {
	for {
		c, err := t.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return 0, fault.BadRequestf("The file is empty")
		case err != nil:
			return 0, t.fault(err)
		case c == '\n':
			t.line++
		case c != ' ' && c != '\t' && c != '\r':
			return c, t.UnreadByte()
		}
	}
}

// fault returns the fault for an error of reading the text: of the file, or of where
// the file is stored.
func (t *textReader) fault(err error) error {
	_, known := errors.AsType[*fault.Error](err)
	switch {
	case err == nil || known || errors.Is(err, io.EOF):
		return err
	case t.file.err != nil:
		return fmt.Errorf("read the file: %w", err)
	default:
		return fault.Wrap(fault.BadRequest, err, "The compressed file is damaged or incomplete")
	}
}

// bounded fails if a compressed file has too much content.
type bounded struct {
	from io.Reader
	file *counter
	n    int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.n += int64(n)
	if b.n > freeText+maxRatio*b.file.n {
		return 0, fault.BadRequestf("The content of the file is more than %d times its compressed size: decompress it first", maxRatio)
	}
	return n, err
}
