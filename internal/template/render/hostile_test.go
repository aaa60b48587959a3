package render

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// hostile are templates that exceed limits, by the limit that must stop them;
// "" is for those that must finish.
var hostile = map[string][]string{
	"step": {
		"{% for i in range(10**9) %}{% endfor %}",
		"{% for i in range(10**5) %}{% for j in range(10**5) %}{% endfor %}{% endfor %}",
		"{{ range(10**9)|list }}", "{{ range(10**9)|sum }}", "{{ range(10**9)|join }}", "{{ range(10**9)|sort }}", "{{ range(10**9)|batch(3)|list }}",
		"{% for i in range(10**9) if i < 0 %}{% endfor %}",
		"{% for i in range(10**9) %}{% set x = big|length %}{% endfor %}", "{% for i in range(10**9) %}{{ 'q' in big }}{% endfor %}",
	},
	"memory": {
		"{{ 'a' * 10**9 }}", "{{ 'a' * 10**18 }}", "{{ [1] * 10**9 }}", "{{ (1, 2) * 10**18 }}", "{{ ('a' * 10**7) * 10 }}", "{{ lipsum(10**9) }}",
		"{{ '%1000000000d'|format(1) }}", "{{ '%.1000000000s'|format(1) }}{{ '%.9999999999f'|format(1) }}", "{{ '{:1000000000}'.format(1) }}",
		"{{ 'x'|center(10**9) }}", "{{ 'x'.ljust(10**12) }}", "{{ '1'.zfill(10**12) }}", "{{ ('a\\n' * 1000)|indent(10**6) }}",
		"{{ (['a' * 1000] * 100000)|join('b' * 1000) }}", "{{ [1]|batch(10**9, 'x') }}", "{{ [1]|slice(10**9) }}", "{{ big.join(big[:100]) }}",
		"{{ ('a' * 100000)|replace('a', 'b' * 100000) }}", "{{ ('a' * 100000)|replace('', 'b' * 100000) }}", "{{ big|list }}",
		"{% set ns = namespace(x='a') %}{% for i in range(100) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
		"{% set ns = namespace(x=[1]) %}{% for i in range(100) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
		"{% set x = [1] %}{% for i in range(99) %}{% do x.extend(x) %}{% endfor %}", "{{ ('\\x01' * 30000000)|tojson }}",
		"{% set d = {} %}{% for i in range(10**6) %}{% do d.update({i: i}) %}{% endfor %}",
		"{% for i in range(10**5) %}{% set x = big ~ 'a' %}{% endfor %}",
	},
	"output": {"{% for i in range(10**5) %}{{ 'a' * 1000 }}{% endfor %}", "{{ '\\u0001' * 10000000 }}"},
	"recursion": {
		"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
		"{% block a %}{{ self.a() }}{% endblock %}", "{% for i in [1, 2] recursive %}{{ loop([1, 2]) }}{% endfor %}",
		"{% macro a(x) %}{{ caller(x) }}{% endmacro %}{% macro b(n) %}{% call(x) a(n) %}{{ b(x) }}{% endcall %}{% endmacro %}{{ b(1) }}",
		"{% set x = [] %}{% do x.append(x) %}{{ x }}", "{% set x = [] %}{% do x.append(x) %}{{ x|tojson }}", "{% set x = {} %}{% do x.update(a=x) %}{{ x }}",
		"{% set x = [] %}{% do x.append(x) %}{% set y = [] %}{% do y.append(y) %}{{ x == y }}",
	},
	"integer size": {
		"{{ 9**(9**9) }}", "{{ 2**(10**10) }}", "{{ (10**4000) * (10**4000) * (10**4000) }}",
		"{% set ns = namespace(x=2) %}{% for i in range(100) %}{% set ns.x = ns.x * ns.x %}{% endfor %}",
	},
	"template nesting": {
		"{{ " + strings.Repeat("(", 100_000), "{{ " + strings.Repeat("[", 500_000), "{{ " + strings.Repeat("-", 500_000), "{{ " + strings.Repeat("not ", 100_000),
		"{{ 1" + strings.Repeat("+1", 400_000) + " }}", "{{ x" + strings.Repeat(".a", 400_000) + " }}", "{{ x" + strings.Repeat("|upper", 100_000) + " }}",
		"{{ x" + strings.Repeat("()", 400_000) + " }}", "{{ x" + strings.Repeat("[0]", 300_000) + " }}", "{{ 1" + strings.Repeat(" if 1", 100_000) + " }}",
		"{{ 1" + strings.Repeat(" if 1 else 1", 80_000) + " }}", "{{ 1" + strings.Repeat(" or 1", 100_000) + " }}", "{% set " + strings.Repeat("(", 100_000),
		strings.Repeat("{% if 1 %}", 100_000), strings.Repeat("{% for a in [1] %}", 50_000), strings.Repeat("{% macro a() %}", 50_000), strings.Repeat("{{", 500_000),
	},
	"template size": {strings.Repeat("{{ a }}", 200_000)},
	"": {
		"{{ '' * 10**18 }}{{ [] * 10**18 }}{{ 1**(10**30) }}{{ (-1)**(10**30) }}{{ range(10**18)|length }}", "{{ ('9' * 1000000)|int }}",
		"{% set x = [1] %}{% for i in x %}{% do x.append(1) %}{% endfor %}", "{{ 1e999999999 }}", "{{ " + strings.Repeat("9", 1_000_000) + " }}",
		"{{ 1" + strings.Repeat("~1", 100_000) + " }}", "{{ 1" + strings.Repeat("<1", 100_000) + " }}", "{{ [" + strings.Repeat("1,", 100_000) + "] }}",
		"{% if 1 %}" + strings.Repeat("{% elif 1 %}", 20_000) + "{% endif %}", strings.Repeat("{{a}}", 50_000), strings.Repeat("{%", 500_000),
		strings.Repeat("{#", 500_000), strings.Repeat("{% raw %}", 100_000), strings.Repeat("{ ", 500_000), "{{ '" + strings.Repeat("a", 1_000_000) + "' }}",
		"{{ ('a b ' * 100000)|wordwrap(1)|length }}", "{{ ('<' * 1000000)|striptags|length }}", "{{ '%s' * 1000 % 1 }}",
	},
}

