package api_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/export"
)

const exportPath = "/api/public/v2/requests/export"

// exportWorld returns a world with request logs in both workspaces.
func exportWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, settings{})
	w.must(t, http.StatusCreated, "home", http.MethodPost, "/log-request", richLog)
	for i := range 3 {
		w.must(t, http.StatusCreated, "home", http.MethodPost, "/log-request", fmt.Sprintf(`{"function_name": "=f%d", `, i)+strings.Replace(smallLog, `"m"`, fmt.Sprintf(`"m%d"`, i), 1)[1:])
	}
	w.must(t, http.StatusCreated, "away", http.MethodPost, "/log-request", smallLog)
	return w
}

// exported returns the response to an export.
func (w *world) exported(t *testing.T, who, query string) reply {
	t.Helper()
	got, err := w.send(who, http.MethodGet, exportPath+query, nil)
	check.OK(t, err)
	check.Equal(t, "status of "+query, got.status, http.StatusOK)
	return got
}

// TestExportedLines compares a line of an export with what was logged.
func TestExportedLines(t *testing.T) {
	t.Parallel()
	w := exportWorld(t)
	got := w.exported(t, "home", "?columns="+strings.Join(export.LogColumns, ","))
	check.Equal(t, "all columns", string(w.exported(t, "home", "").body), string(got.body))
	check.Equal(t, "media type", got.header.Get("Content-Type"), "application/x-ndjson")
	check.Equal(t, "file name", got.header.Get("Content-Disposition"), `attachment; filename="request-logs.jsonl"`)
	lines := strings.Split(strings.TrimSuffix(string(got.body), "\n"), "\n")
	check.Equal(t, "number of lines", len(lines), 4)
	golden := filepath.Join("testdata", "export_line.json")
	var pretty bytes.Buffer
	check.OK(t, json.Indent(&pretty, []byte(lines[0]), "", "  "))
	pretty.WriteByte('\n')
	if *update {
		check.OK(t, os.WriteFile(golden, pretty.Bytes(), 0o600))
	}
	check.Equal(t, "line", pretty.String(), string(check.Must(os.ReadFile(golden))(t)))
}

func TestExportsWhatMatches(t *testing.T) {
	t.Parallel()
	w := exportWorld(t)
	ids := func(who, query string) (found []float64) {
		for line := range strings.Lines(string(w.exported(t, who, query).body)) {
			var one map[string]float64
			check.OK(t, json.Unmarshal([]byte(line), &one))
			found = append(found, one["id"])
		}
		return found
	}
	check.Equal(t, "all", ids("home", "?columns=id"), []float64{firstID, firstID + 1, firstID + 2, firstID + 3})
	check.Equal(t, "of another workspace", ids("away", "?columns=id"), []float64{firstID + 4})
	check.Equal(t, "of a chosen workspace", ids("owner", "?columns=id&workspace_id=2"), []float64{firstID + 4})
	filter := `{"filter_group": {"filters": [{"field": "engine", "operator": "is", "value": "m1"}]}}`
	check.Equal(t, "matching", ids("home", "?columns=id&query="+url.QueryEscape(filter)), []float64{firstID + 2})
	check.Equal(t, "behind an id", ids("home", fmt.Sprintf("?columns=id&after_id=%d", firstID+1)), []float64{firstID + 2, firstID + 3})
	last := w.exported(t, "home", fmt.Sprintf("?columns=id&after_id=%d", firstID+4))
	check.Equal(t, "nothing new", string(last.body), "")
	check.Equal(t, "the last id", last.header.Get("X-Export-Last-Id"), fmt.Sprint(firstID+4))
	check.Equal(t, "none", ids("home", "?columns=id&query="+url.QueryEscape(`{"q": "nobody wrote this"}`)), nil)
}

func TestExportFormats(t *testing.T) {
	t.Parallel()
	w := exportWorld(t)
	table := w.exported(t, "home", "?format=csv&columns=function_name,id&compression=gzip")
	unpacked := check.Must(gzip.NewReader(bytes.NewReader(table.body)))(t)
	rows := check.Must(csv.NewReader(unpacked).ReadAll())(t)
	check.Equal(t, "names", rows[0], []string{"function_name", "id"})
	check.Equal(t, "a formula", rows[2], []string{"'=f0", fmt.Sprint(firstID + 1)})
	table = w.exported(t, "home", "?format=csv&columns=function_name,id&formulas=keep")
	rows = check.Must(csv.NewReader(bytes.NewReader(table.body)).ReadAll())(t)
	check.Equal(t, "a kept formula", rows[2], []string{"=f0", fmt.Sprint(firstID + 1)})
	file := w.exported(t, "home", "?format=parquet").body
	opened := check.Must(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))(t)
	check.Equal(t, "rows of Parquet", opened.NumRows(), 4)
	check.Equal(t, "columns of Parquet", len(opened.Schema().Fields()), len(export.LogColumns))
}

func TestExportTrailers(t *testing.T) {
	t.Parallel()
	w := exportWorld(t)
	r := check.Must(http.NewRequest(http.MethodGet, w.url+exportPath, nil))(t)
	r.Header.Set("X-API-KEY", w.keys["home"])
	answer, err := w.client.Do(r)
	check.OK(t, err)
	var body bytes.Buffer
	check.Must(body.ReadFrom(answer.Body))(t)
	check.OK(t, answer.Body.Close())
	check.Equal(t, "rows", answer.Trailer.Get("X-Export-Rows"), "4")
	check.Equal(t, "damaged", answer.Trailer.Get("X-Export-Damaged"), "0")
}

