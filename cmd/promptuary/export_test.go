package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// exportStub answers every export with the parameters that it got. With a column
// "broken", it breaks off, with "damaged" it leaves out rows.
func exportStub(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if r.Header.Get("X-API-KEY") != "secret" || query.Get("format") == "xlsx" {
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write([]byte(`{"message":"format: Input should be 'jsonl'"}`))
		return
	}
	w.Header().Set("Trailer", "X-Export-Rows, X-Export-Damaged")
	_, _ = w.Write([]byte(r.URL.Path + " " + query.Encode() + strings.Repeat(" ", 10_000)))
	damaged := "0"
	switch query.Get("columns") {
	case "broken":
		panic(http.ErrAbortHandler)
	case "silent":
		return
	case "damaged":
		damaged = "3"
	}
	w.Header().Set("X-Export-Rows", "7")
	w.Header().Set("X-Export-Damaged", damaged)
}

func TestExportCommand(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(exportStub))
	t.Cleanup(server.Close)
	tests := map[string]struct {
		args []string
		// out and fails are parts of the output and the error.
		out, fails string
	}{
		"logs": {
			[]string{"logs", "--query", `{"q": "a b"}`, "--format", "csv", "--compression", "gzip", "--columns", "id,price", "--keep-formulas", "--workspace-id", "3"},
			"/api/public/v2/requests/export columns=id%2Cprice&compression=gzip&format=csv&formulas=keep&query=%7B%22q%22%3A+%22a+b%22%7D&workspace_id=3", "",
		},
		"traces":     {[]string{"traces", "--format", "parquet"}, "/api/public/v2/traces/export format=parquet", ""},
		"dataset":    {[]string{"dataset", "12"}, "/api/public/v2/datasets/12/export format=jsonl", ""},
		"evaluation": {[]string{"evaluation", "13"}, "/api/public/v2/evaluations/13/export format=jsonl", ""},
		"audit": {
			[]string{"audit", "--installation", "--action", "publish", "--from", "2026-03-01T00:00:00Z"},
			"/api/admin/audit/export action=publish&format=jsonl&from=2026-03-01T00%3A00%3A00Z&installation=true", "",
		},
		"not an id":  {[]string{"dataset", "x"}, "", `"x" is not an id`},
		"refused":    {[]string{"logs", "--format", "xlsx"}, "", "server returned 422: format: Input should be 'jsonl'"},
		"broken off": {[]string{"logs", "--columns", "broken"}, "", "the file is not complete"},
		"no trailer": {[]string{"logs", "--columns", "silent"}, "", "may not be complete"},
		"damaged":    {[]string{"logs", "--columns", "damaged"}, "", "3 rows can no longer be read"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, progress bytes.Buffer
			cmd := newExportCommand()
			cmd.SetArgs(append(test.args, "--server", server.URL+"/", "--key", "secret"))
			cmd.SetOut(&out)
			cmd.SetErr(&progress)
			cmd.SilenceUsage = true
			err := cmd.ExecuteContext(t.Context())
			if test.fails == "" {
				check.OK(t, err)
				check.Equal(t, "output", strings.TrimSpace(out.String()), test.out)
				check.Equal(t, "progress", strings.HasPrefix(progress.String(), "Exported 7 rows, "), true)
			} else if err == nil || !strings.Contains(err.Error(), test.fails) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
