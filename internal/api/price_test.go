package api_test

import (
	"fmt"
	"math"
	"net/http"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

const priceTimes = `"request_start_time":"2026-03-10T08:00:00Z","request_end_time":"2026-03-10T08:00:01Z"`

// priceOf returns the price of a log, and whether the filter language knows it.
func (w *world) priceOf(t *testing.T, who string, id float64) (usd float64, known bool) {
	t.Helper()
	detail := w.must(t, http.StatusOK, who, http.MethodGet, fmt.Sprintf("/api/public/v2/requests/%.0f", id), "")
	found := w.must(t, http.StatusOK, who, http.MethodPost, searchPath, fmt.Sprintf(
		`{"filter_group":{"filters":[{"field":"pl_id","operator":"is","value":%.0f},{"field":"cost","operator":"is_not_null"}]}}`, id))
	return detail["price"].(float64), found["total"].(float64) == 1
}

// TestLogsWithoutAPriceGetOne logs requests in every way.
func TestLogsWithoutAPriceGetOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, pricesPath, `{"provider":"house","model":"m*","valid_from":"2026-03-01","input":1,"output":2}`)
	const track = `{"function_name":"anthropic.messages.create","kwargs":{"model":"%s","messages":[]},` + priceTimes + `,"request_response":{"usage":%s}}`
	log := func(providerName, model, more string) string {
		return `{"provider":"` + providerName + `","model":"` + model + `","input":` + chatBody + `,"output":` + chatBody + `,` + priceTimes + more + `}`
	}
	const million = `,"input_tokens":1000000,"output_tokens":1000000`
	for name, test := range map[string]struct {
		path, body string
		status     int
		want       float64
		known      bool
	}{
		"tracked, with a cache":  {"/track-request", fmt.Sprintf(track, "claude-sonnet-4-5", `{"input_tokens":10,"cache_read_input_tokens":90,"output_tokens":5}`), 200, (10*3 + 90*0.3 + 5*15) / 1e6, true},
		"tracked, unknown model": {"/track-request", fmt.Sprintf(track, "claude-none", `{"input_tokens":10,"output_tokens":5}`), 200, 0, false},
		"tracked, no usage":      {"/track-request", fmt.Sprintf(track, "claude-sonnet-4-5", `null`), 200, 0, false},
		"logged":                 {"/log-request", log("openai", "gpt-4o", million), 201, 12.5, true},
		"logged, a sent price":   {"/log-request", log("openai", "gpt-4o", million+`,"price":0.5`), 201, 0.5, true},
		"logged, a sent 0":       {"/log-request", log("openai", "gpt-4o", million+`,"price":0`), 201, 0, true},
		"logged, no tokens":      {"/log-request", log("openai", "gpt-4o", ``), 201, 0, false},
		"logged, unknown model":  {"/log-request", log("openai", "none", million), 201, 0, false},
		"logged, a custom price": {"/log-request", log("house", "m1", million), 201, 3, true},
		"logged, with a usage":   {"/log-request", log("openai", "gpt-4o", `,"usage":{"prompt_tokens":1000000,"prompt_tokens_details":{"cached_tokens":1000000}}`), 201, 1.25, true},
	} {
		answer := w.post(t, test.status, test.path, test.body)
		usd, known := w.priceOf(t, "home", answer["request_id"].(float64))
		if math.Abs(usd-test.want) > 1e-12 || known != test.known {
			t.Errorf("%s: price %v, known %v, want %v, %v", name, usd, known, test.want, test.known)
		}
	}
	many := w.post(t, http.StatusCreated, "/log-requests", `{"requests":[`+log("house", "m1", million)+`,`+log("house", "m1", million+`,"price":7`)+`]}`)
	for i, want := range []float64{3, 7} {
		usd, _ := w.priceOf(t, "home", many["results"].([]any)[i].(map[string]any)["id"].(float64))
		same(t, "price in a batch", usd, want)
	}
	theirs := w.must(t, http.StatusCreated, "away", http.MethodPost, "/log-request", log("house", "m1", million))
	_, known := w.priceOf(t, "away", theirs["request_id"].(float64))
	same(t, "the price holds in another workspace", known, false)
}

// TestCacheRatio checks the counts of a provider that does not count cached input
// as input.
func TestCacheRatio(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusOK, "/track-request", `{"function_name":"anthropic.messages.create","kwargs":{"model":"claude-sonnet-4-5","messages":[]},`+priceTimes+
		`,"request_response":{"usage":{"input_tokens":10,"cache_read_input_tokens":90,"cache_creation_input_tokens":0,"output_tokens":5}}}`)
	got := w.post(t, http.StatusOK, analyticsPath, `{}`)
	same(t, "totals", []any{got["totalTokens"], got["totalCachedTokens"], got["cacheTokenRatio"]}, []any{105.0, 90.0, 0.9})
}

// TestUnpricedModels lists the models that need a price, until they have one.
func TestUnpricedModels(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	log := func(who, model, more string) {
		w.must(t, http.StatusCreated, who, http.MethodPost, "/log-request",
			`{"provider":"house","model":"`+model+`","input":`+chatBody+`,"output":`+chatBody+`,`+priceTimes+more+`}`)
	}
	log("home", "one", `,"input_tokens":5,"output_tokens":2`)
	log("home", "two", `,"input_tokens":10`)
	log("home", "two", `,"input_tokens":20,"output_tokens":1`)
	log("home", "priced", `,"input_tokens":20,"price":0`)
	log("home", "none", ``)
	log("home", "zero", `,"input_tokens":0,"output_tokens":0`)
	log("away", "theirs", `,"input_tokens":5`)
	want := func(models string) {
		t.Helper()
		got := w.must(t, http.StatusOK, "home", http.MethodGet, pricesPath+"/unpriced", "")
		same(t, "models", toJSON(t, got["models"]), models)
	}
	want(`[{"input_tokens":30,"model":"two","output_tokens":1,"provider":"house","requests":2},{"input_tokens":5,"model":"one","output_tokens":2,"provider":"house","requests":1}]`)
	w.post(t, http.StatusCreated, pricesPath, `{"provider":"house","model":"two","input":1,"output":1}`)
	log("home", "two", `,"input_tokens":20`)
	want(`[{"input_tokens":30,"model":"two","output_tokens":1,"provider":"house","requests":2},{"input_tokens":5,"model":"one","output_tokens":2,"provider":"house","requests":1}]`)
}

// TestPricesAsCSV exports custom prices and imports them into another workspace.
func TestPricesAsCSV(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, pricesPath, `{"provider":"house","model":"a,b","valid_from":"2026-01-01","input":0.5,"output":1,"cache_read":0}`)
	exported := func(who string) string {
		answer, err := w.send(who, http.MethodGet, pricesPath+"/export?format=csv", nil)
		check.OK(t, err)
		same(t, "status", answer.status, http.StatusOK)
		return string(answer.body)
	}
	file := exported("home")
	same(t, "file", file, "provider,model,valid_from,input,output,cache_read,cache_write,cache_write_1h,reasoning,batch_input,batch_output\n"+
		"house,\"a,b\",2026-01-01T00:00:00Z,0.5,1,0,,,,,\n")
	w.must(t, http.StatusOK, "away", http.MethodPost, pricesPath+"/import", `{"csv":`+toJSON(t, file)+`}`)
	same(t, "imported", exported("away"), file)
}
