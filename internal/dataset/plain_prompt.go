package dataset

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// eachPrompt returns a function that writes the condition on each prompt template
// of a list.
func eachPrompt(write func(w *jsontree.Writer, name jsontree.Value, versions []jsontree.Value)) func(*jsontree.Writer, jsontree.Value) error {
	return func(w *jsontree.Writer, v jsontree.Value) error {
		if v.Kind() != jsontree.Array || v.Len() == 0 {
			return fault.BadRequestf("must be a list of prompt templates")
		}
		for _, one := range v.Elems() {
			name, versions, err := promptOf(one)
			if err != nil {
				return err
			}
			write(w, name, versions)
		}
		return nil
	}
}

// promptOf reads a prompt template: its name, or an object with the name and
// optional version numbers.
func promptOf(v jsontree.Value) (name jsontree.Value, versions []jsontree.Value, err error) {
	if v.Kind() == jsontree.String {
		return v, nil, nil
	}
	name, numbers := v.Get("name"), v.Get("version_numbers")
	switch {
	case name.Kind() != jsontree.String:
		return name, nil, fault.BadRequestf("must be a list of names, or of objects with 'name'")
	case v.Get("labels").Len() > 0:
		return name, nil, fault.BadRequestf("'labels' is not supported: use 'version_numbers', or prompt_label_id")
	case numbers.Given() && numbers.Kind() != jsontree.Array:
		return name, nil, fault.BadRequestf("'version_numbers' must be a list of numbers")
	}
	for _, number := range numbers.Elems() {
		versions = append(versions, number)
	}
	return name, versions, nil
}

// writePrompt writes the condition that a request used one of the versions of a
// prompt template, any version if there are none.
func writePrompt(w *jsontree.Writer, name jsontree.Value, versions []jsontree.Value) {
	writeGroup(w, "AND", func() {
		writeFilter(w, query.FieldPrompt, query.OpIs, "", func() { w.Value(name) })
		if len(versions) > 0 {
			writeGroup(w, "OR", func() { writeVersions(w, query.OpEq, versions) })
		}
	})
}

// writeNotPrompt writes the opposite of writePrompt.
func writeNotPrompt(w *jsontree.Writer, name jsontree.Value, versions []jsontree.Value) {
	writeGroup(w, "OR", func() {
		writeFilter(w, query.FieldPrompt, query.OpIsNot, "", func() { w.Value(name) })
		if len(versions) > 0 {
			writeGroup(w, "AND", func() { writeVersions(w, query.OpNeq, versions) })
		}
	})
}

func writeVersions(w *jsontree.Writer, op query.Op, versions []jsontree.Value) {
	for _, version := range versions {
		writeFilter(w, query.FieldPromptVersion, op, "", func() { w.Value(version) })
	}
}
