package clickhouse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"
)

// client speaks ClickHouse's HTTP interface.
type client struct {
	*address
	http *http.Client
	// preferred is the host that answered last.
	preferred atomic.Int64
}

// connectTime limits how long a host may take to accept a connection.
const connectTime = 5 * time.Second

func newClient(a *address) *client {
	dialer := &net.Dialer{Timeout: connectTime, KeepAlive: 15 * time.Second}
	return &client{address: a, http: &http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: connectTime, ForceAttemptHTTP2: false,
			MaxIdleConnsPerHost: 32, IdleConnTimeout: 2 * time.Second, // the server closes idle connections after 3 s
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// statement is something that the database is asked to do.
type statement struct {
	sql      string
	values   []string // of the parameters p1, p2, …
	settings url.Values
	rows     []byte // of an insert
}

// largestLookup is the number of keys from a subquery up to which the index is asked
// for each. Beyond it, reading the column takes less time.
const largestLookup = 1000

// readSettings are those of queries, which end when nobody waits for them. Nulls
// behave as in other databases: in joins, casts and groups.
func (c *client) readSettings() url.Values {
	settings := url.Values{
		"readonly": {"2"}, "cancel_http_readonly_queries_on_client_close": {"1"}, "join_use_nulls": {"1"}, "cast_keep_nullable": {"1"},
		"group_by_use_nulls": {"1"}, "enable_positional_arguments": {"0"},
		"use_index_for_in_with_subqueries_max_values": {strconv.Itoa(largestLookup)},
		"max_execution_time":                          {strconv.FormatFloat(c.timeout.Seconds(), 'f', -1, 64)}, "max_memory_usage": {strconv.FormatInt(c.memory, 10)},
	}
	if c.quorum != "" {
		settings.Set("select_sequential_consistency", "1")
	}
	return settings
}

// read runs a query and calls scan for each row.
func (c *client) read(ctx context.Context, q *sqlQuery, scan func(*rowReader) error) error {
	body, err := c.run(ctx, statement{sql: q.text(), values: q.values, settings: c.readSettings()})
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // everything was read, or the error says why not
	if err := scanAll(body, scan); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("read the answer of ClickHouse: %w", err)
	}
	return nil
}

func scanAll(body io.Reader, scan func(*rowReader) error) error {
	rows, err := newRowReader(body)
	if err != nil {
		return err
	}
	for {
		more, err := rows.next()
		if err != nil || !more {
			return err
		}
		if err := scan(rows); err != nil {
			return err
		}
	}
}

// readRow runs a query that returns one row at most, and reports whether it did.
func (c *client) readRow(ctx context.Context, q *sqlQuery, targets ...any) (found bool, err error) {
	err = c.read(ctx, q, func(rows *rowReader) error {
		found = true
		return rows.scan(targets...)
	})
	return found, err
}

// exec runs a statement without an answer.
func (c *client) exec(ctx context.Context, s statement) error {
	body, err := c.run(ctx, s)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, body)
	return errors.Join(err, body.Close())
}

// run sends a statement to the host that answered last, and to the others if it
// is not there. All statements may be run twice.
func (c *client) run(ctx context.Context, s statement) (io.ReadCloser, error) {
	first := c.preferred.Load()
	var last error
	for i := range c.hosts {
		at := (int(first) + i) % len(c.hosts)
		body, err := c.runOn(ctx, c.hosts[at], s)
		if err == nil {
			c.preferred.Store(int64(at))
			return body, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		last = err
		if !isAway(err) {
			break
		}
	}
	return nil, last
}

func (c *client) runOn(ctx context.Context, host string, s statement) (io.ReadCloser, error) {
	request, err := c.request(ctx, host, s)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, &awayError{sent: !isDial(err), cause: hideURL(err)}
	}
	if response.StatusCode == http.StatusOK {
		return answer{response.Body}, nil
	}
	text, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // the status says enough
	_ = response.Body.Close()
	return nil, newServerError(response, text)
}

// answer is that of a host. If it breaks off, the host is away.
type answer struct{ io.ReadCloser }

func (a answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &awayError{sent: true, cause: err}
	}
	return n, err
}

// request puts an insert's rows into the body, and everything else into a form,
// whose size is not limited as that of a URL is.
func (c *client) request(ctx context.Context, host string, s statement) (*http.Request, error) {
	settings := url.Values{"database": {c.database}, "wait_end_of_query": {"1"}, "default_format": {"RowBinaryWithNamesAndTypes"}}
	for name, values := range s.settings {
		settings[name] = values
	}
	body, contentType := s.rows, "application/octet-stream"
	if s.rows != nil {
		settings.Set("query", s.sql)
	} else {
		var err error
		if body, contentType, err = form(s); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, host+"?"+settings.Encode(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("request to ClickHouse: %w", hideURL(err))
	}
	request.SetBasicAuth(c.user, c.password)
	request.Header.Set("Content-Type", contentType)
	return request, nil
}

func form(s statement) (body []byte, contentType string, err error) {
	var buffer bytes.Buffer
	w := multipart.NewWriter(&buffer)
	err = w.WriteField("query", s.sql)
	for i, value := range s.values {
		err = errors.Join(err, w.WriteField("param_p"+strconv.Itoa(i+1), value))
	}
	err = errors.Join(err, w.Close())
	return buffer.Bytes(), w.FormDataContentType(), err
}