func TestExportIsAudited(t *testing.T) {
	t.Parallel()
	w := exportWorld(t)
	w.exported(t, "home", "?format=csv&columns=id&query="+url.QueryEscape(`{"q": "hello"}`))
	got, err := w.send("owner", http.MethodGet, auditPath+"?limit=1", nil)
	check.OK(t, err)
	var list struct {
		Entries []struct {
			Action, SubjectKind string
			Detail              json.RawMessage
		}
	}
	check.OK(t, json.Unmarshal(bytes.ReplaceAll(got.body, []byte("subject_kind"), []byte("SubjectKind")), &list))
	last := list.Entries[0]
	check.Equal(t, "action", last.Action, "export")
	check.Equal(t, "subject", last.SubjectKind, "REQUESTS")
	check.Equal(t, "detail", string(last.Detail), `{"columns":["id"],"format":"csv","query":{"q":"hello"}}`)
}

// saved returns the file at a path.
func (w *world) saved(t *testing.T, who, path string) string {
	t.Helper()
	got, err := w.send(who, http.MethodGet, path, nil)
	check.OK(t, err)
	check.Equal(t, "status of "+path, got.status, http.StatusOK)
	return string(got.body)
}

func TestExportedDatasetsAndRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	e := w.evaluate(t)
	path := fmt.Sprintf("/api/public/v2/datasets/%d/export", e.dataset)
	check.Equal(t, "a dataset", w.saved(t, "home", path), `{"q":"a b","a":"a"}`+"\n"+`{"q":"c","a":"c"}`+"\n")
	check.Equal(t, "columns of a dataset", w.saved(t, "home", path+"?format=csv&columns=a"), "a\na\nc\n")
	path = fmt.Sprintf("/api/public/v2/evaluations/%d/export", e.run)
	check.Equal(t, "a run", w.saved(t, "home", path), `{"q":"a b","a":"a","same":false,"words":2,"errors":null}`+"\n"+
		`{"q":"c","a":"c","same":true,"words":1,"errors":null}`+"\n")
	check.Equal(t, "a run as a table", w.saved(t, "home", path+"?format=csv"), "q,a,same,words,errors\na b,a,false,2,\nc,c,true,1,\n")
	for _, path := range []string{path, fmt.Sprintf("/api/public/v2/datasets/%d/export", e.dataset)} {
		got, err := w.send("away", http.MethodGet, path, nil)
		check.OK(t, err)
		check.Equal(t, "of another workspace", got.status, http.StatusNotFound)
	}
}

func TestExportedTraces(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	spans := []string{}
	for _, trace := range []string{"t1", "t2", "t3"} {
		spans = append(spans, spanBody(trace, trace+"-a", ""), spanBody(trace, trace+"-b", `,"parent_id":"`+trace+`-a"`))
	}
	w.must(t, http.StatusCreated, "home", http.MethodPost, "/spans-bulk", spansBody(strings.Join(spans, ",")))
	w.must(t, http.StatusCreated, "away", http.MethodPost, "/spans-bulk", spansBody(spanBody("t1", "theirs", "")))
	const path = "/api/public/v2/traces/export?format=csv&columns=trace_id,span_id"
	check.Equal(t, "all", w.saved(t, "home", path), "trace_id,span_id\nt1,t1-a\nt1,t1-b\nt2,t2-a\nt2,t2-b\nt3,t3-a\nt3,t3-b\n")
	check.Equal(t, "of another workspace", w.saved(t, "away", path), "trace_id,span_id\nt1,theirs\n")
	query := func(filter string) string { return path + "&query=" + url.QueryEscape(`{"filters":[`+filter+`]}`) }
	check.Equal(t, "matching", w.saved(t, "home", query(`{"field":"trace_id","operator":"in","value":["t1","t3"]}`)),
		"trace_id,span_id\nt1,t1-a\nt1,t1-b\nt3,t3-a\nt3,t3-b\n")
	check.Equal(t, "none", w.saved(t, "home", query(`{"field":"trace_id","operator":"is","value":"t4"}`)), "trace_id,span_id\n")
	line := strings.SplitN(w.saved(t, "home", "/api/public/v2/traces/export"), "\n", 3)[1]
	check.Equal(t, "line", line, `{"workspace_id":1,"trace_id":"t1","span_id":"t1-b","parent_id":"t1-a","trace_state":null,"name":"span t1-b","kind":"INTERNAL",`+
		`"type":null,"status":"OK","status_message":null,"start_time":"2026-03-15T10:00:00Z","end_time":"2026-03-15T10:00:01Z","duration_ms":1000,"model":null,`+
		`"tool_name":null,"user_id":null,"session_id":null,"request_span_id":"t1-b","schema_url":null,"attributes":null,"resource":null,"events":null,"links":null}`)
}

func TestExportedAuditLog(t *testing.T) {
	t.Parallel()
	w := auditWorld(t)
	entries := w.entries(t, "admin", "limit=1000")
	lines := strings.Split(strings.TrimSpace(w.saved(t, "admin", auditPath+"/export")), "\n")
	check.Equal(t, "number of lines", len(lines), len(entries))
	check.Equal(t, "ndjson", w.saved(t, "admin", auditPath+"/export?format=ndjson"), strings.Join(lines, "\n")+"\n")
	check.Equal(t, "columns", w.saved(t, "admin", auditPath+"/export?format=csv&columns=action,subject_name&action=create&subject_kind=folder&formulas=keep&limit=1")[:30],
		"action,subject_name\ncreate,'qu")
	last := w.entries(t, "owner", "installation=true&limit=1")[0]
	check.Equal(t, "audit entry", last.Action+" "+last.SubjectKind, "export AUDIT")
}
