package api_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// hostileSpans are members of a span, with the status of /spans-bulk.
var hostileSpans = map[string]struct {
	members string
	status  int
}{
	"a key of 1 MB":      {`"attributes":{"` + strings.Repeat("k", 1<<20) + `":1}`, http.StatusUnprocessableEntity},
	"a value of 1 MB":    {`"attributes":{"k":"` + strings.Repeat("v", 1<<20) + `"}`, http.StatusCreated},
	"100,000 attributes": {`"attributes":{` + hundredThousand(`"k%d":1`) + `}`, http.StatusUnprocessableEntity},
	"100,000 events":     {`"attributes":{},"events":[` + hundredThousand(`%d`) + `]`, http.StatusUnprocessableEntity},
	"NUL":                {`"attributes":{"a\u0000b":"\u0000","__proto__":{"constructor":1}}`, http.StatusCreated},
	"half a character":   {`"attributes":{"a":"\ud800"}`, http.StatusCreated},
	"depth of 10,000":    {`"attributes":{"a":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`, http.StatusBadRequest},
	"its own parent":     {`"attributes":{},"parent_id":"s"`, http.StatusCreated},
	"a long time ago":    {`"attributes":{},"start_time":0,"end_time":9223372036854775807`, http.StatusCreated},
	"end before start":   {`"attributes":{},"start_time":9223372036854775807,"end_time":0`, http.StatusCreated},
	"times too large":    {`"attributes":{},"start_time":9223372036854775808`, http.StatusUnprocessableEntity},
	"a name of 1 MB":     {`"attributes":{},"name":"` + strings.Repeat("n", 1<<20) + `"`, http.StatusUnprocessableEntity},
	"an id of 1 MB":      {`"attributes":{},"parent_id":"` + strings.Repeat("n", 1<<20) + `"`, http.StatusUnprocessableEntity},
	"a large number":     {`"attributes":{"n":1e400}`, http.StatusCreated},
}

func hundredThousand(format string) string {
	parts := make([]string, 100_000)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// TestHostileSpans stores or refuses spans and can read what it stored.
func TestHostileSpans(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for name, c := range hostileSpans {
		t.Run(name, func(t *testing.T) {
			id := strings.ReplaceAll(name, " ", "-")
			body := spansBody(strings.NewReplacer(`"attributes":{}`, c.members, `"name":"span s",`, nameUnless(c.members)).Replace(spanBody(id, "s", "")))
			got, err := w.send("home", http.MethodPost, "/spans-bulk", []byte(body))
			check.OK(t, err)
			if got.status != c.status {
				t.Fatalf("status %d, want %d: %s", got.status, c.status, clip(string(got.body)))
			}
			want := http.StatusOK
			if c.status != http.StatusCreated {
				want = http.StatusNotFound
			}
			got, err = w.send("home", http.MethodGet, tracesPath+"/"+id, nil)
			check.OK(t, err)
			check.Equal(t, "status of the trace", got.status, want)
		})
	}
}

// nameUnless returns the name of a span unless the members have one.
func nameUnless(members string) string {
	if strings.Contains(members, `"name"`) {
		return ""
	}
	return `"name":"span s",`
}

// TestCycleOfParents reads a trace whose spans are each other's parents, and adds
// it to a dataset.
func TestCycleOfParents(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, "/spans-bulk", spansBody(spanBody("cycle", "a", `,"parent_id":"b"`)+","+spanBody("cycle", "b", `,"parent_id":"a"`)))
	check.Equal(t, "number of spans", len(w.trace(t, "cycle")), 2)
	group := w.post(t, http.StatusCreated, "/api/public/v2/dataset-groups", `{"name":"g"}`)["dataset_group"].(map[string]any)["id"]
	for _, more := range []string{``, `,"span_id":"b"`} {
		w.post(t, http.StatusCreated, "/api/public/v2/dataset-versions/add-trace", fmt.Sprintf(`{"dataset_group_id":%v,"trace_id":"cycle"%s}`, group, more))
	}
}

