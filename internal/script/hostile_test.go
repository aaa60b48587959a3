package script

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// small limits let hostile programs fail soon.
var small = Limits{Time: 300 * time.Millisecond, Memory: 16 << 20, Output: 64 << 10}

func TestInterruptsEndlessPrograms(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Limits: small})
	for name, code := range map[string]string{
		"loop":                "for (;;) {}",
		"loop in a function":  "while (true) {}\nreturn 1",
		"caught":              "for (;;) { try { for (;;) {} } catch (e) {} }",
		"finally":             "try { for (;;) {} } finally { for (;;) {} }",
		"promises":            "function f() { Promise.resolve().then(f) } f()",
		"awaiting":            "for (;;) await null",
		"getter":              "({get a() { for (;;) {} }})",
		"toJSON":              "({toJSON() { for (;;) {} }})",
		"proxy":               "new Proxy({}, {ownKeys() { for (;;) {} }})",
		"exception's text":    "throw {toString() { for (;;) {} }}",
		"exception's name":    "const e = new Error(''); Object.defineProperty(e, 'name', {get() { for (;;) {} }}); throw e",
		"regular expression":  "/^(?=a)(a|aa)+$/.test('a'.repeat(60) + 'b')",
		"backreference":       "/^(\\w+)*\\1$/.test('a'.repeat(60) + '!')",
		"within the language": "new Array(4294967295).indexOf(1)",
		"sorting":             "[3, 2, 1].sort(() => { for (;;) {} })",
		"printing":            "for (;;) console.log('x')",
		"generator":           "[...(function* () { for (;;) {} })()]",
		"endless toJSON":      "Object.prototype.toJSON = function () { for (;;) {} }; ({})",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := fails(t, r, js(code), TimeLimit).Message; got != "time limit of 300ms exceeded" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestLimitsMemory(t *testing.T) {
	t.Parallel()
	limits := small
	limits.Time = 30 * time.Second
	r := newRunner(t, Options{Limits: limits})
	for name, code := range map[string]string{
		"text":               "let s = 'xxxxxxxx'; for (;;) s += s",
		"texts":              "const a = []; for (let i = 0; ; i++) a.push('x'.repeat(1000) + i)",
		"repeat":             "'x'.repeat(1 << 30)",
		"repeated":           "'x'.repeat(1 << 28).repeat(8)",
		"padding":            "'x'.padStart(2 ** 30, 'abc')",
		"array":              "const a = []; for (;;) a.push(a.slice())",
		"large arrays":       "const a = []; for (;;) a.push(new Array(1e6).fill(0))",
		"buffer":             "const b = new ArrayBuffer(2 ** 31); for (let i = 0; i < 1e6; i++) {} b.byteLength",
		"buffers":            "const a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1))",
		"objects":            "let o = {}; for (;;) o = {o, p: {}, q: []}",
		"members":            "const o = {}; for (let i = 0; ; i++) o['k' + i] = i",
		"closures":           "let f = () => 1; for (;;) { const g = f; f = () => g }",
		"map":                "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])",
		"join":               "new Array(1e8).join('0123456789')",
		"replace":            "'x'.repeat(1e6).replace(/x/g, '$`')",
		"split":              "'x'.repeat(2e7).split('')",
		"promises":           "const a = []; function f() { a.push(Promise.resolve([]).then(f)); a.push(Promise.resolve([]).then(f)) } f()",
		"printing":           "console.log('x'.repeat(1 << 30))",
		"result":             "const a = new Array(1e7).fill('x'.repeat(100)); const b = []; for (;;) b.push(a.slice())",
		"generated code":     "let s = '1;'; for (;;) { s = s + s; eval(s) }",
		"getter of a result": "({get a() { const b = []; for (;;) b.push(new Array(1e5).fill(1)) }})",
		"JSON":               "let s = '[1]'; for (;;) { s = '[' + s + ',' + s + ']'; JSON.parse(s) }",
		"exception's text":   "throw {toString() { return 'x'.repeat(1 << 30) }}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := fails(t, r, js(code), MemoryLimit).Message; got != "memory limit of 16 MiB exceeded" {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestGarbageDoesNotCount allocates far more than the limit and keeps little of
// it. Several programs at once leave little time for garbage collections.
func TestGarbageDoesNotCount(t *testing.T) {
	t.Parallel()
	limits := small
	limits.Time = time.Minute
	r := newRunner(t, Options{Limits: limits, Concurrency: 8})
	var programs sync.WaitGroup
	for range 16 {
		programs.Go(func() {
			got := value(t, r, js("const x = 'x'.repeat(1000); let n = 0; for (let i = 0; i < 800; i++) n += x.repeat(500).length; let kept = 'x'.repeat(4e6); n"))
			if got != "400000000" {
				t.Errorf("got %s", got)
			}
		})
	}
	programs.Wait()
}

func TestDeeplyNestedPrograms(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Limits: Limits{Memory: 32 << 20}})
	for name, code := range map[string]string{
		"calls":        "function f(n) { return f(n + 1) } f(0)",
		"through map":  "function f() { return [1].map(f) } f()",
		"getters":      "const o = {get a() { return this.a }}; o.a",
		"proxies":      "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x",
		"toString":     "const o = {toString() { return '' + o }}; '' + o",
		"nested code":  strings.Repeat("(", 300_000) + "1" + strings.Repeat(")", 300_000),
		"nested array": strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000),
		"nested JSON":  "JSON.parse('['.repeat(3e6) + ']'.repeat(3e6))",
		"nested class": "let c = class {}; for (let i = 0; i < 1e5; i++) c = class extends c {}; new c()",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := r.Run(t.Context(), js(code))
			var own *Error
			if err != nil && (!errors.As(err, &own) || own.Reason == Crashed || own.Reason == TimeLimit) {
				t.Errorf("got %v", err)
			}
		})
	}
	if got := value(t, r, js("function f(n) { return n ? 1 + f(n - 1) : 0 } f(2000)")); got != "2000" {
		t.Errorf("ordinary recursion: got %s", got)
	}
}

