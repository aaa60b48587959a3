package export

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// logRow is a request log as a row.
type logRow struct {
	query.ScannedLog
	promptNames map[int64]string
	// text holds the JSON that is made for the row.
	text []byte
}

// logColumn is a column of request logs.
type logColumn struct {
	format.Column
	value func(r *logRow) format.Value
}

// logColumns are all columns of request logs. Anyone who reads an export can make the
// logs anew from them, so that the names stay.
var logColumns = []logColumn{
	{format.Column{Name: "id", Type: format.Int}, func(r *logRow) format.Value { return format.IntOf(r.ID) }},
	{format.Column{Name: "workspace_id", Type: format.Int}, func(r *logRow) format.Value { return format.IntOf(r.Workspace) }},
	{format.Column{Name: "created_at", Type: format.Time}, func(r *logRow) format.Value { return format.TimeOf(int64(r.CreatedAt)) }},
	{format.Column{Name: "request_start_time", Type: format.Time}, func(r *logRow) format.Value { return format.TimeOf(int64(r.Start)) }},
	{format.Column{Name: "request_end_time", Type: format.Time}, func(r *logRow) format.Value { return format.TimeOf(int64(r.End)) }},
	{format.Column{Name: "latency", Type: format.Float}, func(r *logRow) format.Value { return format.FloatOf(r.LatencyMS() / 1000) }},
	{format.Column{Name: "provider_type", Type: format.Text}, func(r *logRow) format.Value { return format.TextOf(r.Provider) }},
	{format.Column{Name: "engine", Type: format.Text}, func(r *logRow) format.Value { return format.TextOf(r.Engine) }},
	{format.Column{Name: "api_type", Type: format.Text}, func(r *logRow) format.Value { return format.TextOrNone(r.APIType) }},
	{format.Column{Name: "function_name", Type: format.Text}, func(r *logRow) format.Value { return format.TextOf(r.FunctionName) }},
	{format.Column{Name: "status", Type: format.Text}, func(r *logRow) format.Value { return format.TextOf(r.Status) }},
	{format.Column{Name: "error_type", Type: format.Text}, func(r *logRow) format.Value { return format.TextOrNone(r.ErrorType) }},
	{format.Column{Name: "error_message", Type: format.Text}, func(r *logRow) format.Value { return format.TextOrNone(r.ErrorMessage) }},
	{format.Column{Name: "input_tokens", Type: format.Int}, func(r *logRow) format.Value { return format.IntOf(r.Usage.Input.N) }},
	{format.Column{Name: "output_tokens", Type: format.Int}, func(r *logRow) format.Value { return format.IntOf(r.Usage.Output.N) }},
	{format.Column{Name: "tokens", Type: format.Int}, func(r *logRow) format.Value { return format.IntOf(r.Usage.Total().N) }},
	{format.Column{Name: "cached_tokens", Type: format.Int}, func(r *logRow) format.Value { return format.IntOf(r.Usage.CacheRead.N) }},
	{format.Column{Name: "thinking_tokens", Type: format.Int}, func(r *logRow) format.Value { return format.IntOf(r.Usage.Reasoning.N) }},
	{format.Column{Name: "token_counts", Type: format.JSON}, (*logRow).tokenCounts},
	{format.Column{Name: "price", Type: format.Float}, func(r *logRow) format.Value { return format.FloatOf(r.Price.USD) }},
	{format.Column{Name: "price_source", Type: format.Text}, func(r *logRow) format.Value { return format.TextOrNone(r.Price.Source.String()) }},
	{format.Column{Name: "repricing_id", Type: format.Int}, func(r *logRow) format.Value { return format.IntOrNone(r.Price.Repricing) }},
	{format.Column{Name: "logged_price", Type: format.Float}, func(r *logRow) format.Value { return format.FloatOf(r.Logged.USD) }},
	{format.Column{Name: "logged_price_source", Type: format.Text}, func(r *logRow) format.Value { return format.TextOrNone(r.Logged.Source.String()) }},
	{format.Column{Name: "source", Type: format.Text}, func(r *logRow) format.Value { return format.TextOf(string(r.Origin())) }},
	{format.Column{Name: "api_key_id", Type: format.Int}, func(r *logRow) format.Value { return format.IntOrNone(r.KeyID) }},
	{format.Column{Name: "tags_array", Type: format.JSON}, func(r *logRow) format.Value { return r.strings(r.Tags) }},
	{format.Column{Name: "metadata", Type: format.JSON}, (*logRow).metadata},
	{format.Column{Name: "scores", Type: format.JSON}, (*logRow).scores},
	{format.Column{Name: "score", Type: format.Int}, func(r *logRow) format.Value { return format.IntOf(r.Score) }},
	{format.Column{Name: "prompt_id", Type: format.Int}, func(r *logRow) format.Value { return format.IntOrNone(r.link().ID) }},
	{format.Column{Name: "prompt_version_number", Type: format.Int}, func(r *logRow) format.Value { return format.IntOrNone(r.link().Version) }},
	{format.Column{Name: "prompt_name", Type: format.Text}, func(r *logRow) format.Value { return format.TextOrNone(r.promptNames[r.link().ID]) }},
	{format.Column{Name: "prompt_referenced_variables", Type: format.JSON}, (*logRow).referenced},
	{format.Column{Name: "prompt_input_variables", Type: format.JSON}, func(r *logRow) format.Value { return format.JSONOf(r.Variables) }},
	{format.Column{Name: "group_id", Type: format.Int}, func(r *logRow) format.Value { return format.IntOrNone(r.GroupID) }},
	{format.Column{Name: "span_id", Type: format.Text}, func(r *logRow) format.Value { return format.TextOrNone(r.SpanID) }},
	{format.Column{Name: "trace_id", Type: format.Text}, func(r *logRow) format.Value { return format.TextOrNone(r.TraceID) }},
	{format.Column{Name: "parameters", Type: format.JSON}, func(r *logRow) format.Value { return format.JSONOf(r.Parameters) }},
	{format.Column{Name: "input", Type: format.JSON}, func(r *logRow) format.Value { return format.JSONOf(r.Input) }},
	{format.Column{Name: "output", Type: format.JSON}, func(r *logRow) format.Value { return format.JSONOf(r.Output) }},
}

