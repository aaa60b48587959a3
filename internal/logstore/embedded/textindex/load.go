package textindex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// loadSegments opens the segments of a directory that follow one another
// without a gap, beginning with the very first, and removes all other files.
// Of several segments that could come next it takes the one that reaches
// furthest: that is the result of a merge whose inputs are still there. Of
// several that reach equally far, it takes the one with fewer documents: others
// were removed from it.
func loadSegments(dir string, version uint64, verify int64) ([]*segment, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	found, err := openAll(dir, version)
	if err != nil {
		return nil, err
	}
	chain := verified(linked(found), verify)
	var useless []*segment
	kept := make(map[*segment]bool, len(chain))
	for _, s := range chain {
		kept[s] = true
	}
	for _, s := range found {
		if !kept[s] {
			s.obsolete.Store(true)
			useless = append(useless, s)
		}
	}
	releaseAll(useless)
	return chain, nil
}

// openAll opens all sound segments of the version in a directory and removes
// leftovers and other segments.
func openAll(dir string, version uint64) ([]*segment, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []*segment
	for _, file := range files {
		path := filepath.Join(dir, file.Name())
		switch {
		case strings.HasSuffix(path, tempSuffix):
			err = os.Remove(path)
		case strings.HasSuffix(path, segmentSuffix):
			var s *segment
			if s, err = openVersion(path, version); err == nil {
				found = append(found, s)
			} else if errors.Is(err, errCorrupt) || errors.Is(err, errOutdated) {
				err = os.Remove(path)
			}
		}
		if err != nil {
			releaseAll(found)
			return nil, fmt.Errorf("load segments: %w", err)
		}
	}
	return found, nil
}

// replaces reports whether a segment was written later than another one with the
// same beginning: it reaches further, or lacks documents that were removed.
func (s *segment) replaces(other *segment) bool {
	return s.span.last > other.span.last || s.span.last == other.span.last && s.docs < other.docs
}

// linked returns the chain of segments that starts with the first document.
func linked(found []*segment) []*segment {
	var chain []*segment
	for {
		last := lastOf(chain)
		var next *segment
		for _, s := range found {
			if s.prev == last && (next == nil || s.replaces(next)) {
				next = s
			}
		}
		if next == nil {
			return chain
		}
		chain = append(chain, next)
	}
}

// verified checks the postings of the newest segments, up to about limit
// bytes, and returns the chain up to the first that is damaged.
func verified(chain []*segment, limit int64) []*segment {
	from := len(chain)
	for from > 0 && limit > 0 {
		from--
		limit -= int64(chain[from].postingsSize)
	}
	for i := from; i < len(chain); i++ {
		if chain[i].checkPostings() != nil {
			return chain[:i]
		}
	}
	return chain
}
