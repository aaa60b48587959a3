package exporter

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// manifest is the file that says that a run is complete.
type manifest struct {
	Export      string          `json:"export"`
	ExportID    int64           `json:"export_id"`
	RunID       int64           `json:"run_id"`
	WorkspaceID int64           `json:"workspace_id"`
	Source      Source          `json:"source"`
	Query       json.RawMessage `json:"query"`
	Format      string          `json:"format"`
	Columns     []string        `json:"columns,omitempty"`
	Incremental bool            `json:"incremental"`
	AfterID     int64           `json:"after_id"`
	LastID      int64           `json:"last_id"`
	Rows        int64           `json:"rows"`
	Damaged     int64           `json:"damaged_rows"`
	Bytes       int64           `json:"bytes"`
	Files       []File          `json:"files"`
	StartedAt   time.Time       `json:"started_at"`
}

// manifestName returns the name of the manifest of a run of an incremental export.
func manifestName(run int64) string { return fmt.Sprintf("manifest-%09d.json", run) }

// manifest writes the manifest. A run of an incremental export without files has
// none.
func (x *execution) manifest(ctx context.Context) error {
	name, after := x.folder()+"manifest.json", x.Now.After
	if x.e.Incremental {
		if name, after = manifestName(x.Now.ID), x.Now.Listed; len(x.Now.Files) == 0 {
			return nil
		}
	}
	text, err := json.MarshalIndent(manifest{
		Export: x.e.Name, ExportID: x.e.ID, RunID: x.Now.ID, WorkspaceID: x.e.Workspace, Source: x.e.Source, Query: json.RawMessage(x.e.Query),
		Format: string(x.e.File.Format), Columns: x.e.File.Columns, Incremental: x.e.Incremental, AfterID: after, LastID: x.Now.Last,
		Rows: x.Now.Rows, Damaged: x.Now.Damaged, Bytes: x.Now.Bytes, Files: append([]File{}, x.Now.Files...), StartedAt: x.Now.CreatedAt.UTC(),
	}, "", "  ")
	if err != nil {
		return err
	}
	return x.to.Put(ctx, name, func(w io.Writer) error { _, err := w.Write(append(text, '\n')); return err })
}

// cleanFor limits the time of removing files.
const cleanFor = 30 * time.Second

// clean removes the files of a run that has no manifest. Those of an incremental
// export stay: the next run continues after them. If the target is away, so do those of
// others, which have no manifest.
func (x *execution) clean() {
	if x.e.Incremental || x.to.Store == nil || len(x.Now.Files) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(x.Always, cleanFor)
	defer cancel()
	for _, f := range x.Now.Files {
		if err := x.to.Delete(ctx, f.Name); err != nil {
			x.service.options.Logger.Warn("cannot remove the files of an export that was not completed", "run", x.Now.ID, "error", err)
			return
		}
	}
}