func TestHidesHost(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{})
	for _, name := range []string{
		"require", "process", "fetch", "module", "exports", "XMLHttpRequest", "WebSocket", "setTimeout", "setInterval", "Deno", "Bun", "Buffer",
		"importScripts", "load", "read", "print", "os", "fs", "window", "global", "__dirname",
	} {
		if got := value(t, r, js("typeof "+name)); got != `"undefined"` {
			t.Errorf("%s is %s", name, got)
		}
	}
	for _, code := range []string{"import('fs')", "import fs from 'fs'", "require('fs')", "this.constructor.constructor('return process')()"} {
		if result, err := r.Run(t.Context(), js(code)); err == nil {
			t.Errorf("%s: got %s", code, result.Value)
		}
	}
}

func TestProgramsDoNotAffectLaterOnes(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Concurrency: 1})
	for _, code := range []string{
		"Object.prototype.polluted = 1; Array.prototype.map = () => 'mine'; globalThis.left = 2; Object.freeze(Object.prototype); 1",
		"JSON.parse = () => 'mine'; JSON.stringify = () => 'mine'; Array.isArray = () => false; String.prototype.toString = () => 'mine'; [1]",
		"Object.prototype.toJSON = () => 'mine'; Object.keys = () => []; console.log = () => {}; Promise = null; 1",
		"Object.defineProperty(Object.prototype, 'data', {get() { return 'mine' }}); globalThis.data = 3; 1",
	} {
		value(t, r, js(code))
		p := js("console.log('x'); [({}).polluted, typeof left, [1].map(x => x + 1), JSON.stringify(data), JSON.parse('2'), await Promise.resolve('p')]")
		p.Code = "return (async () => { " + strings.Replace(p.Code, "; [", "; return [", 1) + " })()"
		p.Data = []byte(`{"a":1}`)
		if got := value(t, r, p); got != `[null,"undefined",[2],"{\"a\":1}",2,"p"]` {
			t.Errorf("after %q: got %s", code, got)
		}
	}
	if got := value(t, r, js("Array.isArray = () => false; Array.prototype[Symbol.iterator] = null; Object.prototype.length = 5; [1, {a: 2}]")); got != `[1,{"a":2}]` {
		t.Errorf("got %s", got)
	}
}

