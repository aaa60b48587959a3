package main

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// front translates HTTP requests to calls of the engine.
type front struct {
	pool    *pool
	users   map[string]account
	queries atomic.Int64
}

func newFront(pool *pool, users map[string]account) http.Handler {
	f := &front{pool: pool, users: users}
	mux := http.NewServeMux()
	mux.HandleFunc("/ping", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "Ok.\n") })
	mux.HandleFunc("/{$}", f.handle)
	return mux
}

func (f *front) handle(w http.ResponseWriter, r *http.Request) {
	q, err := f.read(r)
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("X-ClickHouse-Query-Id", q.id)
	found, err := f.run(r.Context(), q)
	if err != nil {
		refuse(w, err)
		return
	}
	answer(w, r, found)
}

// query is a request of a client.
type query struct {
	id       string
	text     string
	database string
	format   string
	params   map[string]string
	settings map[string]string
	// data is the body of an insert, nil for other queries.
	data []byte
}

// notSettings are the parameters of the interface that are not settings.
var notSettings = map[string]bool{
	"query": true, "database": true, "default_format": true, "query_id": true, "user": true, "password": true,
	"compress": true, "decompress": true, "wait_end_of_query": true, "buffer_size": true,
}

func (f *front) read(r *http.Request) (*query, error) {
	user, err := f.authenticate(r)
	if err != nil {
		return nil, err
	}
	values := r.URL.Query()
	if values.Has("session_id") {
		return nil, exception(48, "NOT_IMPLEMENTED", "this server has no sessions")
	}
	q := &query{
		id:       first(values.Get("query_id"), "test-"+strconv.FormatInt(f.queries.Add(1), 10)),
		database: first(values.Get("database"), r.Header.Get("X-ClickHouse-Database"), "default"),
		format:   first(values.Get("default_format"), r.Header.Get("X-ClickHouse-Format"), "TabSeparated"),
		params:   map[string]string{}, settings: map[string]string{},
	}
	if err := q.readForm(r, values); err != nil {
		return nil, err
	}
	q.divide(values)
	if r.Method == http.MethodGet || user.readOnly {
		q.settings["readonly"] = "2"
	}
	return q, q.readBody(r, values.Get("query"))
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// readForm adds the fields of a form to the parameters.
func (q *query) readForm(r *http.Request, values url.Values) error {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return nil
	}
	if err := r.ParseMultipartForm(1 << 30); err != nil {
		return exception(210, "NETWORK_ERROR", "the client went away before the end of the form")
	}
	for name, texts := range r.MultipartForm.Value {
		values[name] = texts
	}
	r.Body = http.NoBody
	return nil
}

func (q *query) divide(values url.Values) {
	for name := range values {
		if param, ok := strings.CutPrefix(name, "param_"); ok {
			q.params[param] = values.Get(name)
		} else if !notSettings[name] {
			q.settings[name] = values.Get(name)
		}
	}
}

// readBody takes the query from the parameter, the body, or both. The body is the
// data of an insert whose text is in the parameter.
func (q *query) readBody(r *http.Request, text string) error {
	body, err := decompress(r)
	if err != nil {
		return err
	}
	// All of it, because the engine does not survive every insert that is cancelled.
	rest, err := io.ReadAll(body)
	if err != nil {
		return exception(210, "NETWORK_ERROR", "the client went away before the end of the data")
	}
	q.text = text
	if _, _, ok := splitInsert(text); ok {
		q.data = rest
	} else if len(rest) > 0 {
		q.text = strings.TrimPrefix(text+"\n"+string(rest), "\n")
	}
	return nil
}

func decompress(r *http.Request) (io.Reader, error) {
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "":
		return r.Body, nil
	case "gzip":
		return gzip.NewReader(r.Body)
	case "zstd":
		return zstd.NewReader(r.Body)
	default:
		return nil, exception(48, "NOT_IMPLEMENTED", "this server does not know the encoding "+encoding)
	}
}

var insertWithFormat = regexp.MustCompile(`(?is)^(\s*INSERT\s.*?)\bFORMAT\s+(\w+)\s*;?\s*$`)

// splitInsert splits the text of an insert from the format of its data.
func splitInsert(text string) (statement, format string, ok bool) {
	parts := insertWithFormat.FindStringSubmatch(text)
	if parts == nil {
		return "", "", false
	}
	return parts[1], parts[2], true
}

// run runs a query until it ends or, if the client wishes so, goes away.
func (f *front) run(ctx context.Context, q *query) (result, error) {
	if q.data != nil {
		statement, format, _ := splitInsert(q.text)
		lasting, own := q.insertSettings()
		return f.pool.with(q.database, lasting, func(c *connection) (result, error) {
			return c.insert(statement+own, format, q.params, q.data)
		})
	}
	return f.pool.with(q.database, q.settings, func(c *connection) (result, error) {
		mark := fmt.Sprintf("/* query %d of the front */ ", f.queries.Add(1))
		if q.settings["cancel_http_readonly_queries_on_client_close"] != "1" {
			return c.query(mark+q.text, q.format, q.params)
		}
		killed := make(chan struct{})
		stop := context.AfterFunc(ctx, func() { defer close(killed); f.kill(mark) })
		found, err := c.query(mark+q.text, q.format, q.params)
		if !stop() {
			<-killed
			return result{}, exception(394, "QUERY_WAS_CANCELLED", "the client went away")
		}
		return found, err
	})
}

// insertSettings divides the settings of an insert into those that its connection
// must have and those that are part of the statement. Most inserts have one that
// differs, their token, and setting it on the connection would be another query.
func (q *query) insertSettings() (lasting map[string]string, own string) {
	readonly, others := map[string]string{}, maps.Clone(q.settings)
	if value, ok := others["readonly"]; ok {
		readonly["readonly"] = value
		delete(others, "readonly")
	}
	if len(others) == 0 {
		return readonly, ""
	}
	return readonly, " SETTINGS " + assignments(others, literal)
}

// kill cancels the query that begins with the mark. An error is not reported:
// there is nobody to report it to.
func (f *front) kill(mark string) {
	_, _ = f.pool.with("default", nil, func(c *connection) (result, error) {
		return c.query("KILL QUERY WHERE startsWith(query, "+literal(mark)+") ASYNC", "Null", nil)
	})
}
