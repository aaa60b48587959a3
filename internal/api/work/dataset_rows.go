package work

import (
	"bufio"
	"fmt"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

type datasetRowsQuery struct {
	DatasetID   int64  `path:"dataset_id" minimum:"1" description:"The id of the dataset."`
	WorkspaceID *int64 `query:"workspace_id" minimum:"1" description:"The API key's workspace; any other is rejected."`
	kit.ShortPaging
	Text       string `query:"q" description:"Only rows with a cell that contains this text, ignoring case."`
	IncludeIDs bool   `query:"include_ids" description:"Whether to return the ids of the rows, which are needed to change rows of a draft."`
}

// datasetRowsResponse documents what rows writes.
type datasetRowsResponse struct {
	Success bool            `json:"success" required:"true" description:"Always true."`
	Message string          `json:"message" required:"true" description:"Always \"success\"."`
	Columns []string        `json:"columns" required:"true" description:"The columns."`
	Rows    [][]datasetCell `json:"rows" required:"true" description:"Rows, each with one cell per column."`
	kit.PageCounts
	RowIDs []string `json:"row_ids,omitempty" description:"The ids of the rows in order; only with include_ids."`
}

type datasetCell struct {
	Type  string      `json:"type" required:"true" enum:"dataset" description:"Always \"dataset\"."`
	Value kit.RawJSON `json:"value" required:"true" description:"The value; null if the row has none."`
}

// rows writes each row as it is read, because a page may not fit in memory.
func (h datasets) rows(w http.ResponseWriter, r *rest.Request, in *datasetRowsQuery) error {
	ctx := r.Context()
	if err := kit.SameWorkspace(ctx, in.WorkspaceID); err != nil {
		return err
	}
	found, err := h.service.GetLive(ctx, kit.Workspace(ctx), in.DatasetID)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	answer := &rowsWriter{to: bufio.NewWriterSize(w, 32<<10), found: &found}
	if in.IncludeIDs {
		answer.ids = []string{}
	}
	answer.begin(found.Columns)
	page := in.Slice()
	total, err := h.service.PlacedRows(ctx, &found, dataset.RowQuery{
		Text: in.Text, Offset: int64(page.Offset), Limit: int64(page.Limit),
	}, answer.row)
	if err != nil {
		return err
	}
	return answer.end(in.Counts(total))
}

// rowsWriter writes the response. Its errors mean that the client has
// disconnected.
type rowsWriter struct {
	to    *bufio.Writer
	found *dataset.Dataset
	rows  int
	ids   []string // ids of the rows so far, nil unless requested
	text  []byte
}

func (a *rowsWriter) begin(columns []string) {
	a.text = append(a.text[:0], `{"success":true,"message":"success","columns":[`...)
	for i, column := range columns {
		a.text = jsontree.AppendQuoted(separated(a.text, i), column)
	}
	a.text = append(a.text, `],"rows":[`...)
	_, _ = a.to.Write(a.text)
}

// separated appends a comma before all elements but the first.
func separated(text []byte, i int) []byte {
	if i > 0 {
		text = append(text, ',')
	}
	return text
}

func (a *rowsWriter) row(position int64, cells []jsontree.Value) error {
	a.text = append(separated(a.text[:0], a.rows), '[')
	a.rows++
	if a.ids != nil {
		a.ids = append(a.ids, a.found.RowID(position))
	}
	for i, cell := range cells {
		a.text = append(separated(a.text, i), `{"type":"dataset","value":`...)
		a.text = append(a.text, cell.Raw()...)
		a.text = append(a.text, '}')
	}
	a.text = append(a.text, ']')
	_, err := a.to.Write(a.text)
	return err
}

func (a *rowsWriter) end(counts kit.PageCounts) error {
	_, _ = fmt.Fprintf(a.to, `],"page":%d,"per_page":%d,"pages":%d,"total":%d`, counts.Page, counts.PerPage, counts.Pages, counts.Total)
	if a.ids != nil {
		a.text = append(a.text[:0], `,"row_ids":[`...)
		for i, id := range a.ids {
			a.text = jsontree.AppendQuoted(separated(a.text, i), id)
		}
		_, _ = a.to.Write(append(a.text, ']'))
	}
	_ = a.to.WriteByte('}')
	return a.to.Flush()
}