// TestDeepTrace asks for depths, several at once, beside a trace with thousands of
// levels. Answers that read all spans once per level take longer than a query may.
func TestDeepTrace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for _, trace := range []string{"chain", "flat 1", "flat 2", "flat 3"} {
		spans := make([]string, 9000)
		for i := range spans {
			parent := ""
			if trace == "chain" {
				parent = fmt.Sprintf(`,"parent_id":"s%d"`, i-1)
			}
			spans[i] = spanBody(trace, fmt.Sprint("s", i), parent)
		}
		w.post(t, http.StatusCreated, "/spans-bulk", spansBody(strings.Join(spans, ",")))
	}
	const traces = "/api/public/v2/traces"
	search := func(field string) string {
		return fmt.Sprintf(`{"filter_group":{"filters":[{"field":%q,"operator":"gt","value":900}]}}`, field)
	}
	const histogram = `{"customCharts":[{"id":"c","title":"Depth","chartType":"histogram","metric":"count","histogramField":"trace_depth","histogramInterval":100}]}`
	var all sync.WaitGroup
	for range 3 {
		for body, path := range map[string]string{
			search("trace_depth"): traces + "/search", search("span_depth"): traces + "/search", histogram: traces + "/analytics/custom-analytics",
		} {
			all.Go(func() {
				got, err := w.send("home", http.MethodPost, path, []byte(body))
				check.OK(t, err)
				found := bytes.Contains(got.body, []byte("chain")) && !bytes.Contains(got.body, []byte("flat"))
				if got.status != http.StatusOK || body != histogram && !found {
					t.Errorf("%s: status %d: %s", body, got.status, clip(string(got.body)))
				}
			})
		}
	}
	all.Wait()
}

// TestOTLPBombs sends small bodies that unpack or decode to large ones.
func TestOTLPBombs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{maxBody: 4 << 20})
	zeros := packed(t, string(make([]byte, 64<<20)))
	w.export(t, http.StatusRequestEntityTooLarge, "application/json", zeros, protobuf, gzipped)
	w.export(t, http.StatusRequestEntityTooLarge, "application/json", zeros, gzipped)
	empty := packed(t, string(bytes.Repeat([]byte{0x0a, 0}, 2<<20))) // 2 million resources
	w.export(t, http.StatusRequestEntityTooLarge, "application/json", empty, protobuf, gzipped)
	w.export(t, http.StatusBadRequest, "application/json", packed(t, "{}")[:15], gzipped)
	many := bytes.Repeat([]byte(`{},`), 1<<20)
	w.export(t, http.StatusOK, "application/json", packed(t, `{"resourceSpans":[`+string(many)+`{}]}`), gzipped)
	w.export(t, http.StatusOK, "application/json", []byte(`{}`))
}

// TestOTLPHostileValues sends what only OTLP can send: each is stored, or
// rejected with a reason.
func TestOTLPHostileValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	long, wide := otlpSpan(1, text(strings.Repeat("k", 1<<20), "v")), otlpSpan(2)
	for i := range 100_000 {
		wide.Attributes = append(wide.Attributes, whole(fmt.Sprint("k", i), 1))
	}
	odd := otlpSpan(3, text("\x00", "\x00"), text("__proto__", "x"), text("gen_ai.request.model", "m\x00"), text("gen_ai.input.messages", strings.Repeat("[", 10_000)))
	odd.StartTimeUnixNano, odd.EndTimeUnixNano = 1<<62, 1
	answer := w.export(t, http.StatusOK, "application/x-protobuf", otlpBody(t, long, wide, odd), protobuf)
	if !bytes.Contains(answer, []byte("key")) {
		t.Errorf("the answer gives no reason: %q", answer)
	}
	spans := w.trace(t, strings.Repeat("a1", 16))
	check.Equal(t, "number of spans", len(spans), 1)
	if spans[0]["request_log_id"] == nil {
		t.Errorf("the span has no request log: %v", spans[0])
	}
}
