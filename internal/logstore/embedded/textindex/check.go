package textindex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Summary is what the files of an index hold.
type Summary struct {
	// Last is the id of the last document, -1 without documents.
	Last int64
	Docs int64
	// Damaged are the files that are not what was written.
	Damaged []string
}

// Check reads all files of the index in dir, which nobody may have open, and
// changes nothing. Files whose texts are of another version are left out, as
// the next Open removes them.
func Check(dir string, version uint32) (Summary, error) {
	sum := Summary{Last: none}
	files, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return sum, nil
	}
	if err != nil {
		return sum, fmt.Errorf("check text index: %w", err)
	}
	var found []*segment
	defer func() { releaseAll(found) }()
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), segmentSuffix) {
			continue
		}
		path := filepath.Join(dir, file.Name())
		s, err := openVersion(path, fileVersion(version))
		if errors.Is(err, errOutdated) {
			continue
		}
		if err == nil {
			found = append(found, s)
			err = s.checkPostings()
		}
		if errors.Is(err, errCorrupt) {
			sum.Damaged = append(sum.Damaged, path)
		} else if err != nil {
			return sum, fmt.Errorf("check text index: %w", err)
		}
	}
	chain := linked(found)
	for _, s := range chain {
		sum.Docs += int64(s.docs)
	}
	sum.Last = lastOf(chain)
	return sum, nil
}
