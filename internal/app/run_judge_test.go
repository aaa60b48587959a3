package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// judgeModel answers with a verdict and its reason, and records the models that it
// is asked as.
func judgeModel(t *testing.T, asked chan<- string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Model string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		asked <- body.Model
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"1","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",`+
			`"content":"Sure: {\"reason\": \"It is short.\", \"verdict\": \"Good\"}"}}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestJudgeEndToEnd has a judge with a model of its own, whose verdict and reason
// are read, compared with that of a person, and exported.
func TestJudgeEndToEnd(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir())
	defer p.end()
	asked := make(chan string, 9)
	p.configure(judgeModel(t, asked))
	started := p.evaluate(`{"name":"judge","column_type":"LLM_ASSERTION","is_part_of_score":true,"configuration":{"source":"v","prompt":"p","reason":true,
		"scale":{"type":"choices","choices":[{"name":"good","score":80},{"name":"bad","score":0}]},"model":{"provider":"mistral","name":"judge-1"}}},
		{"name":"person","column_type":"HUMAN","configuration":{"wait":true,"input_type":"choice","choices":["Good","Bad"]}}`)
	run := fmt.Sprintf("/api/public/v2/evaluations/%v", started["report_id"])
	report := func() map[string]any {
		return p.object(http.MethodGet, fmt.Sprintf("/reports/%v", started["report_id"]), "")
	}
	check.Eventually(t, "the run waits", func() bool { return report()["status"] == "WAITING" })
	check.Equal(t, "model", <-asked, "judge-1")
	cell := p.object(http.MethodGet, run+"/rows", "")["rows"].([]any)[0].([]any)[1].(map[string]any)
	check.Equal(t, "verdict", cell, map[string]any{"type": "eval", "status": "PASSED", "value": "good", "reason": "It is short."})

	person := report()["report_columns"].([]any)[2].(map[string]any)["id"]
	p.object(http.MethodPost, run+"/answers", fmt.Sprintf(`{"position":0,"column_id":%v,"value":"Bad","comment":"I do not like it"}`, person))
	pair := p.object(http.MethodGet, run+"/agreement", "")["pairs"].([]any)[0].(map[string]any)
	check.Equal(t, "agreement", []any{pair["rows"], pair["agreed"], pair["percentage"], pair["disagreements"]}, []any{1.0, 0.0, 0.0, []any{0.0}})
	check.Eventually(t, "the run ends", func() bool { return report()["status"] == "COMPLETED" })
	check.Equal(t, "score", report()["report"].(map[string]any)["score"].(map[string]any)["overall_score"], any(80.0))

	line := check.Must(io.ReadAll(p.send(http.MethodGet, run+"/export", "")))(t)
	check.Equal(t, "export", string(line), `{"v":"x","judge":"good","person":"Bad","reasons":{"judge":"It is short."},"comments":{"person":"I do not like it"},"errors":null}`+"\n")
}
