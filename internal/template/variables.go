package template

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template/render"
)

// names is a list of distinct names in order of first appearance.
type names struct {
	list []string
	seen map[string]struct{} // for lists that are too long to search
}

// fewNames is the number of names up to which a linear search is faster.
const fewNames = 16

func (n *names) add(name string) {
	if n.has(name) {
		return
	}
	n.list = append(n.list, name)
	if n.seen != nil {
		n.seen[name] = struct{}{}
	}
}

func (n *names) has(name string) bool {
	if len(n.list) <= fewNames {
		return slices.Contains(n.list, name)
	}
	if n.seen == nil {
		n.seen = make(map[string]struct{}, 2*len(n.list))
		for _, known := range n.list {
			n.seen[known] = struct{}{}
		}
	}
	_, ok := n.seen[name]
	return ok
}

func (n *names) addAll(list []string) {
	for _, name := range list {
		n.add(name)
	}
}

// addStrings adds the strings of a JSON array.
func (n *names) addStrings(array jsontree.Value) {
	for _, v := range array.Elems() {
		if v.Kind() == jsontree.String {
			n.add(v.Str())
		}
	}
}

// encode returns the names as a JSON array.
func (n *names) encode() []byte {
	w := jsontree.NewWriter(nil)
	w.Strings(n.list)
	return w.Bytes()
}

// addHolder adds the variables that a message or a completion lists, then those
// of its content.
func (n *names) addHolder(holder jsontree.Value) {
	n.addStrings(holder.Get("input_variables"))
	format := holderFormat(holder)
	for _, item := range holder.Get("content").Elems() {
		if text, ok := itemText(item); ok {
			n.addText(format, text.Str())
		} else if name, ok := listVariable(item); ok {
			n.add(name)
		}
	}
}

// addText adds the variables of a text, ignoring snippet tags.
func (n *names) addText(format render.Format, text string) {
	n.addAll(render.Variables(format, ExpandText(text, func(Ref) (string, bool) { return "", true })))
}

// addTools adds the variables of tools.
func (n *names) addTools(template jsontree.Value) {
	for _, tool := range template.Get("tools").Elems() {
		if name, ok := toolVariable(tool); ok {
			n.add(name)
		}
	}
}

// listVariable returns the variable for whose values an item is repeated.
func listVariable(item jsontree.Value) (name string, ok bool) {
	variable := item.Get("image_variable")
	switch kind := item.Get("type"); {
	case kind.Is("image_url"):
	case kind.Is("media_variable"):
		variable = item.Get("name")
	default:
		return "", false
	}
	name = variable.Str()
	return name, name != ""
}

// toolVariable returns the variable of a tool.
func toolVariable(tool jsontree.Value) (name string, ok bool) {
	if !tool.Get("type").Is("variable") {
		return "", false
	}
	variable := tool.Get("name")
	return variable.Str(), variable.Kind() == jsontree.String
}