// LogColumns are the names of the columns of request logs.
var LogColumns = columnNames(logColumns, func(c *logColumn) string { return c.Name })

func columnNames[C any](columns []C, name func(*C) string) []string {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = name(&columns[i])
	}
	return names
}

// json returns JSON that write writes.
func (r *logRow) json(write func(w *jsontree.Writer)) format.Value {
	start := len(r.text)
	w := jsontree.NewWriter(r.text)
	write(&w)
	r.text = w.Bytes()
	return format.JSONOf(r.text[start:])
}

// strings returns a list of texts, which is empty rather than missing.
func (r *logRow) strings(texts []string) format.Value {
	return r.json(func(w *jsontree.Writer) { w.Strings(texts) })
}

// tokenCounts returns the counts that were given, which the other columns do not
// tell from 0.
func (r *logRow) tokenCounts() format.Value {
	u := &r.Usage
	if *u == (provider.Usage{}) {
		return format.Value{}
	}
	return r.json(func(w *jsontree.Writer) {
		w.Object(func() {
			for _, c := range []struct {
				name  string
				count provider.Count
			}{
				{"input", u.Input}, {"output", u.Output}, {"cache_read", u.CacheRead}, {"cache_write", u.CacheWrite},
				{"cache_write_long", u.CacheWriteLong}, {"reasoning", u.Reasoning},
			} {
				if c.count.Given {
					w.Key(c.name).Int(c.count.N)
				}
			}
			if u.Batch {
				w.Key("batch").Bool(true)
			}
		})
	})
}

func (r *logRow) metadata() format.Value {
	return r.json(func(w *jsontree.Writer) {
		w.Array(func() {
			for _, m := range r.Metadata {
				w.Object(func() { w.Key(m.Key).Raw(m.Value) })
			}
		})
	})
}

