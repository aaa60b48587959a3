package remote

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Kind is a kind of object, as the API names it.
type Kind string

// The kinds, in the order in which they are imported: what others refer to first.
const (
	Folder   Kind = "FOLDER"
	Snippet  Kind = "SNIPPET"
	Prompt   Kind = "PROMPT"
	Workflow Kind = "WORKFLOW"
	Dataset  Kind = "DATASET"
)

var kinds = []Kind{Folder, Snippet, Prompt, Workflow, Dataset}

// Object is an object of a server.
type Object struct {
	Kind Kind   `json:"kind"`
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Folder is the id of its folder, 0 at the root.
	Folder int64 `json:"folder,omitempty"`
	// Latest is the number of its latest version, 0 if it has none.
	Latest int64 `json:"latest,omitempty"`
}

const entitiesPath = "/api/public/v2/folders/entities"

// maxObjects limits the objects of a server, which are listed at once.
const maxObjects = 100_000

// Objects returns all objects of some kinds, in the order in which they can be
// imported: folders before what they contain, snippets before other prompts.
func (c *Client) Objects(ctx context.Context, wanted []Kind) ([]Object, error) {
	query := url.Values{"flatten": {"true"}, "include_metadata": {"true"}}
	for _, kind := range wanted {
		query.Add("filter_type", string(kind))
	}
	answer, err := c.call(ctx, http.MethodGet, entitiesPath, query, nil)
	if err != nil {
		return nil, err
	}
	list := answer.Get("entities")
	if list.Kind() != jsontree.Array {
		return nil, closedf("The server is not one of PromptLayer's API: it does not list its folders")
	}
	if list.Len() > maxObjects {
		return nil, closedf("The server has more than %d objects", maxObjects)
	}
	var found []Object
	for _, one := range list.Elems() {
		o := Object{Kind: Kind(one.Get("type").Str()), Name: one.Get("name").Str()}
		o.ID, _ = one.Get("id").Int()
		o.Folder, _ = one.Get("folder_id").Int()
		o.Latest, _ = one.Get("metadata").Get("latest_version_number").Int()
		if slices.Contains(wanted, o.Kind) && o.ID > 0 && o.Name != "" {
			found = append(found, o)
		}
	}
	return inOrder(found), nil
}

// inOrder sorts objects by kind, folders by depth, and others by id.
func inOrder(all []Object) []Object {
	parent := map[int64]int64{}
	for _, o := range all {
		if o.Kind == Folder {
			parent[o.ID] = o.Folder
		}
	}
	depth := func(o Object) int {
		n := 0
		for at := o.Folder; o.Kind == Folder && at != 0 && n <= len(parent); at = parent[at] {
			n++
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b Object) int {
		if d := slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind); d != 0 {
			return d
		}
		if d := depth(a) - depth(b); d != 0 {
			return d
		}
		return int(max(min(a.ID-b.ID, 1), -1))
	})
	return all
}

// Version is a version of a prompt or a workflow.
type Version struct {
	Number int64
	// Content is what the server returns.
	Content jsontree.Value
	Labels  []string
}

const (
	// maxVersions and maxBytes limit the versions of an object, which are imported
	// together.
	maxVersions = 10_000
	maxBytes    = 64 << 20
)

// Versions returns all versions of a prompt or a workflow, with their release labels,
// the oldest first. The error is a RefusedError if the server does not have it any more,
// or if there are too many.
func (c *Client) Versions(ctx context.Context, o Object) ([]Version, error) {
	base, number := "/prompt-templates/", "prompt_version_number"
	if o.Kind == Workflow {
		base, number = "/workflows/", "workflow_version_number"
	}
	base += strconv.FormatInt(o.ID, 10)
	labels, err := c.labels(ctx, base+"/labels", number)
	if err != nil {
		return nil, err
	}
	if o.Latest > maxVersions {
		return nil, &RefusedError{http.StatusRequestEntityTooLarge, "it has more than " + strconv.Itoa(maxVersions) + " versions"}
	}
	var versions []Version
	size := 0
	for n := int64(1); n <= o.Latest; n++ {
		query := url.Values{"version": {strconv.FormatInt(n, 10)}}
		if o.Kind != Workflow {
			query.Set("resolve_snippets", "false")
		}
		content, err := c.call(ctx, http.MethodGet, base, query, nil)
		if missing(err) {
			continue // it was deleted
		}
		if err != nil {
			return nil, err
		}
		if size += len(content.Raw()); size > maxBytes {
			return nil, &RefusedError{http.StatusRequestEntityTooLarge, "its versions have more than " + strconv.Itoa(maxBytes) + " bytes"}
		}
		versions = append(versions, Version{n, content, labels[n]})
	}
	if len(versions) == 0 {
		return nil, &RefusedError{http.StatusNotFound, "it has no versions"}
	}
	return versions, nil
}

