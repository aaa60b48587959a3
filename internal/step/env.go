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

// Values finds what a step may refer to. Only what is final may be found, so
// that a step gives the same result whenever it runs.
type Values interface {
	// Get returns the value of that name: of an earlier column or node first,
	// then of a column of the dataset or an input variable.
	Get(name string) (jsontree.Value, bool)
	// All ranges over all values in their order, each name once.
	All() iter.Seq2[string, jsontree.Value]
}

// Env is what a step runs in. A capability that is nil is one that this server
// does not have; steps that need it fail and say so.
type Env struct {
	Values Values
	// Report says that the step is a column of an evaluation rather than a
	// node of a workflow.
	Report bool
	// Depth is how many workflows the step is nested in beyond its own.
	Depth int

	Prompts    Prompts
	Models     Models
	Embeddings Embeddings
	Scripts    Scripts
	HTTP       HTTP
	Workflows  Workflows
}

// Prompts is the registry of prompts, as far as steps need it.
type Prompts interface {
	// Render finds the template that is asked for and fills in the variables.
	Render(ctx context.Context, request PromptRequest) (Prompt, error)
}

// PromptRequest asks for a rendered prompt: one of the registry, by name or
// id, or one that the configuration brings along.
type PromptRequest struct {
	// Name and ID say which prompt of the registry; one of them is set unless
	// Inline is.
	Name string
	ID   int64
	// Version is a version's number, Label a release label; at most one is
	// set, and neither means the latest version.
	Version int64
	Label   string
	// Inline is a prompt template, absent for one of the registry. Metadata
	// goes with it and is absent or an object.
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
	// Provider and Model are who is to answer, API which of the provider's
	// interfaces is called, "" for the usual one.
	Provider, Model, API string
	// Arguments is what the provider is called with.
	Arguments jsontree.Value
	// ID and Version are those of the registry's prompt, 0 for an inline one.
	ID, Version int64
	// Variables are those of the request that the prompt mentions.
	Variables jsontree.Value
	// Follow, where the prompt offers tools that can be run, runs those that
	// an output asks for. It returns the prompt with the output and what came
	// of it at its end, or followed is false where it is not all for the
	// server to do. It is for who calls the model; steps need not know.
	Follow func(ctx context.Context, output []byte) (next Prompt, followed bool, err error)
}

// Models asks language models.
type Models interface {
	// Complete has the prompt's model answer it.
	Complete(ctx context.Context, prompt Prompt) (Completion, error)
	// Ask has the default model answer a plain question.
	Ask(ctx context.Context, question Question) (string, error)
}

// Question is a plain question to the default model.
type Question struct {
	// Instructions are ours, Text is made of the user's values.
	Instructions, Text string
}

// Completion is a model's answer to a prompt.
type Completion struct {
	// Text is what the model said.
	Text string
	// Structured says that the model was told to answer in JSON.
	Structured bool
	// Response is the whole answer, absent when it is not known.
	Response jsontree.Value
}

// Embeddings turns texts into vectors that lie close to each other when the
// texts mean alike.
type Embeddings interface {
	// Embed returns one vector per text, all of one length. The error is
	// ErrNoEmbeddings when no model is set up that could.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// ErrNoEmbeddings says that texts have to be compared without a model.
var ErrNoEmbeddings = errors.New("no embedding model is set up")

// Language is what the code of a step is written in.
type Language string

// The languages of code.
const (
	Python     Language = "python"
	JavaScript Language = "javascript"
)

// Scripts runs code within limits of time, memory and output.
type Scripts interface {
	// Run runs the code with the variable data and returns what it returns.
	Run(ctx context.Context, language Language, code string, data jsontree.Value) (jsontree.Value, error)
}

// HTTP sends requests to other servers, and refuses those that may not be
// reached.
type HTTP interface {
	// Post sends a body. An answer of any status is a reply, whose body the
	// caller closes.
	Post(ctx context.Context, request HTTPRequest) (*HTTPReply, error)
}

// HTTPRequest is a POST.
type HTTPRequest struct {
	URL    string
	Header textproto.MIMEHeader
	Body   []byte
}

// HTTPReply is the answer to a POST.
type HTTPReply struct {
	Status int
	Header textproto.MIMEHeader
	Body   io.ReadCloser
}

// Workflows runs other workflows.
type Workflows interface {
	// Run runs a workflow to its end and returns its final output. The fault
	// says so when no output node succeeded.
	Run(ctx context.Context, request WorkflowRequest) (jsontree.Value, error)
}

// WorkflowRequest asks for a run of a workflow.
type WorkflowRequest struct {
	// ID, Name and VersionID say which workflow; one of them is set. VersionID
	// is the id of one version of one workflow.
	ID        int64
	Name      string
	VersionID int64
	// Version is a version's number, Label a release label; at most one is
	// set, and neither means the latest version.
	Version int64
	Label   string
	// Inputs is an object of input variables.
	Inputs jsontree.Value
	// Depth is the Depth of the run's steps.
	Depth int
}

// missing is the failure of a step whose capability the server lacks.
func missing(what string) error {
	return fault.New(fault.Unavailable, "%s not available on this server", what)
}

// value returns what is found under a name; what is not there is null.
func (e *Env) value(name string) jsontree.Value {
	if e.Values == nil {
		return null
	}
	if v, ok := e.Values.Get(name); ok && v.Given() {
		return v
	}
	return null
}

// text returns the string form of what is found under a name.
func (e *Env) text(name string) string { return Text(e.value(name)) }

// all ranges over all values.
func (e *Env) all() iter.Seq2[string, jsontree.Value] {
	if e.Values == nil {
		return func(func(string, jsontree.Value) bool) {}
	}
	return e.Values.All()
}
