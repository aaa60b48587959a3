package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

func TestFailures(t *testing.T) {
	const mistake = "The step failed because of an internal error"
	tests := map[string]struct {
		err          error
		message, raw string
	}{
		"a fault":           {err: fault.BadRequestf("no"), message: "no", raw: "no"},
		"a failure":         {err: &step.FailureError{Message: "short", Detail: "long\nlonger"}, message: "short", raw: "long\nlonger"},
		"a wrapped failure": {err: fmt.Errorf("x: %w", &step.FailureError{Message: "short", Detail: "long"}), message: "short", raw: "long"},
		"an internal fault": {err: fault.New(fault.Internal, "the password is 123"), message: mistake, raw: "See the server log"},
		"an internal error": {err: errors.New("the password is 123"), message: mistake, raw: "See the server log"},
		"a time-out":        {err: context.DeadlineExceeded, message: "The step took too long", raw: "The step took too long"},
		"NUL":               {err: &step.FailureError{Message: "a\x00b", Detail: "\x00"}, message: "a\uFFFDb", raw: "\uFFFD"},
		"invalid UTF-8":     {err: &step.FailureError{Message: "a\xff\xfeb", Detail: "\xc3"}, message: "a\uFFFDb", raw: "\uFFFD"},
		"a long text":       {err: &step.FailureError{Message: strings.Repeat("m", 2000), Detail: strings.Repeat("r", 100_000)}, message: strings.Repeat("m", 1024) + "…", raw: strings.Repeat("r", 64<<10) + "…"},
		"a long text that is not cut within a character": {
			err:     &step.FailureError{Message: strings.Repeat("ü", 600) + "x", Detail: "x" + strings.Repeat("ü", 40_000)},
			message: strings.Repeat("ü", 512) + "…", raw: "x" + strings.Repeat("ü", 32<<10-1) + "…",
		},
		"a panic": {message: mistake, raw: "See the server log"},
	}
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("a", withScripts(func(_ context.Context, code string) (string, error) {
			if err := tests[code].err; err != nil {
				return "", err
			}
			panic("oh")
		}))
		for name, test := range tests {
			l.create(name, nodes(code("a", name), variable("b", `1`, true)))
			result := p.runs(name, `{}`)
			check.Equal(t, name, status(result, "a"), run.Failed)
			check.Equal(t, "message of "+name, message(result, "a"), test.message)
			check.Equal(t, "raw message of "+name, node(result, "a").Get("raw_error_message").Str(), test.raw)
			check.Equal(t, "output with "+name, string(result.Body(false)), `1`)
		}
	})
}

func TestMissingCapabilities(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a")
	l.create("w", nodes(code("a", "x")))
	if got := message(p.runs("w", `{}`), "a"); !strings.Contains(got, "not available on this server") {
		t.Errorf("the message is %q", got)
	}
}

// Responses of servers are stored whatever they contain.
func TestStrangeValues(t *testing.T) {
	large := strings.Repeat("ü", 3<<20)
	tests := map[string]struct{ answer, want string }{
		"NUL":                   {answer: `"a\u0000b"`, want: `"a\u0000b"`},
		"half a surrogate pair": {answer: `"\ud800"`, want: `"\ud800"`},
		"a large text":          {answer: `"` + large + `"`, want: `"` + large + `"`},
		"a long number":         {answer: `1` + strings.Repeat("0", 500), want: `1` + strings.Repeat("0", 500)},
		"a duplicate key":       {answer: `{"a":1, "a":2}`, want: `{"a":1, "a":2}`},
	}
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("a", withScripts(func(_ context.Context, code string) (string, error) { return tests[code].answer, nil }))
		for name, test := range tests {
			l.create(name, nodes(code("a", name)))
			if got := string(p.runs(name, `{}`).Body(false)); got != test.want {
				t.Errorf("%s: got %d bytes, want %d", name, len(got), len(test.want))
			}
		}
	})
}

func TestInvalidUTF8InResponse(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	p := l.process("a", withScripts(func(context.Context, string) (string, error) { return "\"a\xffb\"", nil }))
	l.create("w", nodes(code("a", "x")))
	result := p.runs("w", `{}`)
	if !utf8.Valid(result.Nodes) || status(result, "a") != run.Failed {
		t.Errorf("got %s", result.Nodes)
	}
}