// patience is much longer than the limits allow on the slowest machine, and
// much shorter than an unlimited template would take.
const patience = 30 * time.Second

func TestHostileTemplatesTerminate(t *testing.T) {
	t.Parallel()
	values := valuesOf(t, `{"big": "`+strings.Repeat("a", 1_000_000)+`"}`)
	for limit, texts := range hostile {
		for _, text := range texts {
			t.Run(limit+"/"+text[:min(len(text), 60)], func(t *testing.T) {
				t.Parallel()
				done := make(chan error, 1)
				go func() {
					_, err := Text(Jinja2, text, values, NewBudget(context.Background(), nil))
					done <- err
				}()
				select {
				case err := <-done:
					checkLimit(t, err, limit)
				case <-time.After(patience):
					t.Fatal("the template does not terminate")
				}
			})
		}
	}
}

// checkLimit checks the error for a limit. On a busy machine the time limit may
// be reached first.
func checkLimit(t *testing.T, err error, limit string) {
	t.Helper()
	switch {
	case limit == "" && err == nil:
	case fault.Is(err, fault.Invalid) && strings.Contains(err.Error(), "time limit"):
	case limit == "" || !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "exceeds the "+limit+" limit"):
		t.Errorf("error = %v, want fault.Invalid for the %q limit", err, limit)
	}
}

func TestHostileFStringsTerminate(t *testing.T) {
	t.Parallel()
	values := valuesOf(t, `{"x": "`+strings.Repeat("a", 1_000_000)+`"}`)
	_, err := Text(FString, strings.Repeat("{x}", 300_000), values, NewBudget(context.Background(), nil))
	checkLimit(t, err, "output")
	for _, text := range []string{
		strings.Repeat("{", 1_000_001), strings.Repeat("{x:", 300_000), strings.Repeat("{x[", 300_000), strings.Repeat("{a}{b}", 150_000),
		strings.Repeat("{x:{", 200_000) + strings.Repeat("}", 400_000),
	} {
		_, err := Text(FString, text, nil, NewBudget(context.Background(), nil))
		checkLimit(t, err, "")
	}
}
