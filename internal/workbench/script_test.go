package workbench_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

func TestCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	code := func(language, text string) string {
		return `{"language":"` + language + `","code":` + quoted(text) + `}`
	}
	for name, test := range map[string]struct{ config, want, fails, raw string }{
		"value":          {config: code("javascript", "return {sum: data.a + 1, all: Object.keys(data)}"), want: `{"sum":3,"all":["a","b"]}`},
		"nothing":        {config: code("JAVASCRIPT", "return null"), want: `null`},
		"no environment": {config: code("javascript", "return typeof process"), want: `"undefined"`},
		"exception":      {config: code("javascript", "throw new Error('no luck')"), fails: "no luck", raw: "Error"},
		"long exception": {config: code("javascript", "throw new Error('x'.repeat(5000))"), fails: "xxx…"},
		"syntax":         {config: code("javascript", "return ("), fails: "SyntaxError"},
		"Python is off":  {config: code("python", "return 1"), fails: "Python steps are turned off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := w.run(w.home, "CODE_EXECUTION", test.config, `{"a":2,"b":"x"}`)
			if test.fails == "" {
				check.OK(t, err)
				check.Equal(t, "value", got, test.want)
				return
			}
			failure := faultOf(t, err)
			if !strings.Contains(failure.Message, test.fails) || len(failure.Message) > 600 || !strings.Contains(failure.Detail, test.raw) {
				t.Errorf("failed with %q (%v), want %q", failure.Message, err, test.fails)
			}
		})
	}
}

func TestCodeThatRunsOutOfTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	env := w.Env(w.home)
	data := check.JSON(`{}`)
	late, cancel := context.WithTimeout(access.AsSystem(t.Context()), 50*time.Millisecond)
	defer cancel()
	_, err := env.Scripts.Run(late, step.JavaScript, "while (true) {}", data)
	if failure := faultOf(t, err); failure.Message != "the code timed out" {
		t.Errorf("failed with %q", failure.Message)
	}
	given, giveUp := context.WithCancel(access.AsSystem(t.Context()))
	giveUp()
	value, err := env.Scripts.Run(given, step.JavaScript, "return 1", data)
	if !errors.Is(err, context.Canceled) || value.Kind() != jsontree.Absent || fault.Is(err, fault.BadRequest) {
		t.Errorf("a run that was given up returns %s, %v", value.Raw(), err)
	}
}
