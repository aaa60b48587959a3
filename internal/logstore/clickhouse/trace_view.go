package clickhouse

import (
	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// views returns the views of the traces that the selection asks about.
func (s *selection) views(q *sqlQuery) *logsql.Views {
	v := &logsql.Views{Writer: q.writer(), Engine: engine{}, Workspace: q.bindInt(s.Workspace)}
	if !s.text.none() {
		v.Found = func() string {
			return "trace_key IN (" + v.Spans("trace_key") + " AND log_key IN (" + v.Logs("span_key") + " AND " + s.text.matches(q, s.Workspace) + "))"
		}
	}
	return v
}

// engine implements logsql.Engine.
type engine struct{}

func (engine) Table() string   { return "span FINAL" }
func (engine) HasSpan() string { return "span_key <> 0" }

func (engine) FirstLogs(v *logsql.Views, columns string) string {
	return v.Logs(columns) + " ORDER BY id LIMIT 1 BY span_key"
}

func (engine) Padded(id string) string {
	return "if(lengthUTF8(" + id + ") < 16, leftPadUTF8(" + id + ", 16, '0'), " + id + ")"
}

// Attribute implements logsql.Engine: attributes are lists of pairs.
func (engine) Attribute(w logsql.Writer, column string, c query.Cond) string {
	return w.NestedCond(column, c)
}
