package jinja

import (
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// plenty returns a meter that no sensible template exhausts.
func plenty() *Meter {
	return &Meter{Steps: 2_000_000, Memory: 16 << 20, Output: 4 << 20, Stopped: func() error { return nil }}
}

// variablesOf parses variables from JSON.
func variablesOf(t testing.TB, json string) Lookup {
	t.Helper()
	object, err := jsontree.Parse([]byte(json))
	if err != nil {
		t.Fatal(err)
	}
	return func(name string) (jsontree.Value, bool) {
		v := object.Get(name)
		return v, v.Kind() != jsontree.Absent
	}
}

func render(t testing.TB, source, variables string, meter *Meter) (Output, error) {
	t.Helper()
	template, err := Parse(source)
	if err != nil {
		return Output{}, err
	}
	return template.Render(variablesOf(t, variables), meter)
}