func TestCrashesDoNotAffectOtherRuns(t *testing.T) {
	t.Parallel()
	limits := small
	limits.Time = 20 * time.Second
	r := newRunner(t, Options{Limits: limits, Concurrency: 4})
	var runs sync.WaitGroup
	for i := range 24 {
		runs.Go(func() {
			if i%4 == 0 {
				_ = fails(t, r, js("const a = []; for (;;) a.push('x'.repeat(1e6))"), MemoryLimit)
				return
			}
			if got := value(t, r, js(fmt.Sprintf("let n = 0; for (let i = 0; i < 20000; i++) n += i %% 2; n + %d", i))); got != fmt.Sprint(10000+i) {
				t.Errorf("got %s", got)
			}
		})
	}
	runs.Wait()
}

// TestReplacesDeadWorkers kills an idle worker as the kernel might.
func TestReplacesDeadWorkers(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Concurrency: 1})
	value(t, r, js("1"))
	w := r.take()
	w.kill()
	<-w.ended
	r.keep(w)
	if got := value(t, r, js("2")); got != "2" {
		t.Errorf("got %s", got)
	}
}

func TestRunsManyPrograms(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Concurrency: 4})
	var runs sync.WaitGroup
	for i := range 200 {
		runs.Go(func() {
			p := js("data.i * 2")
			p.Data = fmt.Appendf(nil, `{"i":%d}`, i)
			if got := value(t, r, p); got != fmt.Sprint(i*2) {
				t.Errorf("%d: got %s", i, got)
			}
		})
	}
	runs.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.waiting); n == 0 || n > 4 {
		t.Errorf("%d workers wait", n)
	}
}

func TestCancelsRuns(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Concurrency: 1})
	gone := errors.New("the caller has gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	started := make(chan struct{})
	ended := make(chan error)
	go func() {
		close(started)
		_, err := r.Run(ctx, js("for (;;) {}"))
		ended <- err
	}()
	<-started
	waiting, stopWaiting := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stopWaiting()
	for waiting.Err() == nil { // until the loop has the only slot
		if _, err := r.Run(waiting, js("1")); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while waiting: got %v", err)
		}
	}
	cancel(gone)
	if err := <-ended; !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
	if got := value(t, r, js("1")); got != "1" {
		t.Errorf("got %s", got)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	r := New(Options{Concurrency: 2})
	value(t, r, js("1"))
	w := r.take()
	r.keep(w)
	busy := make(chan error)
	go func() {
		_, err := r.Run(context.WithoutCancel(t.Context()), js("for (;;) {}"))
		busy <- err
	}()
	for r.Queue().Stats().Running == 0 {
		if t.Context().Err() != nil {
			t.Fatal("the run never began")
		}
	}
	r.Close()
	if err := <-busy; !fault.Is(err, fault.Unavailable) {
		t.Errorf("a run that was closed: got %v", err)
	}
	select {
	case <-w.ended:
	default:
		t.Error("a worker is left")
	}
	if _, err := r.Run(t.Context(), js("1")); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a run after the end: got %v", err)
	}
	r.Close()
}

func TestIdleWorkersEnd(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{Idle: 10 * time.Millisecond})
	value(t, r, js("1"))
	r.mu.Lock()
	left := append([]*worker(nil), r.waiting...)
	r.mu.Unlock()
	for _, w := range left {
		<-w.ended
	}
	if got := value(t, r, js("2")); got != "2" {
		t.Errorf("got %s", got)
	}
}

func TestRejectsPrograms(t *testing.T) {
	t.Parallel()
	r := newRunner(t, Options{})
	_ = fails(t, r, js(strings.Repeat(" ", MaxCode+1)), CodeTooLarge)
	value(t, r, js(strings.Repeat(" ", MaxCode)))
	if _, err := r.Run(t.Context(), py("return 1")); !errors.Is(err, ErrPythonOff) || !fault.Is(err, fault.Unavailable) || err.Error() != "Python steps are turned off" {
		t.Errorf("got %v", err)
	}
	if _, err := r.Run(t.Context(), Program{Language: "ruby"}); !fault.Is(err, fault.BadRequest) {
		t.Errorf("got %v", err)
	}
	if _, err := r.Run(t.Context(), Program{Language: JavaScript, Data: []byte("{")}); err == nil {
		t.Error("broken input was taken")
	}
}

func BenchmarkTrivialRun(b *testing.B) {
	r := newRunner(b, Options{})
	p := js("data.a + 1")
	p.Data = []byte(`{"a":1}`)
	for b.Loop() {
		if _, err := r.Run(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}
