package prompt

import (
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// Content is the content of a version. Stored content is checked and
// normalized.
type Content struct {
	Template []byte
	// Metadata is an object, nil for none.
	Metadata []byte
	// Settings are stored for the client that sent them.
	Settings []Setting
}

// Setting is a member other than template and metadata.
type Setting struct {
	Name  string
	Value json.RawMessage
}

// The members of a stored version.
const (
	templateKey        = "prompt_template"
	metadataKey        = "metadata"
	inferenceClientKey = "inference_client_name"
)

// The locations of content in requests.
var (
	publishedAt = fault.In("prompt_version")
	patchedAt   = fault.In()
)

// check returns an Invalid fault for invalid content. The metadata of an edited
// version is not checked: it is valid metadata with other parameters.
func (c Content) check(edited bool) error {
	if edited {
		return c.checkAt(patchedAt, nil)
	}
	return c.checkAt(publishedAt, c.Metadata)
}

// checkAt checks a template and metadata at a location of a request.
func (c Content) checkAt(at []any, metadata []byte) error {
	tmpl, err := jsontree.Parse(c.Template)
	if err != nil {
		return fmt.Errorf("template: %w", err)
	}
	var problems fault.Problems
	template.Check(tmpl, at, templateKey, template.Strict, &problems)
	template.CheckMetadata(tree(metadata), at, metadataKey, &problems)
	if len(template.Refs(tmpl)) > maxSnippets {
		problems.Add(templateLoc, "value_error", "must not use more than %d snippets", maxSnippets)
	}
	return problems.Err()
}

// normalize returns checked content in normal form.
func (c Content) normalize() Content {
	c.Template = template.Normalize(tree(c.Template))
	if metadata := tree(c.Metadata); metadata.Given() {
		c.Metadata = metadata.Compact()
	} else {
		c.Metadata = nil
	}
	return c
}

// encode returns the body of a version.
func (c Content) encode() ([]byte, error) {
	w := jsontree.NewWriter(make([]byte, 0, len(c.Template)+len(c.Metadata)+64))
	w.Object(func() {
		w.Key(templateKey).Raw(c.Template)
		w.Key(metadataKey).Raw(c.Metadata)
		for _, setting := range c.Settings {
			w.Key(setting.Name).Raw(setting.Value)
		}
	})
	return w.Bytes(), nil
}

// decodeContent returns the content of a stored version.
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

// setting returns a setting, absent if it is not set.
func (c *Content) setting(name string) jsontree.Value {
	for _, s := range c.Settings {
		if s.Name == name {
			return tree(s.Value)
		}
	}
	return jsontree.Value{}
}

// tree parses JSON that is known to be valid. Empty text is an absent value.
func tree(text []byte) jsontree.Value {
	if len(text) == 0 {
		return jsontree.Value{}
	}
	v, _ := jsontree.Parse(text)
	return v
}

// references returns the references of a template, for the store.
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

// distinct returns the values in order without duplicates.
func distinct[T comparable](values []T) []T {
	var out []T
	seen := map[T]struct{}{}
	for _, v := range values {
		if _, known := seen[v]; !known {
			seen[v] = struct{}{}
			out = append(out, v)
		}
	}
	return out
}
