package skill

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// maxEntries limits the cost of reading the directory of an archive.
	maxEntries = 4 * MaxFiles
	// maxRatio is the maximum compression ratio of a file. It applies above
	// freeSize: small files may be highly repetitive.
	maxRatio = 500
	freeSize = 1 << 20
)

// directoryEntry is the signature of each entry in the directory of an archive.
var directoryEntry = []byte("PK\x01\x02")

// Unpack returns the files of a zip archive, which must not change afterwards.
// It omits folders and the metadata files of macOS. The fault is BadRequest for
// an invalid archive, for files that are encrypted, too large or too many, for
// links and devices, and for invalid paths.
func Unpack(archive []byte) ([]Content, error) {
	if bytes.Count(archive, directoryEntry) > maxEntries {
		return nil, fault.BadRequestf("The archive has too many entries")
	}
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // paths are checked below
		return nil, badArchive(err)
	}
	var contents []Content
	total := uint64(0)
	for _, entry := range reader.File {
		clean, err := entryPath(entry)
		if err != nil {
			return nil, err
		}
		if clean == "" {
			continue
		}
		if err := checkEntry(entry); err != nil {
			return nil, err
		}
		if total += entry.UncompressedSize64; total > MaxTotal {
			return nil, tooLarge()
		}
		contents = append(contents, Content{Path: clean, Mode: modeOf(entry), Read: func() ([]byte, error) { return readEntry(entry) }})
	}
	return contents, checkEntries(contents)
}

func badArchive(err error) error {
	return fault.Wrap(fault.BadRequest, err, "The archive is not a valid zip file")
}

// checkEntries returns a BadRequest fault if two entries have the same path.
func checkEntries(contents []Content) error {
	if len(contents) > MaxFiles {
		return tooMany()
	}
	seen := make(map[string]bool, len(contents))
	for _, one := range contents {
		if seen[one.Path] {
			return badPath(one.Path, "is in the archive twice")
		}
		seen[one.Path] = true
	}
	return nil
}

// entryPath returns the clean path of an entry, "" for an omitted one.
func entryPath(entry *zip.File) (string, error) {
	if !utf8.ValidString(entry.Name) {
		return "", badPath(entry.Name, "must be valid UTF-8")
	}
	name := strings.ReplaceAll(entry.Name, `\`, "/")
	isFolder := strings.HasSuffix(name, "/")
	if isFolder {
		name = strings.TrimSuffix(name, "/")
		if name == "." {
			return "", nil
		}
	}
	clean, err := CleanPath(name)
	if err != nil {
		return "", err
	}
	if isFolder || clean == "__MACOSX" || strings.HasPrefix(clean, "__MACOSX/") || path.Base(clean) == ".DS_Store" {
		return "", nil
	}
	return clean, nil
}

// encrypted is the flag of entries that need a password.
const encrypted = 0x1

// checkEntry returns a BadRequest fault for an entry that is not a regular file
// of a permitted size.
func checkEntry(entry *zip.File) error {
	switch {
	case entry.Flags&encrypted != 0:
		return badEntry(entry, "is encrypted")
	case entry.Method != zip.Store && entry.Method != zip.Deflate:
		return badEntry(entry, "is packed in a way that is not supported")
	case isUnix(entry) && entry.Mode().Type() != 0:
		return badEntry(entry, "is a link or another special file")
	case entry.UncompressedSize64 > MaxFile:
		return badEntry(entry, "is larger than 5 MiB")
	case entry.UncompressedSize64 > freeSize && entry.UncompressedSize64/maxRatio > entry.CompressedSize64:
		return badEntry(entry, fmt.Sprintf("is more than %d times as large as in the archive", maxRatio))
	}
	return nil
}

func badEntry(entry *zip.File, problem string) error {
	return fault.BadRequestf("The file %.200q in the archive %s", entry.Name, problem)
}

// isUnix reports whether an entry has a Unix mode.
func isUnix(entry *zip.File) bool {
	const unix, macOS = 3, 19
	system := entry.CreatorVersion >> 8
	return system == unix || system == macOS
}

func modeOf(entry *zip.File) uint32 {
	if !isUnix(entry) {
		return 0
	}
	return uint32(entry.Mode() & fs.ModePerm)
}

// readEntry unpacks a file. The size in the archive is not trusted.
func readEntry(entry *zip.File) ([]byte, error) {
	from, err := entry.Open()
	if err != nil {
		return nil, badArchive(err)
	}
	defer func() { _ = from.Close() }() // reading has reported any error
	content := bytes.NewBuffer(make([]byte, 0, entry.UncompressedSize64+bytes.MinRead))
	if _, err := content.ReadFrom(io.LimitReader(from, MaxFile+1)); err != nil {
		return nil, badArchive(err)
	}
	if uint64(content.Len()) != entry.UncompressedSize64 {
		return nil, badEntry(entry, "has another size than it says")
	}
	return content.Bytes(), nil
}
