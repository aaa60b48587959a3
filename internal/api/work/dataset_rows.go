package work

import (
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

type datasetRowsQuery struct {
	DatasetID int64 `path:"dataset_id" minimum:"1" description:"The id of the dataset."`
	kit.WorkspaceQuery
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
	found, err := h.service.GetLive(ctx, kit.Workspace(ctx), in.DatasetID)
	if err != nil {
		return err
	}
	out := newRowsWriter(w)
	if in.IncludeIDs {
		out.ids = []string{}
	}
	page := in.Slice()
	return out.write(found.Columns, in.ShortPaging, func() (int64, error) {
		return h.service.PlacedRows(ctx, &found, dataset.RowQuery{
			Text: in.Text, Offset: int64(page.Offset), Limit: int64(page.Limit),
		}, func(position int64, cells []jsontree.Value) error {
			if out.ids != nil {
				out.ids = append(out.ids, found.RowID(position))
			}
			return out.row(func() { out.given(cells) })
		})
	})
}

// rowsWriter writes a page of rows as they are read. Its errors mean that the
// client has disconnected.
type rowsWriter struct {
	jsontree.Writer
	to  http.ResponseWriter
	ids []string // ids of the rows until now, nil unless requested
}

func newRowsWriter(to http.ResponseWriter) *rowsWriter {
	return &rowsWriter{Writer: jsontree.NewWriter(nil), to: to}
}

// maxUnwritten is the size of the part of a page that is kept in memory.
const maxUnwritten = 32 << 10

// write writes the response. each writes the rows and returns how many there
// are on all pages.
func (w *rowsWriter) write(columns []string, page kit.ShortPaging, each func() (total int64, err error)) (err error) {
	w.to.Header().Set("Content-Type", "application/json")
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("message").String("success")
		w.Key("columns").Strings(columns)
		var total int64
		w.Key("rows").Array(func() { total, err = each() })
		counts := page.Counts(total)
		w.Key("page").Int(counts.Page)
		w.Key("per_page").Int(counts.PerPage)
		w.Key("pages").Int(counts.Pages)
		w.Key("total").Int(counts.Total)
		if w.ids != nil {
			w.Key("row_ids").Strings(w.ids)
		}
	})
	if err == nil {
		_, err = w.to.Write(w.Bytes())
	}
	return err
}

// row writes one row.
func (w *rowsWriter) row(cells func()) error {
	w.Array(cells)
	if w.Len() < maxUnwritten {
		return nil
	}
	return w.Flush(w.to)
}

// given writes cells of the dataset.
func (w *rowsWriter) given(cells []jsontree.Value) {
	for _, cell := range cells {
		w.Object(func() {
			w.Key("type").String("dataset")
			w.Key("value").Value(cell)
		})
	}
}
