package registry

import (
	"context"
	"path"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/folder"
)

// The paths of the folders.
const (
	support = "Customer support"
	replies = support + "/Replies"
	growth  = "Growth"
	tools   = "Internal tools"
)

func (f *Filler) addFolders(ctx context.Context) error {
	for _, path := range []string{support, replies, growth, tools} {
		id, err := f.Folders.Resolve(ctx, f.Workspace, path)
		if fault.Is(err, fault.NotFound) {
			id, err = f.addFolder(ctx, path)
		}
		if err != nil {
			return err
		}
		f.folders[path] = id
	}
	return nil
}

func (f *Filler) addFolder(ctx context.Context, at string) (int64, error) {
	made, err := f.Folders.Create(ctx, f.Workspace, folder.New{Name: path.Base(at), ParentID: f.FolderID(path.Dir(at)), Author: &ada})
	if err != nil {
		return 0, err
	}
	return made.Entity.ID, nil
}