// labels returns the release labels by version.
func (c *Client) labels(ctx context.Context, path, number string) (map[int64][]string, error) {
	answer, err := c.call(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return nil, err
	}
	found := map[int64][]string{}
	for _, one := range answer.Get("release_labels").Elems() {
		n, _ := one.Get(number).Int()
		if name := one.Get("release_label").Str(); name != "" && n > 0 {
			found[n] = append(found[n], name)
		}
	}
	return found, nil
}

// DatasetVersion is a saved version of a dataset.
type DatasetVersion struct{ ID, Number int64 }

// pageSize is the number of datasets and rows of a page.
const pageSize = 100

// DatasetVersions returns the saved versions of a dataset group, the oldest first. The
// error is a RefusedError if there are too many.
func (c *Client) DatasetVersions(ctx context.Context, o Object) ([]DatasetVersion, error) {
	var found []DatasetVersion
	for page := int64(1); ; page++ {
		query := paging(page)
		query.Set("dataset_group_id", strconv.FormatInt(o.ID, 10))
		answer, err := c.call(ctx, http.MethodGet, "/api/public/v2/datasets", query, nil)
		if err != nil {
			return nil, err
		}
		for _, one := range answer.Get("datasets").Elems() {
			var v DatasetVersion
			v.ID, _ = one.Get("id").Int()
			v.Number, _ = one.Get("version_number").Int()
			if v.ID > 0 && v.Number > 0 {
				found = append(found, v)
			}
		}
		if len(found) > maxVersions {
			return nil, &RefusedError{http.StatusRequestEntityTooLarge, "it has more than " + strconv.Itoa(maxVersions) + " versions"}
		}
		if last(answer, "datasets", page) {
			slices.SortFunc(found, func(a, b DatasetVersion) int { return int(max(min(a.Number-b.Number, 1), -1)) })
			return slices.Compact(found), nil
		}
	}
}

func paging(page int64) url.Values {
	return url.Values{"page": {strconv.FormatInt(page, 10)}, "per_page": {strconv.Itoa(pageSize)}}
}

// last reports whether a page is the last one: there is no other, or nothing on it.
func last(answer jsontree.Value, items string, page int64) bool {
	pages, _ := answer.Get("pages").Int()
	return page >= pages || answer.Get(items).Len() == 0
}

// Rows calls use with the rows of a dataset as JSON objects, in their order.
func (c *Client) Rows(ctx context.Context, dataset int64, use func(row []byte) error) error {
	for page := int64(1); ; page++ {
		answer, err := c.call(ctx, http.MethodGet, "/api/public/v2/datasets/"+strconv.FormatInt(dataset, 10)+"/rows", paging(page), nil)
		if err != nil {
			return err
		}
		var columns []string
		for _, name := range answer.Get("columns").Elems() {
			columns = append(columns, name.Str())
		}
		for _, cells := range answer.Get("rows").Elems() {
			if err := use(rowOf(columns, cells)); err != nil {
				return err
			}
		}
		if last(answer, "rows", page) {
			return nil
		}
	}
}

// rowOf returns the cells of a row by column.
func rowOf(columns []string, cells jsontree.Value) []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for i, cell := range cells.Elems() {
			if i < len(columns) {
				w.Key(columns[i])
				if value := cell.Get("value"); value.Kind() == jsontree.Absent {
					w.Null()
				} else {
					w.Value(value)
				}
			}
		}
	})
	return w.Bytes()
}
