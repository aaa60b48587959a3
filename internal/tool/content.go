package tool

import (
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// MaxSize is the maximum number of bytes of a version in JSON. Prompt templates
// can refer to many tools, which are all read together.
const MaxSize = 1 << 20

// Content is the content of a version. Definition and ResponseSchema are JSON as
// the client wrote it.
type Content struct {
	// Description is that of the tool, nil for none. Every version repeats it.
	Description *string
	// Definition is the object that models see.
	Definition []byte
	// Execution is the code that runs the tool, the zero Execution if the
	// registry does not run it.
	Execution Execution
	// ResponseSchema describes the tool's results, nil for none.
	ResponseSchema []byte
}

// Execution is code that runs a tool.
type Execution struct {
	// Language is python or javascript, or empty if there is no code.
	Language, Code string
}

// Given reports whether there is an execution, even without code.
func (e Execution) Given() bool { return e.Language != "" }

// runnable reports whether there is code to run.
func (e Execution) runnable() bool { return e.Given() && strings.TrimSpace(e.Code) != "" }

// write writes the execution, null if there is none.
func (e Execution) write(w *jsontree.Writer) {
	if !e.Given() {
		w.Null()
		return
	}
	w.Object(func() {
		w.Key("type").String("code")
		w.Key("language").String(e.Language)
		w.Key("code").String(e.Code)
	})
}

// FunctionName returns the name by which models call the tool, empty if the
// definition has none.
func (c *Content) FunctionName() string { return functionName(c.Definition) }

func functionName(definition []byte) string {
	tree, err := jsontree.Parse(definition)
	if err != nil {
		return ""
	}
	return tree.Get("function").Get("name").Str()
}

// The members of a stored version.
const (
	descriptionKey = "description"
	definitionKey  = "tool_definition"
	executionKey   = "execution"
	schemaKey      = "response_schema"
)

// check returns an Invalid fault unless the definition is an object.
func (c Content) check(bool) error {
	if parsed, err := jsontree.Parse(c.Definition); err != nil || parsed.Kind() != jsontree.Object {
		return fault.New(fault.Invalid, "the definition of a tool must be an object")
	}
	return nil
}

// encode returns the body of a version.
func (c Content) encode() ([]byte, error) {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key(descriptionKey).OptString(c.Description)
		w.Key(definitionKey).Raw(c.Definition)
		c.Execution.write(w.Key(executionKey))
		w.Key(schemaKey).Raw(c.ResponseSchema)
	})
	return w.Bytes(), nil
}

// decode returns the content of a stored version.
func decode(version *entity.Version) (Content, error) {
	body, err := jsontree.Parse(version.Body)
	if err != nil {
		return Content{}, fmt.Errorf("version %d of tool %d: %w", version.Number, version.EntityID, err)
	}
	c := Content{Definition: body.Get(definitionKey).Raw()}
	if description := body.Get(descriptionKey); description.Given() {
		c.Description = new(description.Str())
	}
	if execution := body.Get(executionKey); execution.Given() {
		c.Execution = executionOf(execution)
	}
	if schema := body.Get(schemaKey); schema.Given() {
		c.ResponseSchema = schema.Raw()
	}
	return c, nil
}

// executionOf returns a stored execution.
func executionOf(v jsontree.Value) Execution {
	return Execution{Language: v.Get("language").Str(), Code: v.Get("code").Str()}
}
