package score

import (
	"context"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Code computes a score.
type Code struct {
	Code string
	// Language is PYTHON or JAVASCRIPT in any case, or "" for PYTHON.
	Language string
}

// Run runs code with its variable data, as step.Scripts does, and returns the
// result. It is nil on a server that cannot run code.
type Run func(ctx context.Context, language step.Language, code string, data jsontree.Value) (jsontree.Value, error)

// MaxReturned limits the result of code, in bytes of JSON.
const MaxReturned = 1 << 20

// maxTime limits the running time of code, because a request may wait for the
// score.
const maxTime = time.Minute

var errTime = fault.BadRequestf("The code that computes the score did not finish in time")

// Compute lets code compute the score of the rows. The Failure of the result
// reports errors of the code, invalid results, timeouts and a server that
// cannot run code. The error is the cause of the end of ctx.
func (c Code) Compute(ctx context.Context, run Run, data *Data) (Result, error) {
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	computed, err := c.compute(limited, run, data)
	switch {
	case err != nil && ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case err != nil && limited.Err() != nil:
		err = errTime
	}
	if err != nil {
		computed = returned{}
	}
	result := Result{Type: Custom, HasCustom: true, Overall: computed.score, Matrix: computed.matrix}
	result.Details = c.details(&computed)
	if err != nil {
		result.Failure, _ = step.Explain(err)
	}
	return result, nil
}

func (c Code) compute(ctx context.Context, run Run, data *Data) (returned, error) {
	language, err := c.language()
	if err != nil {
		return returned{}, err
	}
	if run == nil {
		return returned{}, fault.New(fault.Unavailable, "Running code is not available on this server")
	}
	rows, err := data.value()
	if err != nil {
		return returned{}, err
	}
	value, err := run(ctx, language, c.Code, rows)
	if err != nil {
		return returned{}, err
	}
	return readReturned(value)
}

func (c Code) language() (step.Language, error) {
	switch language := step.Language(strings.ToLower(c.Language)); language {
	case "":
		return step.Python, nil
	case step.Python, step.JavaScript:
		return language, nil
	}
	return "", fault.BadRequestf("Code in '%s' cannot be run", c.Language)
}

func (c Code) details(computed *returned) []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("matrix").RawOr(computed.matrix, "[]")
		w.Key("configuration").Object(func() {
			w.Key("code").String(c.Code)
			w.Key("code_language").String(strings.ToUpper(c.name()))
		})
		if computed.parts != nil {
			w.Key("sub_scores").Raw(computed.parts)
		}
	})
	return w.Bytes()
}

// name returns the language, PYTHON by default.
func (c Code) name() string {
	if c.Language == "" {
		return string(step.Python)
	}
	return c.Language
}
