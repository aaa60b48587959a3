package jsontree_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
)

func TestSplice(t *testing.T) {
	t.Parallel()
	outer := jsontree.MustParse(` [0, { "a" : 1.50, "b":[ "x", {"c": null} ] , "a":2 }]`)
	var v jsontree.Value
	for _, element := range outer.Elems() {
		v = element // the last one
	}
	edit := func(of jsontree.Value, text string) jsontree.Edit {
		return jsontree.Edit{Value: of, Text: []byte(text)}
	}
	var inner jsontree.Value
	for _, element := range v.Get("b").Elems() {
		inner = element.Get("c")
	}
	check.Equal(t, "nothing", string(v.Splice(nil)), string(v.Raw()))
	check.Equal(t, "in any order", string(v.Splice([]jsontree.Edit{edit(v.Get("a"), `"two"`), edit(inner, `{}`)})),
		`{ "a" : 1.50, "b":[ "x", {"c": {}} ] , "a":"two" }`)
	check.Equal(t, "overlapping", string(v.Splice([]jsontree.Edit{edit(inner, `1`), edit(v.Get("b"), `2`)})), `{ "a" : 1.50, "b":2 , "a":2 }`)
	check.Equal(t, "itself", string(v.Splice([]jsontree.Edit{edit(v, `3`)})), `3`)
}
