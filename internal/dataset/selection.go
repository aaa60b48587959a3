package dataset

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Selection selects the request logs that become rows: those with the ids, or
// else the results of the query.
type Selection struct {
	// IDs is nil if the query is used.
	IDs   []int64
	Query query.Input
	// Limit is the maximum number of logs.
	Limit int
	// Variables are the input variables that become columns, all if empty.
	Variables []string
	// Columns are the other columns of the rows, from LogColumns; empty for the
	// usual ones.
	Columns []string
	// VersionID and LabelID select the logs of a version of a prompt, or of the
	// version that a release label points to; 0 selects all.
	VersionID, LabelID int64

	// stored is the JSON of the query, nil if the ids are used.
	stored []byte
}

// queryMembers are the members of a body that are stored so that the query can
// be run again.
var queryMembers = append([]string{
	"filter_group", "q", "sort_by", "sort_nested_key", "sort_order", "variables_to_parse", "columns", "limit", "prompt_version_id", "prompt_label_id",
}, plainNames...)

// otherMembers are the other members of a body.
var otherMembers = []string{"dataset_group_id", "workspace_id", "request_log_ids"}

// ParseSelection reads the members of a body that select request logs. The
// fault is BadRequest for an unknown member and for an invalid filter; members
// of the wrong shape are added to problems.
func ParseSelection(body jsontree.Value, problems *fault.Problems) (Selection, error) {
	for name := range body.Members() {
		if !slices.Contains(otherMembers, name) && !slices.Contains(queryMembers, name) {
			return Selection{}, fault.BadRequestf("Unknown field: %s", clip(name))
		}
	}
	q, err := query.Parse(body, problems)
	if err != nil {
		return Selection{}, err
	}
	plain, err := parsePlainFilters(body)
	if err != nil {
		return Selection{}, err
	}
	q.Filter = query.And(q.Filter, plain)
	r := shape.New(fault.In(), problems)
	o := shape.Object{Reader: &r, Value: body}
	sel := Selection{
		IDs: ids(o), Query: q,
		Limit:     int(min(o.Int("limit", 1, math.MaxInt64, MaxLogs), MaxLogs)),
		Variables: variables(o), Columns: columns(o),
		VersionID: o.Int("prompt_version_id", 1, math.MaxInt64, 0), LabelID: o.Int("prompt_label_id", 1, math.MaxInt64, 0),
	}
	if sel.IDs == nil {
		sel.stored = storedQuery(body)
	}
	return sel, nil
}

// clip shortens a text from a client.
func clip(text string) string {
	if len(text) > 100 {
		return strings.ToValidUTF8(text[:100], "") + "…"
	}
	return text
}

// ids returns the ids of logs without duplicates, nil if they are not given.
func ids(o shape.Object) []int64 {
	list := o.Array("request_log_ids", MaxLogs)
	if !list.Given() {
		return nil
	}
	o.Enter("request_log_ids")
	defer o.Leave()
	seen := make(map[int64]bool, list.Len())
	ids := shape.List(o.Reader, list, MaxLogs, func(v jsontree.Value) int64 {
		id, _ := o.IntWithin(v, 1, math.MaxInt64)
		return id
	})
	return slices.DeleteFunc(ids, func(id int64) bool {
		again := seen[id]
		seen[id] = true
		return again
	})
}

// variables returns the names of the input variables that become columns.
func variables(o shape.Object) []string {
	list := o.Array("variables_to_parse", MaxLogs)
	if list.Len() == 0 {
		return nil
	}
	o.Enter("variables_to_parse")
	defer o.Leave()
	return shape.List(o.Reader, list, MaxLogs, func(v jsontree.Value) string {
		name, _ := o.Reader.String(v)
		return name
	})
}

// columns returns the names of the columns without duplicates.
func columns(o shape.Object) []string {
	list := o.Array("columns", len(LogColumns))
	if list.Len() == 0 {
		return nil
	}
	o.Enter("columns")
	defer o.Leave()
	return distinct(shape.List(o.Reader, list, len(LogColumns), func(v jsontree.Value) string {
		name, ok := o.Reader.String(v)
		if ok && !slices.Contains(LogColumns, name) {
			o.Report(fault.OneOf(LogColumns...))
		}
		return name
	}))
}

// distinct returns the names without repetitions.
func distinct(names []string) (list []string) {
	for _, name := range names {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// storedQuery returns the members to store.
func storedQuery(body jsontree.Value) []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for _, name := range queryMembers {
			if value := body.Get(name); value.Given() {
				w.Key(name).Compact(value)
			}
		}
	})
	return w.Bytes()
}

// findPage is the number of logs per lookup.
const findPage = 500

// selected are the logs of a selection, without their contents.
type selected struct {
	ids    []int64
	layout *layout
	// columns are those of the rows besides input variables.
	columns []string
}

