// Package step implements the step types that nodes of workflows and columns of
// evaluations share: their configurations, the values that they refer to, and
// their results. A configuration is read once and then run for any number of
// rows.
//
// Models, prompts, code and other servers are reached through the small
// interfaces of Env.
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

// reader reads a configuration, records its problems and the values that it
// refers to, and returns the function that runs it. The result is not used if
// there are problems.
type reader func(c *settings) runner

// runner runs a step. It is safe for concurrent use.
type runner func(ctx context.Context, env *Env) (jsontree.Value, error)

// specs are all types, in display order.
var specs = []Spec{
	variableSpec, coalesceSpec, combineSpec,
	compareSpec, containsSpec, regexSpec, assertValidSpec,
	regexExtractionSpec, regexReplaceSpec, jsonPathSpec, xmlPathSpec, parseValueSpec, applyDiffSpec,
	countSpec, mathSpec, minMaxSpec, distanceSpec, cosineSpec,
	promptTemplateSpec, assertionSpec, extractionSpec, conversationSpec, codingAgentSpec,
	codeSpec, endpointSpec, mcpSpec,
	workflowSpec, forLoopSpec, whileLoopSpec,
	humanSpec,
}

// types maps names to types.
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

// Work is the kind of work that a step does.
type Work uint8

// Kinds of work.
const (
	// Inline steps compute a value immediately.
	Inline Work = iota
	// Slow steps take a while, but have no side effects and may be repeated.
	Slow
	// Effect steps have side effects outside of the process.
	Effect
)

// MarshalText returns the name of the kind.
func (w Work) MarshalText() ([]byte, error) {
	return []byte([...]string{Inline: "inline", Slow: "slow", Effect: "effect"}[w]), nil
}

// Work returns the kind of work that steps of the type do.
func (t Type) Work() Work { return t.spec.Work }

// SeesAll reports whether steps of the type see all values until now, not only
// those of their sources.
func (t Type) SeesAll() bool { return t.spec.SeesAll }

// Prepare reads a configuration. The first problem is returned as a BadRequest
// fault. The step refers to the bytes of the configuration, which must not
// change afterwards.
func (t Type) Prepare(config jsontree.Value) (*Step, error) {
	if config.Given() && config.Kind() != jsontree.Object {
		return nil, fault.BadRequestf("%s", fault.ObjectType.Msg)
	}
	c := newSettings(t.spec, config)
	run := t.spec.read(c)
	if err := c.err(); err != nil {
		return nil, err
	}
	return &Step{sources: c.sources, question: c.question, scale: c.scale, explains: c.explains, run: run}, nil
}

// Step is a configuration that is ready to run. It is safe for concurrent use.
type Step struct {
	sources  []string
	question *PersonQuestion
	scale    *Scale
	explains bool
	run      runner
}

// Sources returns the distinct names of the values that the step refers to, in
// the order of the configuration. The caller must not change the result.
func (s *Step) Sources() []string { return s.sources }

// Question returns what the step asks a person, nil if it asks nothing. The
// value of such a step is the answer, and it must not be run.
func (s *Step) Question() *PersonQuestion { return s.question }

// Scale returns the scale of the verdicts of a judge, nil if the step is none.
func (s *Step) Scale() *Scale { return s.scale }

// Explains reports whether the step gives reasons for its values.
func (s *Step) Explains() bool { return s.explains }

// Run runs the step once with the values of env. The value is never absent. A
// failure that users can fix is a fault; other errors are those of the
// capabilities of env and of the context.
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
