package skill

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/entity"
)

// body is the stored body of a version.
type body struct {
	ID        string     `json:"id"`
	RootPath  string     `json:"root_path"`
	Provider  string     `json:"provider,omitempty"`
	CreatedBy *int64     `json:"created_by,omitempty"`
	Files     []bodyFile `json:"files"`
}

type bodyFile struct {
	Path string `json:"path"`
	Hash string `json:"sha256"`
	Size int64  `json:"size"`
	Mode uint32 `json:"mode,omitempty"`
}

func encodeVersion(v Version) ([]byte, error) {
	b := body{ID: v.ID, RootPath: v.RootPath, Provider: v.Provider, CreatedBy: v.Author.UserID, Files: make([]bodyFile, len(v.Files))}
	for i, file := range v.Files {
		b.Files[i] = bodyFile{file.Path, hex.EncodeToString(file.Hash[:]), file.Size, file.Mode}
	}
	return json.Marshal(b)
}

// decodeVersion returns a stored version.
func decodeVersion(stored *entity.Version) (Version, error) {
	var b body
	if err := json.Unmarshal(stored.Body, &b); err != nil {
		return Version{}, fmt.Errorf("read version %d: %w", stored.ID, err)
	}
	v := Version{
		ID: b.ID, RootPath: b.RootPath, Provider: b.Provider, Files: make([]File, len(b.Files)), Author: Author{stored.Creator, b.CreatedBy},
	}
	v.describe(stored)
	for i, file := range b.Files {
		v.Files[i] = File{Path: file.Path, Size: file.Size, Mode: file.Mode}
		if n, err := hex.Decode(v.Files[i].Hash[:], []byte(file.Hash)); err != nil || n != len(Hash{}) {
			return Version{}, fmt.Errorf("read version %d: invalid hash of %q", stored.ID, file.Path)
		}
	}
	return v, nil
}

// describe sets what is not stored in the body.
func (v *Version) describe(stored *entity.Version) {
	v.Number, v.CommitMessage, v.CreatedAt = stored.Number, stored.CommitMessage, stored.CreatedAt.UnixMicro()
}
