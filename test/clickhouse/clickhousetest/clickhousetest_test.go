package clickhousetest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// reply is what a server answers.
type reply struct {
	Status    int
	Exception string
	Body      string
}

// request sends a request to the server of an address. Parameters are added to
// those of the address.
func request(ctx context.Context, t *testing.T, address string, params url.Values, body string) (reply, error) {
	t.Helper()
	target := check.Must(url.Parse(address))(t)
	values := url.Values{"database": {strings.TrimPrefix(target.Path, "/")}}
	for name := range params {
		values.Set(name, params.Get(name))
	}
	endpoint := url.URL{Scheme: "http", Host: target.Host, Path: "/", RawQuery: values.Encode()}
	r := check.Must(http.NewRequestWithContext(ctx, http.MethodPost, endpoint.String(), strings.NewReader(body)))(t)
	password, _ := target.User.Password()
	r.Header.Set("X-ClickHouse-User", target.User.Username())
	r.Header.Set("X-ClickHouse-Key", password)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, response.Header.Get("X-ClickHouse-Exception-Code"), string(text)}, err
}

// answers fails the test unless the server answers with the text.
func answers(t *testing.T, address string, params url.Values, body, want string) {
	t.Helper()
	got := check.Must(request(t.Context(), t, address, params, body))(t)
	check.Equal(t, body, got, reply{http.StatusOK, "", want})
}

// throws fails the test unless the server answers with the status and the code of
// an exception.
func throws(t *testing.T, address string, params url.Values, body string, status int, code string) {
	t.Helper()
	got := check.Must(request(t.Context(), t, address, params, body))(t)
	check.Equal(t, body, got, reply{status, code, got.Body})
}

func query(text string) url.Values { return url.Values{"query": {text}} }

func TestQueriesHaveParametersSettingsAndFormats(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	answers(t, address, nil, "SELECT 1, 'a'", "1\ta\n")
	answers(t, address, query("SELECT 1, 'a'"), "", "1\ta\n")
	answers(t, address, nil, "SELECT 1 AS x FORMAT JSONEachRow", `{"x":1}`+"\n")
	answers(t, address, url.Values{"default_format": {"JSONCompactEachRow"}}, "SELECT 1, 'a'", `[1, "a"]`+"\n")
	answers(t, address, nil, "SELECT toUInt16(258), 'a\\0b' FORMAT RowBinary", "\x02\x01\x03a\x00b")
	answers(t, address, url.Values{"param_text": {`it's {x:String} \\ ; --`}, "param_list": {`['a','b\'c']`}, "param_none": {`\N`}},
		"SELECT {text:String}, {list:Array(String)}, {none:Nullable(Int64)} FORMAT JSONCompactEachRow", `["it's {x:String} \\ ; --", ["a","b'c"], null]`+"\n")
	answers(t, address, url.Values{"max_block_size": {"77"}}, "SELECT getSetting('max_block_size')", "77\n")
	answers(t, address, nil, "SELECT getSetting('max_block_size') = 77", "0\n")
}

func TestQueriesCanComeInForms(t *testing.T) {
	t.Parallel()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	check.OK(t, w.WriteField("query", "SELECT {text:String}, getSetting('max_block_size')"))
	check.OK(t, w.WriteField("param_text", "it's"))
	check.OK(t, w.Close())
	target := check.Must(url.Parse(clickhousetest.Start(t)))(t)
	endpoint := url.URL{Scheme: "http", Host: target.Host, User: target.User, RawQuery: "max_block_size=77&readonly=2"}
	for range 3 { // also on a connection that was used before
		response, err := http.Post(endpoint.String(), w.FormDataContentType(), bytes.NewReader(form.Bytes()))
		check.OK(t, err)
		check.Equal(t, "answer", string(check.Must(io.ReadAll(response.Body))(t)), "it\\'s\t77\n")
		check.OK(t, response.Body.Close())
	}
}

func TestInsertsTakeBinaryDataOnce(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	answers(t, address, nil, "CREATE TABLE t (id UInt16, text String) ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 100", "")
	insert := url.Values{"query": {"INSERT INTO t (id, text) FORMAT RowBinary"}, "insert_deduplication_token": {"one"}}
	for range 2 {
		answers(t, address, insert, "\x01\x00\x03a\x00b\x02\x00\x00", "")
	}
	answers(t, address, nil, "SELECT id, text FROM t ORDER BY id FORMAT JSONCompactEachRow", "[1, \"a\\u0000b\"]\n[2, \"\"]\n")
	throws(t, address, insert, "\x01", http.StatusInternalServerError, "33")
	answers(t, address, nil, "INSERT INTO t VALUES (3, 'c')", "")
	answers(t, address, nil, "SELECT count() FROM t", "3\n")
}

// A client that goes away before the end of its data has stored nothing.
func TestInsertsAreWholeOrNothing(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	answers(t, address, nil, "CREATE TABLE t (id UInt16) ENGINE = MergeTree ORDER BY id", "")
	target := check.Must(url.Parse(address))(t)
	values := url.Values{"database": {target.Path[1:]}, "query": {"INSERT INTO t (id) FORMAT RowBinary"}}
	endpoint := url.URL{Scheme: "http", Host: target.Host, User: target.User, Path: "/", RawQuery: values.Encode()}
	reader, writer := io.Pipe()
	go func() {
		_, _ = writer.Write(bytes.Repeat([]byte{1, 0}, 1<<16))
		_ = writer.CloseWithError(io.ErrUnexpectedEOF)
	}()
	if response, err := http.Post(endpoint.String(), "", reader); err == nil {
		t.Errorf("answered %s", response.Status)
		check.OK(t, response.Body.Close())
	}
	inserting := "SELECT count() FROM system.processes WHERE position(query, 'INSERT INTO t (id)') > 0 AND position(query, 'processes') = 0"
	check.Eventually(t, "the insert to end", func() bool { return check.Must(clickhousetest.Query(address, inserting))(t) == "0\n" })
	answers(t, address, nil, "SELECT count() FROM t", "0\n")
}

