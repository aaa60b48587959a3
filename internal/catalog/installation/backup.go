package installation

import (
	"context"
	"encoding/json"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
)

// Backup is the outcome of a backup of the installation.
type Backup struct {
	// At is when it ended.
	At time.Time `json:"-"`
	// Target is the folder or bucket, and Point what was written to it.
	Target string `json:"target"`
	Point  string `json:"point"`
	// Error says why it failed; "" if it did not.
	Error string `json:"error"`
	// Written is the number of bytes that were written.
	Written int64 `json:"written_bytes"`
	// Key says whether the secret key is in it.
	Key bool `json:"secret_key"`
	// Logs is the number of bytes of the journal, and Elsewhere the system that has
	// the request logs instead.
	Logs      int64  `json:"journal_bytes"`
	Elsewhere string `json:"logs_elsewhere"`
	// Damage is the number of damaged parts of the source, and Problems that of
	// points of the target that cannot be read.
	Damage   int `json:"damage"`
	Problems int `json:"problems"`
}

// NoteBackup adds a backup to the audit log of the installation.
func (s *Store) NoteBackup(ctx context.Context, b Backup) error {
	detail := engine.Detail{
		"target": b.Target, "point": b.Point, "error": b.Error, "written_bytes": b.Written, "secret_key": b.Key,
		"journal_bytes": b.Logs, "logs_elsewhere": b.Elsewhere, "damage": b.Damage, "problems": b.Problems,
	}
	return engine.WrapError(s.db.InTx(ctx, func(ctx context.Context) error {
		return engine.Note(ctx, s.db, nil, audit.Backup, audit.Subject{Kind: audit.SubjectBackup, Name: b.Target}, detail)
	}), "note the backup")
}

// LastBackup returns the last backup, or the last one that succeeded, nil if there
// is none.
func (s *Store) LastBackup(ctx context.Context, succeeded bool) (*Backup, error) {
	found, err := engine.QueryAll(ctx, s.db, scanBackup, `
SELECT at, detail
FROM audit_entry
WHERE workspace_id IS NULL
AND subject_kind = $1
AND subject_id = 0
ORDER BY id DESC
LIMIT $2`, audit.SubjectBackup, searchedBackups)
	if err != nil {
		return nil, engine.WrapError(err, "read the last backup")
	}
	for i := range found {
		if !succeeded || found[i].Error == "" {
			return &found[i], nil
		}
	}
	return nil, nil
}

// searchedBackups is how many backups are searched for one that succeeded.
const searchedBackups = 200

func scanBackup(r engine.Row) (Backup, error) {
	var b Backup
	var detail string
	if err := r.Scan(engine.Time(&b.At), &detail); err != nil {
		return b, err
	}
	return b, json.Unmarshal([]byte(detail), &b)
}
