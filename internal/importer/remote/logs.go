package remote

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	// LogsPerPage is the number of request logs of a page, the most that PromptLayer
	// returns.
	LogsPerPage = 25
	// MaxLog is the maximum size of a request log in bytes, and maxPage the size after
	// which the rest of a page is left for later.
	MaxLog  = 16 << 20
	maxPage = 16 << 20
)

// Log is a request log of a server: either Text is its row in the form of an export, or
// the server does not have it any more, or it is larger than MaxLog.
type Log struct {
	ID            string
	Text          []byte
	Gone, TooLong bool
}

// LogPage is a page of request logs, or a part of one.
type LogPage struct {
	Logs []Log
	// Whole says that no log of the page is left, and Last that there is no other page.
	Whole, Last bool
}

// CountLogs returns the number of request logs that began before a time and, unless
// it is zero, not before another.
func (c *Client) CountLogs(ctx context.Context, since, before time.Time) (int64, error) {
	answer, err := c.search(ctx, since, before, 1, 1)
	if err != nil {
		return 0, err
	}
	total, ok := answer.Get("total").Int()
	if !ok {
		return 0, closedf("The server is not one of PromptLayer's API: it does not count its request logs")
	}
	return total, nil
}

// Logs returns the request logs of a page that were not seen, those that began first on
// the first page. Those that begin after before are on no page, so that new ones move
// nothing.
func (c *Client) Logs(ctx context.Context, since, before time.Time, page int64, seen func(id string) bool) (*LogPage, error) {
	answer, err := c.search(ctx, since, before, page, LogsPerPage)
	if err != nil {
		return nil, err
	}
	if answer.Get("items").Len() > LogsPerPage {
		return nil, closedf("The server is not one of PromptLayer's API: it returns more than %d request logs at once", LogsPerPage)
	}
	found, size := &LogPage{}, 0
	for _, item := range answer.Get("items").Elems() {
		id, ok := item.Get("id").Int()
		if !ok || seen(strconv.FormatInt(id, 10)) {
			continue
		}
		if size > maxPage {
			return found, nil
		}
		l, err := c.log(ctx, strconv.FormatInt(id, 10), item)
		if err != nil {
			return nil, err
		}
		found.Logs = append(found.Logs, l)
		size += len(l.Text)
	}
	found.Whole, found.Last = true, last(answer, "items", page)
	return found, nil
}

// log returns a request log that a search has found.
func (c *Client) log(ctx context.Context, id string, item jsontree.Value) (Log, error) {
	l := Log{ID: id}
	detail, err := c.call(ctx, http.MethodGet, "/api/public/v2/requests/"+id, nil, nil)
	if missing(err) { // it was deleted in the meantime
		l.Gone = true
		return l, nil
	}
	if err != nil {
		return l, err
	}
	if l.Text = logText(id, item, detail); len(l.Text) > MaxLog {
		l.Text, l.TooLong = nil, true
	}
	return l, nil
}

func (c *Client) search(ctx context.Context, since, before time.Time, page, perPage int64) (jsontree.Value, error) {
	w := jsontree.NewWriter(nil)
	filter := func(operator string, at time.Time) {
		w.Object(func() {
			w.Key("field").String("request_start_time")
			w.Key("operator").String(operator)
			w.Key("value").String(at.UTC().Format(time.RFC3339Nano))
		})
	}
	w.Object(func() {
		w.Key("page").Int(page)
		w.Key("per_page").Int(perPage)
		w.Key("include_prompt_name").Bool(true)
		w.Key("sort_by").String("request_start_time")
		w.Key("sort_order").String("asc")
		w.Key("filter_group").Object(func() {
			w.Key("logic").String("AND")
			w.Key("filters").Array(func() {
				filter("before", before)
				if !since.IsZero() {
					filter("after", since)
				}
			})
		})
	})
	return c.call(ctx, http.MethodPost, "/api/public/v2/requests/search", nil, w.Bytes())
}

// logText returns a request log in the form of an export: what the search returns,
// and input and output, which only the log itself has. Ids of the other server mean
// nothing here.
func logText(id string, item, detail jsontree.Value) []byte {
	blueprint := detail.Get("prompt_blueprint")
	input, output := split(blueprint.Get("prompt_template"))
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("request_id").String(id)
		w.Members(item, "id", "request_id", "prompt_id", "workspace_id", "group_id", "trace_id", "span_id", "input", "output", "parameters", "created_at", "type")
		w.Key("input").Raw(input)
		w.Key("output").Raw(output)
		if parameters := blueprint.Get("metadata").Get("model").Get("parameters"); parameters.Kind() == jsontree.Object {
			w.Key("parameters").Value(parameters)
		}
	})
	return w.Bytes()
}

// split separates a blueprint into input and output: the output is the last message if
// it is one of the assistant, and the last part of a completion after the first.
func split(template jsontree.Value) (input, output []byte) {
	kind, list := "chat", "messages"
	if template.Get("type").Is("completion") {
		kind, list = "completion", "content"
	}
	parts := template.Get(list)
	answer := -1
	for i, part := range parts.Elems() {
		if i == parts.Len()-1 && (kind == "completion" && i > 0 || part.Get("role").Is("assistant")) {
			answer = i
		}
	}
	in, out := jsontree.NewWriter(nil), jsontree.NewWriter(nil)
	in.Object(func() {
		in.Key("type").String(kind)
		in.Members(template, "type", list)
		in.Key(list).Array(func() {
			for i, part := range parts.Elems() {
				if i != answer {
					in.Value(part)
				}
			}
		})
	})
	out.Object(func() {
		out.Key("type").String(kind)
		out.Key(list).Array(func() {
			for i, part := range parts.Elems() {
				if i == answer {
					out.Value(part)
				}
			}
		})
	})
	return in.Bytes(), out.Bytes()
}