func TestExceptionsHaveCodesAndStatuses(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	throws(t, address, nil, "SELECT FROM WHERE", http.StatusBadRequest, "62")
	throws(t, address, nil, "SELECT * FROM missing", http.StatusNotFound, "60")
	throws(t, address, query("INSERT INTO missing FORMAT RowBinary"), "x", http.StatusNotFound, "60")
	throws(t, address, url.Values{"database": {"missing"}}, "SELECT 1", http.StatusNotFound, "81")
	throws(t, address, url.Values{"missing": {"1"}}, "SELECT 1", http.StatusNotFound, "115")
	throws(t, address, nil, "SELECT {missing:String}", http.StatusInternalServerError, "456")
	throws(t, address, url.Values{"max_execution_time": {"0.1"}}, "SELECT sum(cityHash64(number)) FROM numbers(1000000000000)", http.StatusRequestTimeout, "159")
	throws(t, strings.Replace(address, "://", "://nobody", 1), nil, "SELECT 1", http.StatusForbidden, "516")
	wrong := check.Must(url.Parse(address))(t)
	wrong.User = url.UserPassword(wrong.User.Username(), "wrong")
	throws(t, wrong.String(), nil, "SELECT 1", http.StatusForbidden, "516")
}

func TestReadersCannotWrite(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	proxy := clickhousetest.NewProxy(t, address)
	proxy.Break(clickhousetest.ReadOnly, -1)
	answers(t, proxy.Address, nil, "SELECT 1", "1\n")
	throws(t, proxy.Address, nil, "CREATE TABLE t (id Int8) ENGINE = Memory", http.StatusInternalServerError, "164")
	answers(t, address, nil, "CREATE TABLE t (id Int8) ENGINE = Memory", "")
}

func TestQueriesEndWhenTheClientGoesAway(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	mark := strings.TrimPrefix(check.Must(url.Parse(address))(t).Path, "/")
	processes := "SELECT count() FROM system.processes WHERE position(query, '" + mark + "') > 0 AND position(query, 'processes') = 0"
	running := func() string { return check.Must(clickhousetest.Query(address, processes))(t) }
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := request(ctx, t, address, url.Values{"cancel_http_readonly_queries_on_client_close": {"1"}},
			"SELECT '"+mark+"', sum(cityHash64(number)) FROM numbers(1000000000000)")
		ended <- err
	}()
	check.Eventually(t, "the query to run", func() bool { return running() == "1\n" })
	leave()
	if <-ended == nil {
		t.Error("the query ended by itself")
	}
	check.Eventually(t, "the query to end", func() bool { return running() == "0\n" })
}

func TestCancelledQueriesLeaveNothing(t *testing.T) {
	t.Parallel()
	server := check.Must(clickhousetest.Launch())(t)
	defer func() { check.OK(t, server.Stop()) }()
	cancels := url.Values{"cancel_http_readonly_queries_on_client_close": {"1"}}
	for round := range 30 {
		ctx, leave := context.WithTimeout(t.Context(), time.Duration(1+round%10)*5*time.Millisecond)
		_, _ = request(ctx, t, server.Address, cancels, "SELECT toString(number) AS x FROM numbers(1000000) ORDER BY x LIMIT 500000") // it may end in time
		leave()
		for range 3 {
			answers(t, server.Address, cancels, "SELECT 1", "1\n")
		}
	}
}

func TestProxyInjectsFaults(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	proxy := clickhousetest.NewProxy(t, address)
	answers(t, proxy.Address, nil, "CREATE TABLE t (id Int8) ENGINE = MergeTree ORDER BY id", "")
	fails := func() {
		t.Helper()
		if _, err := request(t.Context(), t, proxy.Address, nil, "INSERT INTO t VALUES (1)"); err == nil {
			t.Error("the proxy answered")
		}
	}
	proxy.Break(clickhousetest.Away, 1, "insert")
	answers(t, proxy.Address, nil, "SELECT 1", "1\n")
	fails()
	answers(t, address, nil, "SELECT count() FROM t", "0\n")
	proxy.Break(clickhousetest.LosesAnswer, 1)
	fails()
	answers(t, proxy.Address, nil, "SELECT count() FROM t", "1\n")
	proxy.Break(clickhousetest.DiskFull, -1)
	throws(t, proxy.Address, nil, "INSERT INTO t VALUES (1)", http.StatusInternalServerError, "243")
	proxy.Break(clickhousetest.Fails, -1)
	throws(t, proxy.Address, nil, "SELECT 1", http.StatusInternalServerError, "")
	proxy.Break(clickhousetest.Answers("20.1\n"), 1, "SELECT version()")
	answers(t, proxy.Address, nil, "SELECT version()", "20.1\n")
	ctx, leave := context.WithCancel(t.Context())
	proxy.Break(func(p *clickhousetest.Proxy, w http.ResponseWriter, r *http.Request) {
		leave()
		clickhousetest.Hangs(p, w, r)
	}, 1)
	if _, err := request(ctx, t, proxy.Address, nil, "SELECT 1"); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that hangs returned %v", err)
	}
	proxy.Heal()
	answers(t, proxy.Address, nil, "SELECT 1", "1\n")
}
