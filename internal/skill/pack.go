package skill

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"time"
)

// usualMode is the mode of files that were sent without one.
const usualMode = 0o644

// packer writes an archive whose entries have their sizes in the local headers,
// because some readers ignore the directory.
type packer struct {
	to       *zip.Writer
	modified time.Time
	deflated bytes.Buffer
	deflater *flate.Writer
}

func newPacker(to io.Writer, modified time.Time) *packer {
	p := &packer{to: zip.NewWriter(to), modified: modified.UTC()}
	p.deflater, _ = flate.NewWriter(&p.deflated, flate.DefaultCompression) // the level is valid
	return p
}

// add appends a file.
func (p *packer) add(path string, mode uint32, content []byte) error {
	packed, method, err := p.pack(content)
	if err != nil {
		return err
	}
	if mode == 0 {
		mode = usualMode
	}
	header := &zip.FileHeader{
		Name: path, Method: method, CRC32: crc32.ChecksumIEEE(content), Flags: utf8Names,
		CompressedSize64: uint64(len(packed)), UncompressedSize64: uint64(len(content)), ReaderVersion: zipVersion,
	}
	header.SetMode(fs.FileMode(mode))
	header.CreatorVersion |= zipVersion
	header.ModifiedDate, header.ModifiedTime = dosTime(p.modified) //nolint:staticcheck // CreateRaw writes nothing else
	to, err := p.to.CreateRaw(header)
	if err == nil {
		_, err = to.Write(packed)
	}
	if err != nil {
		return fmt.Errorf("write the archive: %w", err)
	}
	return nil
}

const (
	// utf8Names is the flag of entries whose names are UTF-8.
	utf8Names = 0x800
	// zipVersion is the format version with folders and deflate.
	zipVersion = 20
)

// pack returns the smaller of raw and compressed content, valid until the next
// call.
func (p *packer) pack(content []byte) ([]byte, uint16, error) {
	p.deflated.Reset()
	p.deflater.Reset(&p.deflated)
	if _, err := p.deflater.Write(content); err != nil {
		return nil, 0, fmt.Errorf("pack a file: %w", err)
	}
	if err := p.deflater.Close(); err != nil {
		return nil, 0, fmt.Errorf("pack a file: %w", err)
	}
	if p.deflated.Len() < len(content) {
		return p.deflated.Bytes(), zip.Deflate, nil
	}
	return content, zip.Store, nil
}

func (p *packer) close() error {
	if err := p.to.Close(); err != nil {
		return fmt.Errorf("write the archive: %w", err)
	}
	return nil
}

// dosTime returns a time in the format of archives: from 1980, in steps of two
// seconds.
func dosTime(t time.Time) (date, clock uint16) {
	date = uint16(t.Day() + int(t.Month())<<5 + max(0, t.Year()-1980)<<9)
	return date, uint16(t.Second()/2 + t.Minute()<<5 + t.Hour()<<11)
}
