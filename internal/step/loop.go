package step

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Names of values that only iterations can refer to.
const (
	loopIndex       = "loop_index"
	previousOutputs = "previous_outputs"
	iteratorItem    = "_iterator_item"
	iteratorSource  = "_iterator_source"
)

var loopVariables = []string{loopIndex, previousOutputs, iteratorItem}

// body is what a loop runs in each iteration.
type body struct {
	run runner
	// keepAll reports whether the result has the outputs of all iterations
	// rather than only the last.
	keepAll bool
}

// readLoopBody reads what FOR_LOOP and WHILE_LOOP have in common.
func readLoopBody(c *settings) body {
	kind := c.choice("loop_type")
	if kind == "" {
		return body{}
	}
	own := &settings{Reader: c.Reader, spec: c.spec, object: c.object, seen: c.seen}
	mappings := own.mappings("variable_mappings")
	inner := c.nested(kind + "_config")
	loop := body{keepAll: c.flag(true, "return_all_outputs")}
	if kind == "prompt" {
		loop.run, mappings = readLoopPrompt(inner, mappings)
	} else {
		loop.run, mappings = readLoopWorkflow(inner, mappings)
	}
	for _, m := range mappings {
		if m.variable == iteratorItem || m.variable == iteratorSource {
			c.fail("'%s' cannot be mapped", m.variable)
		}
	}
	for _, found := range []*settings{own, inner} {
		found.sources = slices.DeleteFunc(found.sources, func(name string) bool { return slices.Contains(loopVariables, name) })
		c.join(found)
	}
	return loop
}

// readLoopPrompt reads a prompt that gets the mappings of the loop in addition
// to its own, and returns all of them.
func readLoopPrompt(c *settings, mappings []mapping) (runner, []mapping) {
	call := readPromptCall(c)
	call.mappings = overlay(call.mappings, mappings)
	return call.run, call.mappings
}

// readLoopWorkflow is readLoopPrompt for a workflow.
func readLoopWorkflow(c *settings, mappings []mapping) (runner, []mapping) {
	call := readWorkflowCall(c)
	call.request.VersionID = c.integer("workflow_version_id")
	if !call.request.names() {
		c.fail("'workflow_id' or 'workflow_version_id' is required")
	}
	call.mappings = overlay(call.mappings, mappings)
	return call.run, call.mappings
}

// overlay returns mappings in which those of over replace those of under.
func overlay(under, over []mapping) []mapping {
	kept := slices.DeleteFunc(slices.Clone(under), func(m mapping) bool {
		return slices.ContainsFunc(over, func(o mapping) bool { return o.variable == m.variable })
	})
	return append(kept, over...)
}

// iteration is a loop while it runs.
type iteration struct {
	body
	env     *Env
	outputs jsontree.List
	count   int
	last    jsontree.Value
}

func newIteration(b body, env *Env) *iteration {
	return &iteration{body: b, env: env, last: null}
}

// next runs one iteration. item is absent unless the loop iterates over a list.
func (i *iteration) next(ctx context.Context, item jsontree.Value) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	index, err := integerValue(i.count)
	if err != nil {
		return err
	}
	previous, err := parsed(i.outputs.Bytes())
	if err != nil {
		return err
	}
	front := List{{loopIndex, index}, {previousOutputs, previous}}
	if item.Kind() != jsontree.Absent {
		front = append(front, Named{iteratorItem, item})
	}
	env := *i.env
	env.Values = layered{front, i.env.Values}
	output, err := i.run(ctx, &env)
	if err != nil {
		return inIteration(i.count, err)
	}
	return i.keep(output)
}

// inIteration adds the iteration to an error. Faults stay faults.
func inIteration(index int, err error) error {
	var known *fault.Error
	var failure *FailureError
	switch {
	case errors.As(err, &failure):
		return &FailureError{Message: fmt.Sprintf("iteration %d: %s", index, failure.Message), Detail: failure.Detail}
	case errors.As(err, &known):
		return fault.Wrap(known.Kind, known.Unwrap(), "iteration %d: %s", index, known.Message)
	}
	return fmt.Errorf("iteration %d: %w", index, err)
}

func (i *iteration) keep(output jsontree.Value) error {
	i.last = orNull(output)
	i.outputs.AddValue(i.last)
	i.count++
	if i.outputs.Size() > maxOutput/2 {
		return failf("the outputs of the loop are larger than %d MiB together", maxOutput/2>>20)
	}
	return nil
}

// result returns the result of the loop.
func (i *iteration) result() (jsontree.Value, error) {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("iterations").Int(int64(i.count))
		if w.Key("outputs"); i.keepAll || i.count == 0 {
			w.Raw(i.outputs.Bytes())
		} else {
			w.Array(func() { w.Value(i.last) })
		}
		w.Key("final_output").Value(i.last)
	})
	return parsed(w.Bytes())
}
