package tool_test

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/tool"
)

func TestTrials(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("sum", javascript("sum", `console.log("adding"); console.error("!"); return args.a + args.b`), "prod")
	r.add("sum", tool.Content{Definition: function("sum")})
	r.create("nameless", tool.Content{Definition: []byte(`{"function":{"name":7}}`), Execution: tool.Execution{Language: "javascript", Code: "return 1"}})
	inputs := []byte(`{"a":1,"b":2}`)
	prod := registry.Selector{Label: "prod"}
	run := func(code string) tool.Execution { return tool.Execution{Language: "javascript", Code: code} }
	for name, test := range map[string]struct {
		tool   string
		trial  tool.Trial
		value  string
		kind   string // of the failure
		stdout string
		stderr string
	}{
		"by label":                           {trial: tool.Trial{Version: prod, Inputs: inputs}, value: "3", stdout: "adding\n", stderr: "!\n"},
		"by number":                          {trial: tool.Trial{Version: registry.Selector{Number: 1}, Inputs: []byte(`{"a":"x","b":"y"}`)}, value: `"xy"`, stdout: "adding\n", stderr: "!\n"},
		"without inputs":                     {trial: tool.Trial{Version: prod, Execution: run("return args")}, value: "{}"},
		"other code":                         {trial: tool.Trial{Execution: run("return [args.b, null]"), Inputs: inputs}, value: "[2,null]"},
		"another name":                       {tool: "nameless", trial: tool.Trial{Definition: function("named")}, value: "1"},
		"its own name":                       {trial: tool.Trial{Execution: run("return args.n ? args.n * await sum({n: args.n - 1}) : 1"), Inputs: []byte(`{"n":5}`)}, value: "120"},
		"a name with special characters":     {trial: tool.Trial{Definition: function("get-weather(){}; //"), Execution: run("return 4")}, value: "4"},
		"no variables":                       {trial: tool.Trial{Execution: run("return [process.env, process.env.NONE || 1]")}, value: "[{},1]"},
		"nothing returned":                   {trial: tool.Trial{Execution: run("1")}, value: "null"},
		"an exception":                       {trial: tool.Trial{Execution: run(`console.log("before"); throw new TypeError("no")`)}, kind: "TypeError", stdout: "before\n"},
		"a value that JSON cannot represent": {trial: tool.Trial{Execution: run("const a = []; a.push(a); return a")}, kind: "TypeError"},
		"bad syntax":                         {trial: tool.Trial{Execution: run("return }")}, kind: "SyntaxError"},
		"a second function":                  {trial: tool.Trial{Execution: run("} ); (function(){ return process.env")}, kind: "SyntaxError"},
		"too much output":                    {trial: tool.Trial{Execution: run(`return "x".repeat(2 << 20)`)}, kind: "OutputLimitExceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			identifier := "sum"
			if test.tool != "" {
				identifier = test.tool
			}
			got := check.Must(r.Try(r.ctx, r.workspace, identifier, test.trial))(t)
			check.Equal(t, "value", string(got.Value), test.value)
			kind := ""
			if got.Failure != nil {
				kind = got.Failure.Type
			}
			check.Equal(t, "failure", kind, test.kind)
			check.Equal(t, "printed", got.Stdout+"|"+got.Stderr, test.stdout+"|"+test.stderr)
			if got.Duration <= 0 || got.Duration > time.Minute {
				t.Errorf("took %s", got.Duration)
			}
		})
	}
	for name, test := range map[string]struct {
		tool    string
		trial   tool.Trial
		kind    fault.Kind
		message string
	}{
		"no code":       {"sum", tool.Trial{}, fault.BadRequest, "The tool has no execution body"},
		"blank code":    {"sum", tool.Trial{Execution: run(" \n")}, fault.BadRequest, "The tool has no execution body"},
		"no name":       {"nameless", tool.Trial{}, fault.BadRequest, "The tool definition has no function name"},
		"no name given": {"sum", tool.Trial{Version: prod, Definition: []byte(`{}`)}, fault.BadRequest, "The tool definition has no function name"},
		"Python is off": {"sum", tool.Trial{Execution: tool.Execution{Language: "python", Code: "return 1"}}, fault.BadGateway, "Code execution is not available"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := r.Try(r.ctx, r.workspace, test.tool, test.trial)
			check.Refused(t, err, test.kind, test.message)
		})
	}
}

func TestWithoutSandbox(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("f", javascript("f", "return 1"))
	closed := script.New(script.Options{})
	closed.Close()
	for name, runner := range map[string]tool.Runner{"none": nil, "closed": closed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := tool.NewService(tool.Options{Store: r.catalog.Entities, Environment: r.envVars, Scripts: runner})
			_, err := service.Try(r.ctx, r.workspace, "f", tool.Trial{})
			check.Refused(t, err, fault.BadGateway, "Code execution is not available")
		})
	}
}

