package script

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
)

func TestValuesOfPython(t *testing.T) {
	t.Parallel()
	r := newPython(t, Options{})
	for name, test := range map[string]struct{ code, want string }{
		"nothing":          {"", "null"},
		"return":           {"return data['n'] + 1", "12345678901234567891"},
		"last expression":  {"x = 2\nx * 21", "42"},
		"no value":         {"x = 2", "null"},
		"branch":           {"if data['b']:\n    return 'yes'\nreturn 'no'", `"yes"`},
		"text of lines":    {"s = '''a\n  b\n'''\nreturn s", `"a\n  b\n"`},
		"import":           {"import math, re\nfrom datetime import date\nreturn [math.floor(1.5), re.sub('a', 'b', 'aa'), date(2024, 2, 29).isoformat()]", `[1,"bb","2024-02-29"]`},
		"functions":        {"import math\ndef area(r):\n    return math.floor(r * r)\nreturn [area(x) for x in (1, 2)]", "[1,4]"},
		"order of keys":    {"{'b': 1, 'a': {'z': None, 'y': True}}", `{"b":1,"a":{"z":null,"y":true}}`},
		"await":            {"import asyncio\nawait asyncio.sleep(0)\nreturn 5", "5"},
		"async function":   {"async def f():\n    return 6\nreturn await f()", "6"},
		"coroutine":        {"async def f():\n    return 7\nf()", "7"},
		"unicode":          {"'ü🙂' + chr(0xd800)", `"ü🙂?"`},
		"caught exception": {"try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    return str(e)", `"division by zero"`},
		"environment":      {"import os\nreturn dict(os.environ)", `{"LC_CTYPE":"C.UTF-8"}`},
		"module names":     {"import sys\nreturn [__name__, 'site' in sys.modules, sys.flags.isolated]", `["__main__",false,1]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := py(test.code)
			p.Data = []byte(`{"n":12345678901234567890,"b":true}`)
			got := value(t, r, p)
			if name == "environment" && got == "{}" {
				return // some versions set the locale of their own process
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFailuresOfPython(t *testing.T) {
	t.Parallel()
	limits := Limits{Time: 10 * time.Second, Memory: 64 << 20}
	r := newPython(t, Options{Limits: limits})
	for name, test := range map[string]struct {
		code    string
		reason  Reason
		message string
	}{
		"exception":   {"x = 1\n\nreturn x.y", Thrown, "AttributeError: 'int' object has no attribute 'y' (line 3)"},
		"in function": {"def f():\n    raise ValueError('no')\n\nf()", Thrown, "ValueError: no (line 2)"},
		"exit":        {"import sys\nsys.exit(3)", Thrown, "SystemExit: 3 (line 2)"},
		"end":         {"import os\nos._exit(3)", Crashed, "the code's process ended without a result: "},
		"syntax":      {"x = 1\nx = = 2", Syntax, "SyntaxError: invalid syntax (line 2)"},
		"NUL":         {"x = 1\x00", Syntax, ""},
		"NaN":         {"float('nan')", BadValue, "the result cannot be written as JSON: Out of range float values are not JSON compliant"},
		"function":    {"lambda: 1", BadValue, "the result cannot be written as JSON: Object of type function is not JSON serializable"},
		"cycle":       {"a = []\na.append(a)\na", BadValue, "the result cannot be written as JSON: Circular reference detected"},
		"recursion":   {"def f(): return f()\nf()", Thrown, "RecursionError: maximum recursion depth exceeded (line 1)"},
		"deep value":  {"a = []\nfor i in range(300): a = [a]\na", BadValue, "the result is nested deeper than 200 levels"},
		"no value":    {"import os\nos.write(4, b'\\x02\\0\\0\\0{}')\nos._exit(0)", Crashed, "the code's process ended without a result: its answer is malformed"},
		"large value": {"'x' * 1024 * 1024", OutputLimit, "output limit of 1 MiB exceeded"},
		"memory":      {"x = 'x' * (1 << 30)\nreturn len(x)", MemoryLimit, "memory limit of 64 MiB exceeded"},
		"slow memory": {"a = []\nwhile True: a.append([0] * 1000)", MemoryLimit, "memory limit of 64 MiB exceeded"},
		"forged":      {"import os\nos.write(4, b'\\xff\\xff\\xff\\xff')\nreturn 1", Crashed, "the code's process ended without a result: its answer is malformed"},
		"hostile":     {"class E(BaseException):\n    def __str__(self): raise self\nraise E()", Crashed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := fails(t, r, py(test.code), test.reason); !strings.HasPrefix(got.Message, test.message) {
				t.Errorf("got %q", got.Message)
			}
		})
	}
}

func TestPythonTools(t *testing.T) {
	t.Parallel()
	r := newPython(t, Options{})
	for _, name := range []string{"weather", "get-weather", "class", "a b"} {
		p := Program{
			Language: Python, Entry: name, Data: []byte(`{"x":1}`), Env: map[string]string{"KEY": "k", "BAD=NAME": "x"},
			Code: "import os, sys\nprint('out')\nprint('err', file=sys.stderr)\nreturn [args['x'], os.environ['KEY'], 'BAD' in os.environ]",
		}
		result, err := r.Run(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Result{Value: []byte(`[1,"k",false]`), Stdout: "out\n", Stderr: "err\n"}, result); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := value(t, r, Program{Language: Python, Entry: "f", Code: "args"}); got != "null" {
		t.Errorf("a tool without return: got %s", got)
	}
	result, err := r.Run(t.Context(), py("for i in range(100000): print('0123456789')\nraise ValueError('x')"))
	if err == nil || len(result.Stdout) != MaxPrinted+len(cutMark) {
		t.Errorf("got %d bytes, %v", len(result.Stdout), err)
	}
}

func TestInterruptsPython(t *testing.T) {
	t.Parallel()
	r := newPython(t, Options{Limits: Limits{Time: 700 * time.Millisecond}})
	for name, code := range map[string]string{
		"loop":    "while True: pass",
		"sleep":   "import time\ntime.sleep(1000)",
		"caught":  "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
		"signals": "import signal\nfor s in range(1, 32):\n    try: signal.signal(s, signal.SIG_IGN)\n    except OSError: pass\nwhile True: pass",
		"value":   "class D(dict):\n    def items(self):\n        while True: pass\nreturn D(a=1)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := fails(t, r, py(code), TimeLimit).Message; got != "time limit of 700ms exceeded" {
				t.Errorf("got %q", got)
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	patient := newPython(t, Options{})
	if _, err := patient.Run(ctx, py("while True: pass")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestPythonLeavesNoFiles(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	r := newPython(t, Options{Concurrency: 2})
	var runs sync.WaitGroup
	for i := range 6 {
		runs.Go(func() {
			if got := value(t, r, py(fmt.Sprintf("import os\nreturn [os.getcwd().startswith(%q), %d]", folder, i))); got != fmt.Sprintf("[true,%d]", i) {
				t.Errorf("got %s", got)
			}
		})
	}
	runs.Wait()
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestRejectsBrokenPython(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/nowhere/python3", "/bin/true"} {
		r := newRunner(t, Options{Python: path})
		if _, err := r.Run(t.Context(), py("1")); !fault.Is(err, fault.Unavailable) || errors.Is(err, ErrPythonOff) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}
