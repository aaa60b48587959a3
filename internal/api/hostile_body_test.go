package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var buffer bytes.Buffer
	writer, err := gzip.NewWriterLevel(&buffer, gzip.BestSpeed)
	check.OK(t, err)
	_, err = io.WriteString(writer, text)
	check.OK(t, err)
	check.OK(t, writer.Close())
	return buffer.Bytes()
}

// members returns an object with that many members.
func members(count int) string {
	var text strings.Builder
	text.WriteByte('{')
	for i := range count {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `"k%d":%d`, i, i)
	}
	return text.String() + "}"
}

// with returns a small log with another member in front.
func with(member string) string { return `{` + member + `,` + smallLog[1:] }

// TestHostileBodies sends bodies that are disproportionately expensive to
// process.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{maxBody: 20 << 20})
	deep := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	path := strings.Repeat(`{"`+strings.Repeat("k", 1000)+`":`, 100)
	bomb := string(packed(t, with(`"x":"`+strings.Repeat("a", 60<<20)+`"`)))
	tests := []struct {
		name    string
		path    string
		body    string
		headers []string
		status  int
	}{
		{"100,000 levels", "/log-request", with(`"metadata":` + deep(100_000)), nil, 400},
		{"100,000 open objects", "/log-request", strings.Repeat(`{"a":`, 100_000), nil, 400},
		{"100,000 levels in an unknown member", searchPath, `{"x":` + deep(100_000) + `}`, nil, 400},
		{"150 levels", "/log-request", with(`"metadata":{"a":` + deep(150) + `}`), nil, 201},
		{"150 levels in parameters", "/log-request", with(`"parameters":{"a":` + deep(150) + `}`), nil, 201},
		{"1,000,000 metadata keys", "/log-request", with(`"metadata":` + members(1_000_000)), nil, 422},
		{"10,001 metadata keys on a log", "/rest/track-metadata", `{"request_id":1,"metadata":` + members(10_001) + `}`, nil, 422},
		{"10,001 metadata keys", "/log-request", with(`"metadata":` + members(10_001)), nil, 422},
		{"10,000 metadata keys", "/log-request", with(`"metadata":` + members(10_000)), nil, 201},
		{"keys that repeat a long path", "/log-request", with(`"metadata":` + path + `[` + strings.Repeat("1,", 9000) + `1]` + strings.Repeat("}", 100)), nil, 422},
		{"100,000 members of the body", searchPath, members(100_000), nil, 200},
		{"100,000 tags", "/log-request", with(`"tags":[` + strings.Repeat(`"a",`, 99_999) + `"a"]`), nil, 201},
		{"100,000 wrong tags", "/log-request", with(`"tags":[` + strings.Repeat(`1,`, 99_999) + `1]`), nil, 422},
		{"100,000 wrong messages", "/log-request", smallLog[:len(smallLog)-1] + `,"input":{"messages":[` + strings.Repeat(`1,`, 99_999) + `1]}}`, nil, 422},
		{"2,000,001 values", "/log-request", with(`"parameters":{"a":[` + strings.Repeat("1,", 2_000_000) + `1]}`), nil, 400},
		{"21 MiB", "/log-request", with(`"x":"` + strings.Repeat("a", 21<<20) + `"`), nil, 413},
		{"21 MiB without a key", "/track-request", with(`"x":"` + strings.Repeat("a", 21<<20) + `"`), []string{"X-API-KEY: "}, 401},
		{"19 MiB", "/log-request", with(`"parameters":{"x":"` + strings.Repeat("a", 19<<20) + `"}`), nil, 201},
		{"gzip", "/log-request", string(packed(t, smallLog)), []string{"Content-Encoding: gzip"}, 201},
		// A server that reads beyond the limit would find the body
		// incomplete.
		{"a gzip bomb", "/log-request", bomb[:len(bomb)/2], []string{"Content-Encoding: gzip"}, 413},
		{"half a gzip", "/log-request", string(packed(t, smallLog)[:20]), []string{"Content-Encoding: gzip"}, 400},
		{"invalid UTF-8 in a string", "/log-request", with("\"x\":\"\xff\""), nil, 400},
		{"invalid UTF-8 in a key", "/log-request", with("\"\xc3\x28\":1"), nil, 400},
		{"an encoded surrogate", "/log-request", with("\"x\":\"\xed\xa0\x80\""), nil, 400},
		{"half a surrogate pair", "/log-request", with(`"metadata":{"x":"\ud800"},"tags":["\udc00"]`), nil, 201},
		{"a byte order mark", "/log-request", "\ufeff" + smallLog, nil, 201},
		{"a control character", "/log-request", with("\"x\":\"\x01\""), nil, 400},
		{"a NUL behind the body", "/log-request", smallLog + "\x00", nil, 400},
		{"nothing but brackets", "/log-request", strings.Repeat("{", 1000), nil, 400},
		{"a long number", "/log-request", with(`"metadata":{"n":` + strings.Repeat("9", 100_000) + `},"a":0.` + strings.Repeat("1", 100_000)), nil, 201},
		{"a long number of tokens", "/log-request", with(`"input_tokens":` + strings.Repeat("9", 100_000)), nil, 422},
		{"a long exponent", "/log-request", with(`"price":1e-` + strings.Repeat("9", 10_000)), nil, 201},
		{"a model of a megabyte", "/log-request", `{"provider":"p","model":"` + strings.Repeat("m", 1<<20) + `",` + smallLog[len(`{"provider": "p", "model": "m", `):], nil, 201},
	}
	stored := int64(0)
	for _, tt := range tests {
		got, err := w.send("home", http.MethodPost, tt.path, []byte(tt.body), tt.headers...)
		check.OK(t, err)
		if got.status != tt.status {
			t.Errorf("%s is answered with %d %s, want %d", tt.name, got.status, clip(string(got.body)), tt.status)
		}
		if got.status >= 400 {
			checkErrorShape(t, got.status, got.body)
			if len(got.body) > 20_000 {
				t.Errorf("%s is answered with %d bytes", tt.name, len(got.body))
			}
		} else if tt.path == "/log-request" {
			stored++
		}
	}
	if total := w.total(t, "home"); total != stored {
		t.Errorf("%d logs are stored, %d were acknowledged", total, stored)
	}
	w.post(t, http.StatusOK, analyticsPath, `{}`)
}

