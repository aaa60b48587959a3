package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var xmlPathSpec = Spec{
	Name: "XML_PATH", Label: "XML path", Group: groupData, Icon: "code-xml",
	Doc:     "Extracts a part of an XML document.",
	Summary: "{source} {xml_path}",
	Initial: []byte(`{"source":"$source","xml_path":""}`),
	Fields: []Field{
		sourceField,
		{Name: "xml_path", Aliases: []string{"xpath"}, Kind: FieldPattern, Label: "XPath"},
		{Name: "type", Kind: FieldChoice, Label: "Return", Optional: true, Choices: []Choice{{"find", "first match"}, {"findall", "all matches"}}, Default: "find"},
		{Name: "return_text", Kind: FieldFlag, Label: "Text only", Default: true},
		{Name: "return_all", Kind: FieldJSON, Label: "All matches", Optional: true, Default: false},
	},
	read: readXMLPath,
}

// readXMLPath reads XML_PATH: a part of an XML document, or all such parts.
func readXMLPath(c *settings) runner {
	source := c.source("source")
	query := c.xpath("xml_path")
	all := c.flag(false, "return_all")
	if c.has("type") {
		all = c.choice("type") == "findall"
	}
	query.text = c.flag(true, "return_text")
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		found, err := query.find(ctx, env, env.text(source), all)
		if err != nil {
			return jsontree.Value{}, err
		}
		if all {
			return texts(found)
		}
		if len(found) == 0 {
			return null, nil
		}
		return textValue(found[0])
	}
}

// texts returns an array of strings.
func texts(list []string) (jsontree.Value, error) {
	w := jsontree.NewWriter(nil)
	w.Strings(list)
	return parsed(w.Bytes())
}
