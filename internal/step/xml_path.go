package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// readXMLPath reads XML_PATH: a part of an XML document, or all such parts.
func readXMLPath(c *settings) runner {
	source := c.source("source")
	query := c.xpath("xml_path", "xpath")
	all := c.flag(false, "return_all")
	if c.has("type") {
		all = c.word("find", []string{"find", "findall"}, "type") == "findall"
	}
	query.text = c.flag(true, "return_text")
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		found, err := query.find(ctx, env.text(source), all)
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
	out := []byte{'['}
	for i, text := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsontree.AppendQuoted(out, text)
	}
	return parsed(append(out, ']'))
}
