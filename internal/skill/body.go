package skill

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/entity"
)

// body is what is stored of a version beside what all versions have.
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

func encodeVersion(v *Version) ([]byte, error) {
	b := body{ID: v.ID, RootPath: v.RootPath, Provider: v.Provider, CreatedBy: v.Author.UserID, Files: make([]bodyFile, len(v.Files))}
	for i, file := range v.Files {
		b.Files[i] = bodyFile{file.Path, hex.EncodeToString(file.Hash[:]), file.Size, file.Mode}
	}
	return json.Marshal(b)
}

// decodeVersion reads a version that encodeVersion wrote.
func decodeVersion(stored *entity.Version) (*Version, error) {
	var b body
	if err := json.Unmarshal(stored.Body, &b); err != nil {
		return nil, fmt.Errorf("read version %d: %w", stored.ID, err)
	}
	v := &Version{
		ID: b.ID, Number: stored.Number, RootPath: b.RootPath, Provider: b.Provider, Files: make([]File, len(b.Files)),
		CommitMessage: stored.CommitMessage, Author: Author{stored.Creator, b.CreatedBy}, CreatedAt: stored.CreatedAt.UnixMicro(),
	}
	for i, file := range b.Files {
		v.Files[i] = File{Path: file.Path, Size: file.Size, Mode: file.Mode}
		if n, err := hex.Decode(v.Files[i].Hash[:], []byte(file.Hash)); err != nil || n != len(Hash{}) {
			return nil, fmt.Errorf("read version %d: the hash of %q is broken", stored.ID, file.Path)
		}
	}
	return v, nil
}
