package skill

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// MaxFile is the maximum size of a file.
	MaxFile = 5 << 20
	// MaxTotal is the maximum total size of the files of a version.
	MaxTotal = 100 << 20
	// MaxFiles is the maximum number of files of a version.
	MaxFiles = 5000
)

// Content is a file to be stored. It is read again for each step, so that only
// one file is in memory at a time.
type Content struct {
	// Path is as it was sent.
	Path string
	// Mode is 0 if it was not sent.
	Mode uint32
	// Read returns the same bytes with each call.
	Read func() ([]byte, error)
}

// bytesPrefix is the prefix of binary content in a text.
const bytesPrefix = "data:application/octet-stream;base64,"

// BytesOfText returns the bytes of a text, decoded from base64 if it has the
// prefix. The fault is BadRequest for invalid base64.
func BytesOfText(text []byte) ([]byte, error) {
	encoded, ok := strings.CutPrefix(string(text[:min(len(text), len(bytesPrefix))]), bytesPrefix)
	if !ok || encoded != "" {
		return text, nil
	}
	packed := text[len(bytesPrefix):]
	content := make([]byte, base64.StdEncoding.DecodedLen(len(packed)))
	n, err := base64.StdEncoding.Strict().Decode(content, packed)
	if err != nil {
		return nil, fault.BadRequestf("The content begins with %s, but what follows is not base64", bytesPrefix)
	}
	return content[:n], nil
}

// TextOfBytes returns bytes as text. It is the inverse of BytesOfText.
func TextOfBytes(content []byte) string {
	if utf8.Valid(content) && !strings.HasPrefix(string(content[:min(len(content), len(bytesPrefix))]), bytesPrefix) {
		return string(content)
	}
	return bytesPrefix + base64.StdEncoding.EncodeToString(content)
}

// upload is validated content.
type upload struct {
	path string // clean, and as it was sent
	file File   // without its path
	read func() ([]byte, error)
}

// prepare validates contents. The fault is BadRequest for an invalid path, a
// file that is too large, too many files, and faults of Read.
func prepare(contents []Content) ([]upload, error) {
	if len(contents) > MaxFiles {
		return nil, tooMany()
	}
	uploads := make([]upload, len(contents))
	total := int64(0)
	for i, content := range contents {
		path, err := CleanPath(content.Path)
		if err != nil {
			return nil, err
		}
		bytes, err := content.Read()
		if err != nil {
			return nil, err
		}
		if len(bytes) > MaxFile {
			return nil, fault.BadRequestf("The file %.200q is larger than 5 MiB", content.Path)
		}
		if total += int64(len(bytes)); total > MaxTotal {
			return nil, tooLarge()
		}
		uploads[i] = upload{
			path: path, read: content.Read,
			file: File{Hash: sha256.Sum256(bytes), Size: int64(len(bytes)), Mode: content.Mode},
		}
	}
	return uploads, nil
}

func tooMany() error {
	return fault.BadRequestf("A skill collection cannot have more than %d files", MaxFiles)
}

func tooLarge() error {
	return fault.BadRequestf("The files of a skill collection cannot have more than 100 MiB in total")
}