// TestSecretsOfOtherToolsNeverLeak stores secrets in all scopes and lets code
// search for them everywhere.
func TestSecretsOfOtherToolsNeverLeak(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		const look = `
			const seen = [];
			const visit = (value, depth) => {
				if (depth > 4 || value === null || (typeof value !== "object" && typeof value !== "function")) { seen.push(String(value)); return; }
				for (const key of Object.getOwnPropertyNames(value)) { seen.push(key); try { visit(value[key], depth + 1); } catch (e) {} }
			};
			visit(globalThis, 0);
			visit(typeof process === "undefined" ? {} : process, 0);
			globalThis.left = "left-behind-" + JSON.stringify(typeof process === "undefined" ? {} : process.env);
			return seen.join("\n")`
		mine := r.create("mine", javascript("mine", look)).Entity.ID
		yours := r.create("yours", javascript("yours", look)).Entity.ID
		bare := r.create("bare", javascript("bare", look)).Entity.ID
		theirs := check.Must(r.Create(r.ctx, r.other, registry.CreateInput[tool.Content]{Name: "mine", Content: new(javascript("mine", look))}))(t).Entity.ID
		secrets := map[string]string{
			"workspace": "secret-of-the-workspace", "hidden": "secret-that-is-overlaid", "mine": "secret-of-mine", "yours": "secret-of-yours",
			"other": "secret-of-the-other-workspace", "theirs": "secret-of-theirs",
		}
		r.set(r.workspace, 0, "SHARED", secrets["workspace"])
		r.set(r.workspace, 0, "TOKEN", secrets["hidden"])
		r.set(r.workspace, mine, "TOKEN", secrets["mine"])
		r.set(r.workspace, yours, "TOKEN", secrets["yours"])
		r.set(r.workspace, yours, "PLACEHOLDER", "")
		r.set(r.other, 0, "SHARED", secrets["other"])
		r.set(r.other, theirs, "TOKEN", secrets["theirs"])
		for range 2 { // workers are reused
			for _, test := range []struct {
				workspace, id int64
				sees          []string
			}{
				{r.workspace, mine, []string{"workspace", "mine"}},
				{r.workspace, yours, []string{"workspace", "yours"}},
				{r.workspace, bare, []string{"workspace", "hidden"}},
				{r.other, theirs, []string{"other", "theirs"}},
			} {
				got := check.Must(r.Try(r.ctx, test.workspace, itoa(test.id), tool.Trial{}))(t)
				if got.Failure != nil {
					t.Fatal(got.Failure)
				}
				for name, value := range secrets {
					want := strings.Contains(strings.Join(test.sees, " "), name)
					if strings.Contains(string(got.Value), value) != want {
						t.Errorf("tool %d: it sees the secret %q: %v, want %v", test.id, name, !want, want)
					}
				}
				if strings.Contains(string(got.Value), "left-behind") || strings.Contains(string(got.Value), "PLACEHOLDER") {
					t.Errorf("tool %d sees data of another tool, or a placeholder", test.id)
				}
			}
		}
	})
}

func TestRunForModel(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	id := r.create("f", javascript("f", "return [process.env.TOKEN, args.x]")).Entity.ID
	r.set(r.workspace, id, "TOKEN", "secret")
	r.add("f", javascript("f", `return "x".repeat(args.size)`))
	caller := r.as() // running a prompt needs no permission to edit tools
	got := check.Must(r.Run(caller, r.workspace, id, 1, []byte(`{"x":1}`)))(t)
	check.Equal(t, "value", string(got.Value), `["secret",1]`)
	large := check.Must(r.Run(caller, r.workspace, id, 2, []byte(`{"size":300000}`)))(t)
	if large.Failure == nil || large.Failure.Reason != script.OutputLimit {
		t.Errorf("got %d bytes and the failure %v", len(large.Value), large.Failure)
	}
	for name, test := range map[string]struct {
		workspace, id, number int64
		message               string
	}{
		"another workspace": {r.other, id, 1, "Tool not found"},
		"unknown tool":      {r.workspace, 4711, 1, "Tool not found"},
		"unknown version":   {r.workspace, id, 3, "Version not found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := r.Run(caller, test.workspace, test.id, test.number, nil)
			check.Refused(t, err, fault.NotFound, test.message)
		})
	}
}

func TestCancelledCallerEndsRun(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.create("f", javascript("f", "for (;;) {}"))
	ctx, cancel := context.WithTimeout(r.ctx, 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := r.Try(ctx, r.workspace, "f", tool.Trial{})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Errorf("ended after %s with %v", time.Since(start), err)
	}
}

// TestPythonWhereEnabled runs a tool with the interpreter of the operator,
// which the tests need.
func TestPythonWhereEnabled(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	runner := script.New(script.Options{Python: check.Must(exec.LookPath("python3"))(t)})
	t.Cleanup(runner.Close)
	service := tool.NewService(tool.Options{Store: r.catalog.Entities, Environment: r.envVars, Scripts: runner})
	const look = "import os\nprint('looking')\nreturn {k: v for k, v in sorted(os.environ.items()) if 'secret' in v}, args['x']"
	python := func(code string) tool.Content {
		return tool.Content{Definition: function("look"), Execution: tool.Execution{Language: "python", Code: code}}
	}
	mine, yours := r.create("mine", python(look)).Entity.ID, r.create("yours", python(look)).Entity.ID
	r.set(r.workspace, 0, "SHARED", "secret of all")
	r.set(r.workspace, mine, "TOKEN", "secret of mine")
	r.set(r.workspace, yours, "OTHER", "secret of yours")
	got := check.Must(service.Try(r.ctx, r.workspace, "mine", tool.Trial{Inputs: []byte(`{"x":1}`)}))(t)
	if got.Failure != nil {
		t.Fatal(got.Failure)
	}
	check.Equal(t, "value", strings.ReplaceAll(string(got.Value), " ", ""), `[{"SHARED":"secretofall","TOKEN":"secretofmine"},1]`)
	check.Equal(t, "printed", got.Stdout, "looking\n")
	failed := check.Must(service.Try(r.ctx, r.workspace, "mine", tool.Trial{}))(t)
	if failed.Failure == nil || failed.Failure.Type != "KeyError" {
		t.Errorf("got the failure %v", failed.Failure)
	}
}
