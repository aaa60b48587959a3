package script

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// maxCalls limits the depth of nested calls. Calls through built-in functions
// also use the stack of the process.
const maxCalls = 5000

// engine is an interpreter with one program.
type engine struct {
	*goja.Runtime
	job    job
	stdout printed
	stderr printed
	// Functions that the engine needs, from before the program ran: it may
	// replace them.
	parseJSON, isArray goja.Callable
}

// runJavaScript runs a job in a new interpreter.
func runJavaScript(j job) outcome {
	e := &engine{Runtime: goja.New(), job: j}
	e.SetMaxCallStackSize(maxCalls)
	// Comments can refer to files with source maps, which would be read.
	e.SetParserOptions(parser.WithDisableSourceMaps)
	late := overTime(j.Limits.Time)
	timer := time.AfterFunc(j.Limits.Time, func() { e.Interrupt(late) })
	defer timer.Stop()
	value, failure := e.run()
	answer := outcome{Stdout: e.stdout.String(), Stderr: e.stderr.String(), Failure: failure.bounded()}
	if failure == nil {
		answer.Value = value
	}
	return answer
}

// run evaluates the program and writes its value as JSON.
func (e *engine) run() (text []byte, failure *Error) {
	// Bugs of the interpreter are panics. They must not end the worker.
	defer func() {
		if r := recover(); r != nil {
			failure = crashed(fmt.Sprint("the interpreter failed: ", r))
		}
	}()
	input, err := e.prepare()
	if err != nil {
		return nil, e.failure(err)
	}
	value, err := e.evaluate(input)
	if err != nil {
		return nil, e.failure(err)
	}
	err = e.inside(func() (wrong error) {
		text, wrong = e.encode(value)
		return wrong
	})
	if err != nil {
		return nil, e.failure(err)
	}
	return text, nil
}

// prepare sets the global variables and returns the input.
func (e *engine) prepare() (input goja.Value, err error) {
	e.parseJSON, _ = goja.AssertFunction(e.Get("JSON").ToObject(e.Runtime).Get("parse"))
	e.isArray, _ = goja.AssertFunction(e.Get("Array").ToObject(e.Runtime).Get("isArray"))
	if input, err = e.parseJSON(goja.Undefined(), e.ToValue(string(e.job.Data))); err != nil {
		return nil, err
	}
	if err = e.addConsole(); err != nil {
		return nil, err
	}
	if e.job.Entry == "" {
		err = e.Set("data", input)
	}
	if err == nil && e.job.Env != nil {
		process := e.NewObject()
		environment := e.NewObject()
		// Sorted, so that programs that list them are deterministic.
		for _, name := range slices.Sorted(maps.Keys(e.job.Env)) {
			err = errors.Join(err, environment.Set(name, e.job.Env[name]))
		}
		err = errors.Join(err, process.Set("env", environment), e.Set("process", process))
	}
	return input, err
}

// evaluate runs the program and returns its value.
func (e *engine) evaluate(input goja.Value) (goja.Value, error) {
	program, isFunction, err := compile(e.job)
	if err != nil {
		return nil, err
	}
	value, err := e.RunProgram(program)
	if err != nil {
		return nil, err
	}
	if isFunction {
		call, _ := goja.AssertFunction(value)
		if value, err = call(goja.Undefined(), input); err != nil {
			return nil, err
		}
	}
	return e.await(value)
}

// await returns the result of a promise, and other values as they are. The job
// queue is empty: a promise that is still pending is never settled.
func (e *engine) await(value goja.Value) (goja.Value, error) {
	object, ok := value.(*goja.Object)
	if !ok || object.ExportType() != promiseType {
		return value, nil
	}
	switch promise := object.Export().(*goja.Promise); promise.State() {
	case goja.PromiseStateFulfilled:
		return promise.Result(), nil
	case goja.PromiseStateRejected:
		return nil, rejection{promise.Result()}
	}
	return nil, &Error{Reason: Unsettled, Type: "NeverSettled", Message: "the code awaits a promise that is never settled"}
}

// inside calls f as if the program had called it, so that exceptions and
// interrupts in f are returned as errors.
func (e *engine) inside(f func() error) (err error) {
	call, _ := goja.AssertFunction(e.ToValue(func(goja.FunctionCall) goja.Value {
		err = f()
		return goja.Undefined()
	}))
	if _, thrown := call(goja.Undefined()); thrown != nil {
		return thrown
	}
	return err
}

// rejection is the value with which a promise was rejected.
type rejection struct{ value goja.Value }

// Error names only the kind of error; see describe.
func (rejection) Error() string { return "a promise was rejected" }

// failure converts an error of the interpreter.
func (e *engine) failure(err error) *Error {
	var own *Error
	var interrupted *goja.InterruptedError
	var overflow *goja.StackOverflowError
	var thrown *goja.Exception
	var rejected rejection
	var syntax *goja.CompilerSyntaxError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &interrupted):
		return overTime(e.job.Limits.Time)
	case errors.As(err, &overflow):
		return overStack()
	case errors.As(err, &rejected):
		return e.describe(rejected.value, nil)
	case errors.As(err, &thrown):
		return e.describe(thrown.Value(), thrown.Stack())
	case errors.As(err, &syntax):
		return compileError(syntax)
	}
	return crashed(err.Error())
}

// describe returns the failure for a thrown value. It may run code of the
// program, such as toString.
func (e *engine) describe(value goja.Value, stack []goja.StackFrame) *Error {
	failure := &Error{Reason: Thrown, Type: "Error"}
	var text, trace string
	err := e.inside(func() error {
		text = value.String()
		if object, ok := value.(*goja.Object); ok {
			failure.Type = memberText(object, "name", "Error")
			trace = memberText(object, "stack", "")
		}
		return nil
	})
	var interrupted *goja.InterruptedError
	switch {
	case errors.As(err, &interrupted):
		return overTime(e.job.Limits.Time)
	case err != nil:
		text = "an exception that cannot be shown"
	}
	failure.Trace = trace
	if failure.Line = lineOf(stack); failure.Line == 0 {
		failure.Line = lineOfTrace(trace)
	}
	failure.Message = withLine(cut(text, maxText/2), failure.Line)
	return failure
}

func memberText(object *goja.Object, name, otherwise string) string {
	if value := object.Get(name); value != nil && goja.IsString(value) {
		return value.String()
	}
	return otherwise
}

// codeName is the name of the program in stack traces.
const codeName = "code"

func lineOf(stack []goja.StackFrame) int {
	for _, frame := range stack {
		if frame.SrcName() == codeName {
			return frame.Position().Line
		}
	}
	return 0
}

var traceLine = regexp.MustCompile(`\b` + codeName + `:(\d+):`)

// lineOfTrace finds the line in a text such as "at f (code:3:7(12))".
func lineOfTrace(trace string) int {
	match := traceLine.FindStringSubmatch(cut(trace, maxText))
	if match == nil {
		return 0
	}
	line, _ := strconv.Atoi(match[1]) // digits; a line that is too large is not known
	return line
}

func withLine(text string, line int) string {
	if line == 0 {
		return text
	}
	return fmt.Sprintf("%s (line %d)", text, line)
}