// TestTooLargeWithTheKeyInTheBody covers a body that is too large to read the
// key from.
func TestTooLargeWithTheKeyInTheBody(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{maxBody: 1000})
	body := `{"x":"` + strings.Repeat("a", 1000) + `","api_key":"` + w.keys["home"] + `"}`
	w.must(t, http.StatusRequestEntityTooLarge, "nobody", http.MethodPost, "/track-request", body)
	w.must(t, http.StatusUnauthorized, "nobody", http.MethodPost, "/log-request", body)
	w.must(t, http.StatusRequestEntityTooLarge, "home", http.MethodPost, "/log-request", body)
}

// TestManyLogs covers batch sizes and result sets that are too large to list.
func TestManyLogs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	batch := func(count int) string {
		var logs []string
		for i := range count {
			text := map[bool]string{true: "even", false: "odd"}[i%2 == 0]
			logs = append(logs, `{"tags":["`+text+`"],"input":{"messages":[{"role":"user","content":[{"type":"text","text":"`+text+fmt.Sprint(" n", i)+`"}]}]},`+
				strings.Replace(smallLog, `"input": {"messages": []}, `, "", 1)[1:])
		}
		return `{"requests":[` + strings.Join(logs, ",") + `]}`
	}
	w.post(t, http.StatusUnprocessableEntity, "/log-requests", batch(1001))
	answer := w.post(t, http.StatusCreated, "/log-requests", batch(1000))
	last := float64(0)
	for i, result := range answer["results"].([]any) {
		id := result.(map[string]any)["id"].(float64)
		if id <= last {
			t.Fatalf("result %d has the id %v after %v", i, id, last)
		}
		last = id
	}
	tests := []struct {
		body string
		want float64
	}{
		{`{}`, 1000}, {`{"q":"even"}`, 500}, {`{"q":"od"}`, 500}, {`{"q":"even n500"}`, 1}, {`{"q":"n9"}`, 111},
		{filtered(leaf("input_text", "contains", `"odd n"`, "")), 500}, {filtered(leaf("input_text", "not_contains", `"odd"`, "")), 500},
		{filtered(leaf("input_text", "contains", `"n99"`, ""), leaf("tags", "contains", `"even"`, "")), 5},
	}
	for _, tt := range tests {
		if got := w.post(t, http.StatusOK, searchPath, tt.body); got["total"] != tt.want {
			t.Errorf("%s finds %v, want %v", tt.body, got["total"], tt.want)
		}
	}
	if got := w.searchIDs(t, "home", `{"q":"even","per_page":25,"page":20}`); len(got) != 25 {
		t.Errorf("page 20 has %d logs", len(got))
	}
}
