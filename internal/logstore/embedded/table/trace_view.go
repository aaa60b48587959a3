package table

import "github.com/promptuary/promptuary/internal/logstore/logsql"

// views returns the views of the traces that the selection asks about.
func (s *Selection) views(q *sqlQuery) *logsql.Views {
	v := &logsql.Views{Writer: q.writer(), Engine: engine{}, Workspace: q.bind(s.Query.Workspace)}
	if s.Matches != nil {
		v.Found = func() string {
			return "trace_key IN (" + v.Spans("trace_key") + " AND log_key IN (" + v.Logs("span_key") + " AND " + s.inSet(q, s.Matches) + "))"
		}
	}
	return v
}

// engine implements logsql.Engine.
type engine struct{}

func (engine) Table() string   { return "span" }
func (engine) HasSpan() string { return "span_key IS NOT NULL" }

func (engine) FirstLogs(v *logsql.Views, columns string) string {
	return "SELECT " + columns + " FROM log WHERE id IN (" + v.Logs("min(id)") + " GROUP BY span_key)"
}

func (engine) Padded(id string) string {
	return "CASE WHEN length(" + id + ") < 16 THEN lpad(" + id + ", 16, '0') ELSE " + id + " END"
}
