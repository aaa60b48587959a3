package render

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/template/render/jinja"
)

func TestJinja(t *testing.T) {
	t.Parallel()
	values := `{"name": "Ann", "nothing": null, "users": [{"name": "Bo"}, {"name": "Cy"}], "d": {"b": 1, "a": true}, "n": 1.50}`
	tests := map[string]struct {
		text      string
		want      string
		names     []string
		undefined []string
	}{
		"a variable":              {"Hi {{ name }}!\n", "Hi Ann!\n", []string{"name"}, nil},
		"a loop with a filter":    {"{% for u in users %}{{ u.name|upper }};{% endfor %}", "BO;CY;", []string{"users"}, nil},
		"values print as Python":  {"{{ nothing }} {{ d }} {{ n }}", "None {'b': 1, 'a': True} 1.50", []string{"nothing", "d", "n"}, nil},
		"undefined is chainable":  {"[{{ a.b['c'].d }}]", "[]", []string{"a"}, []string{"a"}},
		"a default is no lack":    {"{{ a|default('x') }}", "x", []string{"a"}, nil},
		"single braces stay":      {`{"a": {"b": "{{ name }}"}}`, `{"a": {"b": "Ann"}}`, []string{"name"}, nil},
		"closing braces stay":     {"a }} b %}", "a }} b %}", nil, nil},
		"bad syntax stays":        {"{{ name", "{{ name", nil, nil},
		"an unknown filter stays": {"{{ name|nope }}", "{{ name|nope }}", nil, nil},
		"a failure stays":         {"{{ name }}{{ 1 / 0 }}", "{{ name }}{{ 1 / 0 }}", []string{"name"}, nil},
		"no other templates":      {"{% include '/etc/passwd' %}", "{% include '/etc/passwd' %}", nil, nil},
		"no inner workings":       {"{{ name.__class__ }}{{ ''.__class__.__mro__ }}{{ self.__init__.__globals__ }}", "", []string{"name"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Text(Jinja2, test.text, valuesOf(t, values), NewBudget(context.Background(), nil))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Result{test.want, test.undefined}, got); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.names, Variables(Jinja2, test.text)); diff != "" {
				t.Errorf("variables (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownFormatIsNotRendered(t *testing.T) {
	t.Parallel()
	got, err := Text("mustache", "{x} {{ x }}", valuesOf(t, `{"x": 1}`), NewBudget(context.Background(), nil))
	if err != nil || got.Text != "{x} {{ x }}" {
		t.Errorf("Text = %+v, %v", got, err)
	}
	if names := Variables("mustache", "{x}"); names != nil {
		t.Errorf("Variables = %q", names)
	}
}

func TestTextsShareOutputLimit(t *testing.T) {
	t.Parallel()
	third := strings.Repeat("x", maxOutput/3+1)
	values := valuesOf(t, `{"x": "`+third+`"}`)
	for name, text := range map[string]struct {
		format Format
		text   string
	}{
		"plain": {Jinja2, third}, "f-string": {FString, "{x}"}, "jinja2": {Jinja2, "{{ x }}"},
		"unparseable": {FString, third + "{"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			budget := NewBudget(context.Background(), nil)
			for range 2 {
				if _, err := Text(text.format, text.text, values, budget); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Text(text.format, text.text, values, budget); !fault.Is(err, fault.Invalid) {
				t.Errorf("the third third: %v, want fault.Invalid", err)
			}
		})
	}
}

func TestTextsDoNotShareMemoryLimit(t *testing.T) {
	t.Parallel()
	budget := NewBudget(context.Background(), nil)
	text := "{{ ('x' * 20000000)|length }}"
	for i := range 4 {
		if got, err := Text(Jinja2, text, nil, budget); err != nil || got.Text != "20000000" {
			t.Fatalf("text %d: %+v, %v", i, got, err)
		}
	}
}

func TestRenderingStops(t *testing.T) {
	t.Parallel()
	t.Run("when the context has ended", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for format, text := range map[Format]string{FString: "{x}", Jinja2: "{{ x }}"} {
			if _, err := Text(format, text, nil, NewBudget(ctx, nil)); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, want the context's error", format, err)
			}
		}
	})
	t.Run("when the time is over", func(t *testing.T) {
		t.Parallel()
		now := time.Unix(0, 0)
		clock := func() time.Time {
			now = now.Add(maxTime / 3)
			return now
		}
		budget := &Budget{meter: jinja.Meter{
			Steps: maxSteps, Output: maxOutput, Stopped: untilStopped(context.Background(), clock),
		}}
		_, err := Text(Jinja2, "{% for i in range(100000) %}{% endfor %}", nil, budget)
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "time") {
			t.Errorf("error = %v, want fault.Invalid about time", err)
		}
	})
}

// TestConcurrentUse shares a text, values and a cache for the race detector.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	values := valuesOf(t, `{"list": [1, {"a": 2}], "s": "x"}`)
	shared := NewBudget(context.Background(), nil)
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for range 50 {
				budget := shared
				if worker%2 == 0 {
					budget = NewBudget(context.Background(), nil)
				}
				jinjaText := "{% set _ = list.append(s) %}{% for i in list %}{{ i }}{% endfor %}"
				if got, err := Text(Jinja2, jinjaText, values, budget); err != nil || got.Text != "1{'a': 2}x" {
					t.Errorf("jinja2: %+v, %v", got, err)
				}
				if got, err := Text(FString, "{list}{s}", values, budget); err != nil || got.Text != "[1, {'a': 2}]x" {
					t.Errorf("f-string: %+v, %v", got, err)
				}
			}
		})
	}
	wait.Wait()
}
