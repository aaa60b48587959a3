// Package step holds the types of work that nodes of workflows and columns of
// evaluations share: what a configuration may say, which values it refers to,
// and what comes out of it. A configuration is read once and then run for as
// many rows as there are.
//
// What lies outside of the process, such as models, prompts, code and other
// servers, is asked for through the small interfaces of Env.
package step

import (
	"context"
	"maps"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Type is one kind of step, such as COMPARE.
type Type struct{ spec *Spec }

// reader reads a configuration, records in it what is wrong and which values
// are referred to, and returns what is to be done. What it returns after
// recording a mistake is not used.
type reader func(c *settings) runner

// runner does the work of a step. It is called by many goroutines at once.
type runner func(ctx context.Context, env *Env) (jsontree.Value, error)

// specs are all types, in the order in which they are offered.
var specs = []Spec{
	variableSpec, coalesceSpec, combineSpec,
	compareSpec, containsSpec, regexSpec, assertValidSpec,
	regexExtractionSpec, jsonPathSpec, xmlPathSpec, parseValueSpec, applyDiffSpec,
	countSpec, mathSpec, minMaxSpec, distanceSpec, cosineSpec,
	promptTemplateSpec, assertionSpec, extractionSpec, conversationSpec, codingAgentSpec,
	codeSpec, endpointSpec, mcpSpec,
	workflowSpec, forLoopSpec, whileLoopSpec,
	humanSpec,
}

// types finds the types by name.
var types = func() map[string]*Spec {
	byName := make(map[string]*Spec, len(specs))
	for i := range specs {
		byName[specs[i].Name] = &specs[i]
	}
	return byName
}()

// Find returns the type with exactly that name, and whether there is one.
func Find(name string) (Type, bool) {
	spec, ok := types[name]
	return Type{spec}, ok
}

// Names returns the names of all types in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(types)) }

// Name returns the name by which Find finds the type.
func (t Type) Name() string { return t.spec.Name }

// Work says what running a step takes.
type Work uint8

// The kinds of work.
const (
	// Inline steps compute something in no time.
	Inline Work = iota
	// Slow steps take their time, but may be repeated: nobody outside notices.
	Slow
	// Effect steps do something outside of the process.
	Effect
)

// Work returns what running a step of the type takes.
func (t Type) Work() Work { return t.spec.Work }

// Prepare reads a configuration. What is wrong with it is a BadRequest fault
// with a short text. The step refers to the configuration's bytes, which must
// not change afterwards.
func (t Type) Prepare(config jsontree.Value) (*Step, error) {
	if config.Given() && config.Kind() != jsontree.Object {
		return nil, fault.BadRequestf("%s", fault.ObjectType.Msg)
	}
	c := newSettings(t.spec, config)
	run := t.spec.read(c)
	if err := c.err(); err != nil {
		return nil, err
	}
	return &Step{sources: c.sources, run: run}, nil
}

// Step is a configuration that was read and can be run, by many goroutines at
// once.
type Step struct {
	sources []string
	run     runner
}

// Sources returns the names of what the step refers to, in the order of the
// configuration, each once. The caller must not change the result.
func (s *Step) Sources() []string { return s.sources }

// Run does the step's work once with the values of env. The value is never
// absent. A failure that the user can do something about is a fault; it may
// also be whatever a capability of env failed with, or the context's error.
func (s *Step) Run(ctx context.Context, env *Env) (jsontree.Value, error) {
	if err := ctx.Err(); err != nil {
		return jsontree.Value{}, err
	}
	value, err := s.run(ctx, env)
	if err != nil {
		return jsontree.Value{}, err
	}
	if value.Kind() == jsontree.Absent {
		return null, nil
	}
	return value, nil
}
