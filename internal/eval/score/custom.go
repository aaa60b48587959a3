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
	// Language is PYTHON or JAVASCRIPT in any case, "" for PYTHON.
	Language string
}

// Run runs code with its variable data, as step.Scripts does, and returns what
// the code returns. It is nil on a server that cannot run code.
type Run func(ctx context.Context, language step.Language, code string, data jsontree.Value) (jsontree.Value, error)

// MaxReturned bounds what code may return, in bytes of JSON.
const MaxReturned = 1 << 20

// maxTime is how long code may take: a request may wait for the score.
const maxTime = time.Minute

var errTime = fault.BadRequestf("The code that computes the score did not end in time")

// Compute has code compute the score of the rows. Whatever is wrong with the
// code, with what it returns, how long it takes, or with the server's means to
// run it, is told by the result's Failure. An error is the cause of the end of
// ctx.
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

// name returns the language with what is meant by none.
func (c Code) name() string {
	if c.Language == "" {
		return string(step.Python)
	}
	return c.Language
}
