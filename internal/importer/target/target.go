// Package target stores objects of another server in a workspace, through the domains
// whose objects they are: nothing is stored that a client could not have sent.
package target

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"strconv"

	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/remote"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/workflow"
)

// Target is an importer.Target.
type Target struct {
	Entities  entity.Store
	Folders   *folder.Service
	Prompts   *prompt.Service
	Workflows *workflow.Service
	Datasets  *dataset.Service
}

var _ importer.Target = (*Target)(nil)

// kindOf returns the kind of an object in the catalog.
func kindOf(kind remote.Kind) entity.Kind {
	switch kind {
	case remote.Folder:
		return entity.KindFolder
	case remote.Workflow:
		return entity.KindWorkflow
	case remote.Dataset:
		return entity.KindDataset
	default:
		return entity.KindPrompt
	}
}

// Find returns the id and the latest version of the object with a name, 0 if there is
// none.
func (t *Target) Find(ctx context.Context, workspace int64, kind remote.Kind, name string) (id, latest int64, err error) {
	found, err := t.Entities.FindEntityByName(ctx, workspace, kindOf(kind), name)
	if fault.Is(err, fault.NotFound) {
		return 0, 0, nil
	}
	return found.ID, found.LatestVersion, err
}

// Folder returns the folder of a name in another, and creates it if there is none.
func (t *Target) Folder(ctx context.Context, workspace int64, o importer.NewObject) (int64, error) {
	scope := entity.FolderScope{}
	if o.Folder != nil {
		scope.ID = *o.Folder
	}
	same, _, err := t.Entities.ListEntities(ctx, entity.Query{WorkspaceID: workspace, Kinds: []entity.Kind{entity.KindFolder}, Folder: &scope, NameContains: o.Name})
	if err != nil {
		return 0, err
	}
	for _, one := range same {
		if one.Name == o.Name {
			return one.ID, nil
		}
	}
	made, err := t.Folders.Create(ctx, workspace, folder.New{Name: o.Name, ParentID: o.Folder, ExternalIDs: []entity.ExternalRef{o.External}, Author: o.Author})
	if err != nil {
		return 0, err
	}
	return made.Entity.ID, nil
}

// Prompt adds the versions of a prompt, and returns the numbers that they get here by
// those that they have there.
func (t *Target) Prompt(ctx context.Context, workspace int64, o importer.NewObject, snippet bool, versions []remote.Version) (map[int64]int64, error) {
	numbers := map[int64]int64{}
	for i, v := range versions {
		in := prompt.Publication{
			Name: o.Name, FolderID: o.Folder, IsSnippet: &snippet,
			Content: prompt.Content{Template: v.Content.Get("prompt_template").Raw()},
			Release: release(&o, v),
		}
		if metadata := v.Content.Get("metadata"); metadata.Kind() == jsontree.Object {
			in.Content.Metadata = metadata.Raw()
		}
		if i == len(versions)-1 {
			in.Tags, in.HasTags = tagsOf(v.Content), true
		}
		record, err := t.Prompts.Publish(ctx, workspace, in)
		if err != nil {
			return nil, inVersion(v.Number, err)
		}
		numbers[v.Number] = record.Version.Number
	}
	return numbers, nil
}

func tagsOf(content jsontree.Value) []string {
	tags := []string{}
	for _, tag := range content.Get("tags").Elems() {
		tags = append(tags, tag.Str())
	}
	return tags
}

// inVersion says which version is wrong. Other errors stay as they are.
func inVersion(number int64, err error) error {
	wrong, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	return fault.Wrap(wrong.Kind, err, "Version %d: %s", number, wrong.Message)
}

// Workflow adds the versions of a workflow.
func (t *Target) Workflow(ctx context.Context, workspace int64, o importer.NewObject, existing int64, versions []remote.Version) error {
	for _, v := range versions {
		var problems fault.Problems
		in := workflow.CreateInput{Release: release(&o, v)}
		in.Definition.Nodes = workflow.ReadNodes(v.Content.Get("nodes"), fault.In("nodes"), &problems)
		if edges := v.Content.Get("edges"); edges.Given() {
			in.Definition.Edges = workflow.ReadEdges(edges, fault.In("edges"), &problems)
		}
		if variables := v.Content.Get("required_input_variables"); variables.Given() {
			in.Definition.Variables = workflow.ReadVariables(variables, fault.In("required_input_variables"), &problems)
		}
		if err := problems.Err(); err != nil {
			return inVersion(v.Number, err)
		}
		if existing == 0 {
			in.Name, in.FolderID = &o.Name, o.Folder
		} else {
			in.WorkflowID = &existing
		}
		record, _, err := t.Workflows.Create(ctx, workspace, in)
		if err != nil {
			return inVersion(v.Number, err)
		}
		existing = record.Entity.ID
	}
	return nil
}

// DatasetGroup creates a group for datasets.
func (t *Target) DatasetGroup(ctx context.Context, workspace int64, o importer.NewObject) (int64, error) {
	made, err := t.Datasets.Create(ctx, workspace, dataset.CreateInput{Name: o.Name, FolderID: o.Folder, ExternalIDs: []entity.ExternalRef{o.External}, Creator: o.Author})
	return made.Group.ID, err
}

// DropDatasetGroup deletes a group.
func (t *Target) DropDatasetGroup(ctx context.Context, workspace, group int64) error {
	_, err := t.Folders.Delete(ctx, workspace, []folder.Reference{{ID: group, Type: entity.TypeDataset}}, false)
	return err
}

// LatestDataset returns the number of the latest version of a group, 0 if it has none.
func (t *Target) LatestDataset(ctx context.Context, workspace, group int64) (int64, error) {
	found, err := t.Entities.GetEntity(ctx, workspace, group)
	return found.LatestVersion, err
}

// Dataset adds a version to a group. read calls its argument with each row.
func (t *Target) Dataset(ctx context.Context, workspace, group int64, author *string, read func(use func(row []byte) error) error) (err error) {
	file, err := t.Datasets.NewUpload(ctx, workspace)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text, into := io.Pipe()
	done := make(chan error, 1)
	guard.Go("upload of a dataset", func() {
		err := guard.Run("upload of a dataset", func() error { return file.ReadBase64(text) })
		_ = text.CloseWithError(err) // so that the writer does not wait; never fails
		done <- err
	})
	err = writeRows(into, read)
	_ = into.CloseWithError(err) // never fails
	if failed := <-done; err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	_, err = t.Datasets.CreateFromFile(ctx, workspace, dataset.FileInput{GroupID: group, Name: strconv.FormatInt(group, 10) + ".json", File: file, Creator: author})
	return err
}

// writeRows writes rows as a JSON array, in base64.
func writeRows(to io.Writer, read func(use func(row []byte) error) error) error {
	encoded := base64.NewEncoder(base64.StdEncoding, to)
	separator := []byte("[")
	err := read(func(row []byte) error {
		_, err := encoded.Write(append(bytes.Clone(separator), row...))
		separator = []byte(",")
		return err
	})
	if err != nil {
		return err
	}
	if separator[0] == '[' {
		return fault.BadRequestf("It has no rows")
	}
	_, err = encoded.Write([]byte("]"))
	return errors.Join(err, encoded.Close())
}

// release returns how a version is published.
func release(o *importer.NewObject, v remote.Version) registry.Release {
	r := registry.Release{Labels: v.Labels, ExternalIDs: []entity.ExternalRef{o.External}, Author: o.Author}
	if message := v.Content.Get("commit_message").Str(); message != "" {
		r.CommitMessage = &message
	}
	return r
}
