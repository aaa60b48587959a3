package registry

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"

	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// The dataset groups.
const (
	questions   = "Support questions"
	regressions = "Regression set"
	fromLogs    = "Slow replies"
)

func (f *Filler) addDatasets(ctx context.Context) error {
	if err := f.addQuestions(ctx); err != nil {
		return err
	}
	if err := f.addFiles(ctx, regressions, tools, f.regressionRows(0.7), f.regressionRows(0.82), f.regressionRows(0.93)); err != nil {
		return err
	}
	return f.addFromLogs(ctx)
}

// addQuestions adds a group whose second dataset has an additional column of
// replies, and a draft with a few additional rows.
func (f *Filler) addQuestions(ctx context.Context) error {
	if err := f.addFiles(ctx, questions, support, f.questionRows(0.55), f.questionRows(0.55, 0.85)); err != nil {
		return err
	}
	group, known, err := f.group(ctx, questions)
	if err != nil || known.draft {
		return err
	}
	newest, err := f.Datasets.Version(ctx, f.Workspace, group, nil)
	if err != nil {
		return err
	}
	if _, err := f.Datasets.CreateDraft(ctx, f.Workspace, group, &newest.ID, &ada); err != nil {
		return err
	}
	rows, err := jsontree.Parse([]byte(draftRows))
	if err != nil {
		return err
	}
	var changes dataset.RowChanges
	for _, row := range rows.Elems() {
		changes.Add = append(changes.Add, row)
	}
	_, err = f.Datasets.ChangeDraftRows(ctx, f.Workspace, group, changes)
	return err
}

// addFiles creates a group if necessary and adds a dataset for each file that
// it lacks.
func (f *Filler) addFiles(ctx context.Context, name, folder string, files ...[]byte) error {
	group, known, err := f.ensureGroup(ctx, name, folder)
	for i := known.numbered; i < len(files) && err == nil; i++ {
		err = f.addFile(ctx, group, files[i])
	}
	return err
}

func (f *Filler) addFile(ctx context.Context, group int64, rows []byte) (err error) {
	upload, err := f.Datasets.NewUpload(ctx, f.Workspace)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, upload.Close()) }()
	if err := upload.ReadBase64(bytes.NewReader(base64.StdEncoding.AppendEncode(nil, rows))); err != nil {
		return err
	}
	_, err = f.Datasets.CreateFromFile(ctx, f.Workspace, dataset.FileInput{GroupID: group, Name: "rows.json", File: upload, Creator: &ada})
	return err
}

// slowReplies selects logs of one prompt, slowest first.
const slowReplies = `{"filter_group":{"logic":"AND","filters":[{"field":"prompt_id","operator":"is","value":"support-reply"},` +
	`{"field":"status","operator":"is","value":"SUCCESS"}]},"sort_by":"latency_ms","sort_order":"desc","limit":50}`

func (f *Filler) addFromLogs(ctx context.Context) error {
	group, known, err := f.ensureGroup(ctx, fromLogs, support)
	if err != nil || known.numbered > 0 {
		return err
	}
	tree, err := jsontree.Parse([]byte(slowReplies))
	if err != nil {
		return err
	}
	var problems fault.Problems
	selection, err := dataset.ParseSelection(tree, &problems)
	if err = errors.Join(err, problems.Err()); err != nil {
		return err
	}
	_, err = f.Datasets.CreateFromLogs(ctx, f.Workspace, group, selection, &ben)
	return err
}

// known describes the existing datasets of a group.
type known struct {
	numbered int
	draft    bool
}

// ensureGroup returns the group with the given name and creates it if
// necessary.
func (f *Filler) ensureGroup(ctx context.Context, name, folder string) (int64, known, error) {
	id, has, err := f.group(ctx, name)
	if err != nil || id != 0 {
		return id, has, err
	}
	created, err := f.Datasets.Create(ctx, f.Workspace, dataset.CreateInput{Name: name, FolderID: f.FolderID(folder), Creator: &ada})
	return created.Group.ID, known{draft: true}, err
}

// group returns the group with exactly the given name, or 0.
func (f *Filler) group(ctx context.Context, name string) (id int64, has known, err error) {
	found, _, err := f.Datasets.List(ctx, dataset.ListQuery{Filters: entity.Query{WorkspaceID: f.Workspace, NameContains: name}})
	for i := range found {
		if found[i].GroupName != name {
			continue
		}
		id = found[i].GroupID
		if found[i].Number == dataset.DraftNumber {
			has.draft = true
		} else {
			has.numbered++
		}
	}
	return id, has, err
}
