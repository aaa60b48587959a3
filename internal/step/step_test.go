package step_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/step"
)

func TestAllTypesExist(t *testing.T) {
	t.Parallel()
	want := strings.Fields(`ABSOLUTE_NUMERIC_DISTANCE AI_DATA_EXTRACTION APPLY_DIFF ASSERT_VALID COALESCE CODE_EXECUTION CODING_AGENT
		COMBINE_COLUMNS COMPARE CONTAINS CONVERSATION_SIMULATOR COSINE_SIMILARITY COUNT ENDPOINT FOR_LOOP HUMAN JSON_PATH
		LLM_ASSERTION MATH_OPERATOR MCP MIN_MAX PARSE_VALUE PROMPT_TEMPLATE REGEX REGEX_EXTRACTION REGEX_REPLACE VARIABLE WHILE_LOOP WORKFLOW XML_PATH`)
	if len(want) != 30 || !slices.IsSorted(want) {
		t.Fatal("the test is wrong")
	}
	if diff := cmp.Diff(want, step.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for _, name := range want {
		found, ok := step.Find(name)
		if !ok || found.Name() != name {
			t.Errorf("Find(%s) = %s, %v", name, found.Name(), ok)
		}
		if _, err := prepare(t, name, `[]`); err == nil {
			t.Errorf("%s accepts an array as a configuration", name)
		}
		if _, err := prepare(t, name, `{}`); err == nil && name != "HUMAN" {
			t.Errorf("%s accepts an empty configuration", name)
		}
	}
	for _, name := range []string{"", "compare", "Compare", "DATASET", "TEXT", "COMPOSITION", "TRAJECTORY", "TRACE", "CONDITION"} {
		if _, ok := step.Find(name); ok {
			t.Errorf("there is a type %q", name)
		}
	}
}

func TestCancelledBeforeItRuns(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mustPrepare(t, "VARIABLE", `{"value":1}`).Run(ctx, &step.Env{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestNothingIsAvailable runs each type in an empty environment.
func TestNothingIsAvailable(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]string{
		"CODE_EXECUTION":         `{"code":"x","language":"python"}`,
		"PROMPT_TEMPLATE":        `{"template":{"prompt_name":"p"}}`,
		"LLM_ASSERTION":          `{"source":"a","prompt":"p"}`,
		"AI_DATA_EXTRACTION":     `{"source":"a","query":"p"}`,
		"CONVERSATION_SIMULATOR": `{"template":{"name":"p"},"user_persona":"u"}`,
		"ENDPOINT":               `{"url":"http://localhost"}`,
		"MCP":                    `{"server_url":"http://localhost","function_name":"f"}`,
		"WORKFLOW":               `{"workflow_id":1}`,
		"FOR_LOOP":               `{"loop_type":"workflow","workflow_config":{"workflow_id":1},"max_iterations":1}`,
		"WHILE_LOOP":             `{"loop_type":"prompt","prompt_config":{"template":{"id":1}}}`,
	} {
		_, err := mustPrepare(t, name, config).Run(t.Context(), &step.Env{})
		wantFault(t, err, "not available on this server")
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	list := valuesOf(t, `{"a":1,"b":2,"a":3}`)
	if v, ok := list.Get("a"); !ok || string(v.Raw()) != "1" {
		t.Errorf("a = %s, %v", v.Raw(), ok)
	}
	if _, ok := list.Get("c"); ok {
		t.Error("there is a c")
	}
	var names []string
	for name := range list.All() {
		names = append(names, name)
	}
	if diff := cmp.Diff([]string{"a", "b"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for range list.All() {
		break // must not panic
	}
}