// find returns the ids of the logs and their columns.
func (s *Service) find(ctx context.Context, workspace int64, sel *Selection) (*selected, error) {
	found := &selected{layout: newLayout(nil), columns: orDefault(sel.Columns)}
	find := s.findByQuery
	if sel.IDs != nil {
		find = s.findByID
	}
	err := find(ctx, workspace, sel, found)
	for _, column := range found.columns {
		if err == nil {
			err = found.layout.add(column)
		}
	}
	return found, err
}

// findByQuery reads all pages of a search. Logs that arrive in the meantime move
// others to later pages, never to earlier ones, so that none is missed; logs
// that were seen before are skipped.
func (s *Service) findByQuery(ctx context.Context, workspace int64, sel *Selection, found *selected) error {
	query, err := s.withVersions(ctx, workspace, sel)
	if err != nil {
		return err
	}
	seen := map[int64]bool{}
	wanted := sel.Limit
	for page := 1; len(found.ids) < wanted; page++ {
		result, err := s.logs.Search(ctx, workspace, requests.SearchInput{Input: query, Page: page, PerPage: findPage})
		if err != nil {
			return err
		}
		if page == 1 {
			wanted = int(min(int64(wanted), result.Total))
		}
		for _, l := range result.Items {
			if seen[l.ID] || len(found.ids) == wanted {
				continue
			}
			seen[l.ID] = true
			found.ids = append(found.ids, l.ID)
			if err := found.addVariables(l, sel.Variables); err != nil {
				return err
			}
		}
		if len(result.Items)+len(result.Damaged) == 0 {
			return nil
		}
	}
	return nil
}

// withVersions returns the query, restricted to the versions of prompts that are
// selected by their id or by that of a label. The fault is BadRequest if the
// workspace has no such version or label.
func (s *Service) withVersions(ctx context.Context, workspace int64, sel *Selection) (query.Input, error) {
	q := sel.Query
	if sel.VersionID != 0 {
		version, err := s.entities.GetVersionByID(ctx, workspace, sel.VersionID)
		if err != nil {
			return q, unknown(err, "prompt_version_id: Prompt version not found: %d", sel.VersionID)
		}
		q.Filter = query.And(q.Filter, versionFilter(version.EntityID, version.Number))
	}
	if sel.LabelID != 0 {
		label, err := s.entities.GetLabel(ctx, workspace, sel.LabelID)
		if err != nil {
			return q, unknown(err, "prompt_label_id: Release label not found: %d", sel.LabelID)
		}
		q.Filter = query.And(q.Filter, versionFilter(label.EntityID, label.VersionNumber))
	}
	return q, nil
}

// unknown returns a BadRequest fault in place of a NotFound fault.
func unknown(err error, format string, args ...any) error {
	if fault.Is(err, fault.NotFound) {
		return fault.BadRequestf(format, args...)
	}
	return err
}

// versionFilter returns the filter for the logs of a version of a prompt.
func versionFilter(promptID, number int64) query.Node {
	return query.And(
		query.Cond{Field: query.FieldPromptID, Op: query.OpIs, IDs: []int64{promptID}},
		query.Cond{Field: query.FieldPromptVersion, Op: query.OpEq, Numbers: []float64{float64(number)}},
	)
}

// findByID finds the logs by id; the fault is BadRequest if one does not exist.
func (s *Service) findByID(ctx context.Context, workspace int64, sel *Selection, found *selected) error {
	found.ids = sel.IDs[:min(len(sel.IDs), sel.Limit)]
	for ids := range slices.Chunk(found.ids, findPage) {
		result, err := s.logs.Search(ctx, workspace, requests.SearchInput{
			Input: query.Input{Filter: query.Cond{Field: query.FieldID, Op: query.OpIn, IDs: ids}},
			Page:  1, PerPage: findPage,
		})
		if err != nil {
			return err
		}
		byID := make(map[int64]*reqlog.Log, len(result.Items))
		for _, l := range result.Items {
			byID[l.ID] = l
		}
		for _, id := range ids {
			if byID[id] == nil {
				return fault.BadRequestf("Request log not found: %s", strconv.FormatInt(id, 10))
			}
			if err := found.addVariables(byID[id], sel.Variables); err != nil {
				return err
			}
		}
	}
	return nil
}

// addVariables adds columns for the wanted input variables of a log.
func (f *selected) addVariables(l *reqlog.Log, wanted []string) error {
	for _, variable := range variableNames(l) {
		name := variable.Key()
		if len(wanted) > 0 && !slices.Contains(wanted, name) {
			continue
		}
		if len(f.layout.columns) >= MaxColumns-len(f.columns) {
			return fault.BadRequestf("The request logs have too many input variables: choose some with variables_to_parse")
		}
		if err := f.layout.add(variablePrefix + name); err != nil {
			return err
		}
	}
	return nil
}
