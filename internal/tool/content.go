package tool

import (
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// MaxSize is the highest number of bytes that a version takes in JSON. Prompts
// can refer to many tools, which are all read together.
const MaxSize = 1 << 20

// Content is what one version of a tool says. Definition and ResponseSchema are
// JSON as it was written.
type Content struct {
	// Description is the tool's own, nil for none. Every version repeats it.
	Description *string
	// Definition is the object that models are shown.
	Definition []byte
	// Execution is how the tool is run, the zero Execution where it is not the
	// registry that runs it.
	Execution Execution
	// ResponseSchema describes what the tool answers, nil for nothing.
	ResponseSchema []byte
}

// Execution is code that runs a tool.
type Execution struct {
	// Language is python or javascript, and "" where there is no code.
	Language, Code string
}

// Given reports whether somebody said how the tool is run.
func (e Execution) Given() bool { return e.Language != "" }

// runnable reports whether there is anything to run.
func (e Execution) runnable() bool { return e.Given() && strings.TrimSpace(e.Code) != "" }

// encode returns the execution in JSON, nil where there is none.
func (e Execution) encode() []byte {
	if !e.Given() {
		return nil
	}
	text := jsontree.AppendQuoted([]byte(`{"type":"code","language":`), e.Language)
	text = jsontree.AppendQuoted(append(text, `,"code":`...), e.Code)
	return append(text, '}')
}

// FunctionName returns the name that models call the tool by, "" where the
// definition says none.
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

// encode returns the body of a version. The fault is BadRequest when it is too
// large.
func (c *Content) encode() ([]byte, error) {
	text := []byte(`{"` + descriptionKey + `":`)
	if c.Description != nil {
		text = jsontree.AppendQuoted(text, *c.Description)
	} else {
		text = append(text, "null"...)
	}
	for _, member := range []struct {
		key   string
		value []byte
	}{{definitionKey, c.Definition}, {executionKey, c.Execution.encode()}, {schemaKey, c.ResponseSchema}} {
		text = append(text, `,"`+member.key+`":`...)
		text = append(text, orNull(member.value)...)
	}
	if text = append(text, '}'); len(text) > MaxSize {
		return nil, fault.BadRequestf("The tool is too large: it takes %d bytes, more than %d", len(text), MaxSize)
	}
	return text, nil
}

func orNull(text []byte) []byte {
	if text == nil {
		return []byte("null")
	}
	return text
}

// decode reads the body of a version.
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

// executionOf reads an execution that encode wrote.
func executionOf(v jsontree.Value) Execution {
	return Execution{Language: v.Get("language").Str(), Code: v.Get("code").Str()}
}
