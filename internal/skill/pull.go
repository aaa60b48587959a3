package skill

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// Exported is a file in the layout of its provider.
type Exported struct {
	File
	// Target is the export path.
	Target string
}

// Exported returns the files in the layout of the version's provider.
func (v *Version) Exported() []Exported {
	if v == nil {
		return nil
	}
	files := make([]Exported, len(v.Files))
	for i, file := range v.Files {
		files[i] = Exported{file, ExportPath(v.Provider, file.Path)}
	}
	slices.SortFunc(files, func(a, b Exported) int { return cmp.Compare(a.Target, b.Target) })
	return files
}

// Read returns the bytes of a file.
func (s *Service) Read(ctx context.Context, workspace int64, file File) ([]byte, error) {
	content, err := s.store.ReadContent(ctx, workspace, file.Hash)
	if err != nil {
		// A missing file is not the client's fault.
		return nil, fmt.Errorf("read %q: %v", file.Path, err) //nolint:errorlint // so that it is not answered with 404
	}
	return content, nil
}

// WriteArchive writes the files of a version, nil for none, as a zip archive.
// It keeps one file in memory at a time.
func (s *Service) WriteArchive(ctx context.Context, workspace int64, version *Version, to io.Writer) error {
	modified := time.UnixMicro(0)
	if version != nil {
		modified = time.UnixMicro(version.CreatedAt)
	}
	archive := newPacker(to, modified)
	for _, file := range version.Exported() {
		content, err := s.Read(ctx, workspace, file.File)
		if err != nil {
			return err
		}
		if err := archive.add(file.Target, file.Mode, content); err != nil {
			return err
		}
	}
	return archive.close()
}
