package skill

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// MaxFile is the size of the largest file.
	MaxFile = 5 << 20
	// MaxTotal is how much all files of a version may have together.
	MaxTotal = 100 << 20
	// MaxFiles is how many files a version may have.
	MaxFiles = 5000
)

// Content is a file to be stored. It is read again for each step, so that many
// files take the memory of one.
type Content struct {
	// Path is as it was sent.
	Path string
	// Mode is 0 where it was not sent.
	Mode uint32
	// Read returns the bytes, the same with each call.
	Read func() ([]byte, error)
}

// bytesPrefix begins the text that stands for bytes which are no text.
const bytesPrefix = "data:application/octet-stream;base64,"

// BytesOfText returns the bytes that a text stands for: its own, or those that
// it has in base64. The fault is BadRequest when that is broken.
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

// TextOfBytes returns the text that stands for bytes. BytesOfText undoes it.
func TextOfBytes(content []byte) string {
	if utf8.Valid(content) && !strings.HasPrefix(string(content[:min(len(content), len(bytesPrefix))]), bytesPrefix) {
		return string(content)
	}
	return bytesPrefix + base64.StdEncoding.EncodeToString(content)
}

// upload is a content that was read once and found to be good.
type upload struct {
	path string // clean, and as it was sent
	file File   // all but its path
	read func() ([]byte, error)
}

// prepare reads contents. The fault is BadRequest for a path that cannot be, a
// file that is too large, too many files, and what the contents themselves say.
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
	return fault.BadRequestf("The files of a skill collection cannot have more than 100 MiB together")
}