func (r *logRow) scores() format.Value {
	return r.json(func(w *jsontree.Writer) {
		w.Array(func() {
			for _, score := range r.Scores {
				w.Object(func() {
					w.Key("name").String(score.Name)
					w.Key("score").Int(score.Value)
				})
			}
		})
	})
}

// link returns the prompt of the log, an empty one without.
func (r *logRow) link() reqlog.PromptLink {
	if r.Prompt == nil {
		return reqlog.PromptLink{}
	}
	return *r.Prompt
}

func (r *logRow) referenced() format.Value {
	if r.Prompt == nil {
		return format.Value{}
	}
	return r.strings(r.Prompt.Referenced)
}

// LogQuery selects request logs to export.
type LogQuery struct {
	query.Input
	// Text is the query of the client as JSON, nil if there is none.
	Text json.RawMessage
	// After, if not nil, selects the logs behind an id.
	After *int64
}

// Logs returns an export of the request logs that match, in the order of their ids.
// Logs that arrive later are not in it. Of those behind an id, it has those up to
// SettledID, so that the next export can begin where it ends.
func (s *Service) Logs(ctx context.Context, workspace int64, q LogQuery, file File) (*Export, error) {
	ids := query.Range{Last: s.logs.LastID()}
	if q.After != nil {
		settled, err := s.SettledID(ctx)
		if err != nil {
			return nil, err
		}
		ids = query.Range{After: *q.After, Last: max(settled, *q.After)}
	}
	made, err := s.newExport(ctx, &workspace, s.logTable(workspace, q.Input, ids), file, Note{
		Subject: audit.Subject{Kind: audit.SubjectRequests, ID: workspace, Name: "request logs"}, Query: q.Text, After: q.After,
	})
	if err == nil {
		made.LastID = &ids.Last
	}
	return made, err
}

// LogPart returns an export of the request logs of a range of ids that match. It is a
// part of an export that was noted before.
func (s *Service) LogPart(workspace int64, in query.Input, ids query.Range, file File) (*Export, error) {
	return s.part(workspace, s.logTable(workspace, in, ids), file)
}

// LastID returns the id that an export that begins now ends with.
func (s *Service) LastID() int64 { return s.logs.LastID() }

// SettledID returns the id up to which request logs are complete: if several servers
// write them, one with a lower id than the newest may still arrive.
func (s *Service) SettledID(ctx context.Context) (int64, error) {
	if s.settled == nil {
		return s.logs.LastID(), nil
	}
	return s.settled(ctx)
}

// logTable returns the logs of a range of ids as a table.
func (s *Service) logTable(workspace int64, in query.Input, ids query.Range) table {
	t := table{columns: make([]format.Column, len(logColumns))}
	for i := range logColumns {
		t.columns[i] = logColumns[i].Column
	}
	t.rows = func(ctx context.Context, each func([]format.Value) error) (damaged int64, err error) {
		values := make([]format.Value, len(logColumns))
		err = s.logs.Scan(ctx, workspace, in, ids, func(part *query.Scanned) error {
			damaged += int64(len(part.Damaged))
			names, err := s.promptNames(ctx, workspace, part)
			if err != nil {
				return err
			}
			row := logRow{promptNames: names}
			for _, row.ScannedLog = range part.Logs {
				row.text = row.text[:0]
				for i := range logColumns {
					values[i] = logColumns[i].value(&row)
				}
				if err := each(values); err != nil {
					return err
				}
			}
			return nil
		})
		return damaged, err
	}
	return t
}

// promptNames returns the names of the prompts of the logs.
func (s *Service) promptNames(ctx context.Context, workspace int64, part *query.Scanned) (map[int64]string, error) {
	seen := map[int64]bool{}
	var ids []int64
	for _, l := range part.Logs {
		if l.Prompt != nil && !seen[l.Prompt.ID] {
			seen[l.Prompt.ID] = true
			ids = append(ids, l.Prompt.ID)
		}
	}
	return s.logs.PromptNames(ctx, workspace, ids)
}
