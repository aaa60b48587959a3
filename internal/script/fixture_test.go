package script

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if IsWorker() {
		WorkerMain()
	}
	os.Exit(m.Run())
}

// newRunner returns a runner that is closed with the test.
func newRunner(t testing.TB, o Options) *Runner {
	t.Helper()
	if o.Limits.Time == 0 {
		o.Limits.Time = 30 * time.Second // far above what any good program here needs
	}
	r := New(o)
	t.Cleanup(r.Close)
	return r
}

// newPython returns a runner for Python. The tests need an interpreter.
func newPython(t testing.TB, o Options) *Runner {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal(err)
	}
	o.Python = path
	return newRunner(t, o)
}

// value runs code and returns its value.
func value(t *testing.T, r *Runner, p Program) string {
	t.Helper()
	result, err := r.Run(t.Context(), p)
	if err != nil {
		t.Errorf("%.100q: %v", p.Code, err)
	}
	return string(result.Value)
}

// fails runs code that must fail for a reason, and returns the failure.
func fails(t *testing.T, r *Runner, p Program, want Reason) *Error {
	t.Helper()
	result, err := r.Run(context.WithoutCancel(t.Context()), p)
	var own *Error
	if !errors.As(err, &own) || own.Reason != want {
		t.Errorf("%.100q: got %.100s, %v; want a failure of %s", p.Code, result.Value, err, want)
		return &Error{}
	}
	return own
}

func js(code string) Program { return Program{Language: JavaScript, Code: code} }
func py(code string) Program { return Program{Language: Python, Code: code} }
