package prompt

import (
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt/template"
)

// Content is what one version of a template says, as it is stored.
type Content struct {
	// Template is in its normal form.
	Template []byte
	// Metadata is an object, nil for none.
	Metadata []byte
	// Settings are members that are kept for whoever sent them.
	Settings []Setting
}

// Setting is one member beside template and metadata.
type Setting struct {
	Name  string
	Value json.RawMessage
}

// The members of a stored version.
const (
	templateKey = "prompt_template"
	metadataKey = "metadata"
)

// encode returns the body of a version.
func (c *Content) encode() []byte {
	text := make([]byte, 0, len(c.Template)+len(c.Metadata)+64)
	text = append(text, `{"`+templateKey+`":`...)
	text = append(text, c.Template...)
	text = append(text, `,"`+metadataKey+`":`...)
	text = append(text, orNull(c.Metadata)...)
	for _, setting := range c.Settings {
		text = append(text, ',')
		text = jsontree.AppendQuoted(text, setting.Name)
		text = append(text, ':')
		text = append(text, setting.Value...)
	}
	return append(text, '}')
}

func orNull(text []byte) []byte {
	if len(text) == 0 {
		return []byte("null")
	}
	return text
}

// decodeContent reads the body of a version.
func decodeContent(version *entity.Version) (Content, error) {
	body, err := jsontree.Parse(version.Body)
	if err != nil {
		return Content{}, fmt.Errorf("version %d of prompt %d: %w", version.Number, version.EntityID, err)
	}
	var c Content
	for name, member := range body.Members() {
		switch name {
		case templateKey:
			c.Template = member.Raw()
		case metadataKey:
			if member.Given() {
				c.Metadata = member.Raw()
			}
		default:
			c.Settings = append(c.Settings, Setting{Name: name, Value: member.Raw()})
		}
	}
	return c, nil
}

// tree parses JSON that is known to be right: it was checked when it was
// stored, or made here. Nothing is the tree of nothing.
func tree(text []byte) jsontree.Value {
	if len(text) == 0 {
		return jsontree.Value{}
	}
	v, _ := jsontree.Parse(text)
	return v
}

// references returns what the template refers to, for the catalog.
func references(tmpl jsontree.Value) []entity.Reference {
	refs := template.Refs(tmpl)
	out := make([]entity.Reference, len(refs))
	for i, ref := range refs {
		out[i] = reference(ref)
	}
	return out
}

func reference(ref template.Ref) entity.Reference {
	return entity.Reference{Name: ref.Name, Number: ref.Version, Label: ref.Label}
}
