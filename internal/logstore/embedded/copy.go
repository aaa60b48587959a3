package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/durable"
)

// copyFile is in the folder while logs are copied to it.
const copyFile = "copying"

// ErrCopying says that a copy of logs to the folder was begun and has not ended.
var ErrCopying = errors.New("a copy of request logs to this folder was begun and is not complete: finish it with promptuary logs copy --finish, or delete the folder")

// CopyState returns what was saved last about a copy to the store, nil if there is
// none in progress.
func (s *Store) CopyState(context.Context) ([]byte, error) { return copyState(s.dir) }

func copyState(dir string) ([]byte, error) {
	state, err := os.ReadFile(filepath.Join(dir, copyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read how far the copy is: %w", err)
	}
	return state, nil
}

// SaveCopyState saves how far a copy to the store is. Nil ends the copy.
func (s *Store) SaveCopyState(_ context.Context, state []byte) error {
	path := filepath.Join(s.dir, copyFile)
	var err error
	if state == nil {
		if err = os.Remove(path); err == nil {
			err = durable.SyncFolder(s.dir)
		}
	} else {
		err = durable.WriteFile(path, state)
	}
	if err != nil {
		return fmt.Errorf("save how far the copy is: %w", err)
	}
	return nil
}
