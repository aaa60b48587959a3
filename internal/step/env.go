package step

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/textproto"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Values holds the values that a step may refer to. It must contain final
// values only, so that a step always has the same result.
type Values interface {
	// Get returns the value of that name: of an earlier column or node first,
	// then of a column of the dataset or an input variable.
	Get(name string) (jsontree.Value, bool)
	// All ranges over all values in order, with distinct names.
	All() iter.Seq2[string, jsontree.Value]
}

// Env is the environment of a step. A nil capability is not available on this
// server; steps that need it fail with a message that says so.
type Env struct {
	Values Values
	// Report is true for a column of an evaluation, false for a node of a
	// workflow.
	Report bool
	// Depth is the number of workflows around that of the step.
	Depth int
	// Explain, unless nil, is called with the reason for the value, if the step has
	// one.
	Explain func(reason string)

	Prompts    Prompts
	Models     Models
	Embeddings Embeddings
	Scripts    Scripts
	HTTP       HTTP
	Workflows  Workflows
	// Credentials opens sealed credentials and environment variables.
	Credentials Credentials
	// Turn waits until the workspace may run one more expression or path over a text,
	// so that no workspace delays others. Steps call end afterwards. If it is nil,
	// they do not wait.
	Turn func(ctx context.Context) (end func(), err error)
}

// Prompts is the part of the prompt registry that steps need.
type Prompts interface {
	// Render finds the requested template and fills in the variables.
	Render(ctx context.Context, request PromptRequest) (Prompt, error)
}

// PromptRequest selects a prompt to render: one of the registry, by name or id,
// or an inline one.
type PromptRequest struct {
	// Name and ID identify a prompt of the registry; one of them is set unless
	// Inline is.
	Name string
	ID   int64
	// Version is a version's number, Label a release label; at most one is
	// set, and neither means the latest version.
	Version int64
	Label   string
	// Inline is a prompt template, absent for a prompt of the registry.
	// Metadata is its metadata, absent or an object.
	Inline, Metadata jsontree.Value
	// Variables is an object of everything that the step can refer to.
	Variables jsontree.Value
	// History is absent, or an array of messages that follow the template's.
	History jsontree.Value
	// Provider, Model and Parameters replace or extend those of the template;
	// Parameters is absent or an object.
	Provider, Model string
	Parameters      jsontree.Value
}

// Prompt is a rendered prompt that is ready for a model.
type Prompt struct {
	// Template is the rendered template.
	Template jsontree.Value
	// Provider and Model identify the model to call, API the provider's API,
	// "" for the default one.
	Provider, Model, API string
	// Arguments are the arguments of the call to the provider.
	Arguments jsontree.Value
	// ID and Version are those of the registry's prompt, 0 for an inline one.
	ID, Version int64
	// Variables are the variables of the request that the prompt uses.
	Variables jsontree.Value
	// Follow runs the tool calls of an output. It returns the prompt with the
	// output and the results at its end; followed is false if the server cannot
	// run all of them. It is nil if the prompt has no such tools. Only the
	// implementation of Models uses it.
	Follow func(ctx context.Context, output []byte) (next Prompt, followed bool, err error)
}

// Models calls language models.
type Models interface {
	// Complete sends the prompt to its model.
	Complete(ctx context.Context, prompt Prompt) (Completion, error)
	// Ask sends a plain question to a model.
	Ask(ctx context.Context, question Question) (string, error)
}

// Question is a plain question to a model.
type Question struct {
	Model Model
	// Instructions are part of the program, Text has values of the user.
	Instructions, Text string
}

// Completion is a model's answer to a prompt.
type Completion struct {
	// Text is the text of the answer.
	Text string
	// Structured reports whether the request asked for JSON.
	Structured bool
	// Response is the whole response, absent if unknown.
	Response jsontree.Value
}

// Embeddings turns texts into vectors that are close for texts with a similar
// meaning.
type Embeddings interface {
	// Embed returns one vector per text, all of the same length. The error is
	// ErrNoEmbeddings if no embedding model is set up.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// ErrNoEmbeddings means that texts must be compared without a model.
var ErrNoEmbeddings = errors.New("no embedding model is set up")

// Language is the programming language of code.
type Language string

// Supported languages.
const (
	Python     Language = "python"
	JavaScript Language = "javascript"
)

// Scripts runs code within limits of time, memory and output.
type Scripts interface {
	// Run runs the code with the variable data and returns its result.
	Run(ctx context.Context, language Language, code string, data jsontree.Value) (jsontree.Value, error)
}

// HTTP sends requests to other servers, and rejects forbidden addresses.
type HTTP interface {
	// Post sends a body. A response with any status is a reply; the caller
	// closes its body.
	Post(ctx context.Context, request HTTPRequest) (*HTTPReply, error)
}

// HTTPRequest is a POST request.
type HTTPRequest struct {
	URL    string
	Header textproto.MIMEHeader
	Body   []byte
}

// HTTPReply is the response to a POST request.
type HTTPReply struct {
	Status int
	Header textproto.MIMEHeader
	Body   io.ReadCloser
}

// Workflows runs other workflows.
type Workflows interface {
	// Run runs a workflow and returns its final output. It returns a fault if
	// no output node succeeded.
	Run(ctx context.Context, request WorkflowRequest) (jsontree.Value, error)
}

// WorkflowRequest selects a workflow to run.
type WorkflowRequest struct {
	// ID, Name and VersionID identify the workflow; one of them is set.
	// VersionID is the id of one version.
	ID        int64
	Name      string
	VersionID int64
	// Version is a version's number, Label a release label; at most one is
	// set, and neither means the latest version.
	Version int64
	Label   string
	// Inputs is an object of input variables.
	Inputs jsontree.Value
	// Depth is the Depth of the steps of the run.
	Depth int
}

// missing returns the failure of a step whose capability is not available.
func missing(what string) error {
	return fault.New(fault.Unavailable, "%s not available on this server", what)
}

// value returns the value of that name, null if there is none.
func (e *Env) value(name string) jsontree.Value {
	if e.Values == nil {
		return null
	}
	if v, ok := e.Values.Get(name); ok && v.Given() {
		return v
	}
	return null
}

// explain passes on the reason for the value, if there is one.
func (e *Env) explain(reason string) {
	if e.Explain != nil && reason != "" {
		e.Explain(reason)
	}
}

// text returns the string form of the value of that name.
func (e *Env) text(name string) string { return Text(e.value(name)) }

// all ranges over all values.
func (e *Env) all() iter.Seq2[string, jsontree.Value] {
	if e.Values == nil {
		return func(func(string, jsontree.Value) bool) {}
	}
	return e.Values.All()
}
