package workflow_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow"
)

// TestStepTypes checks graphs of real steps; the steps themselves are tested
// where they are.
func TestStepTypes(t *testing.T) {
	t.Parallel()
	variable := typed("VARIABLE", `{"value":{"type":"string","value":"x"}}`, "a", false)
	compare := func(sources string) string {
		return typed("COMPARE", `{"sources":`+sources+`}`, "same", true)
	}
	tests := map[string]struct {
		nodes   []string
		message string
	}{
		"right":                 {[]string{variable, compare(`["a","city"]`)}, ""},
		"a type of evaluations": {[]string{typed("DATASET", "{}", "a", true)}, "Invalid node type: DATASET"},
		"an unknown source":     {[]string{variable, compare(`["a","b"]`)}, "Node 'same' references unknown source 'b'"},
		"its own source":        {[]string{variable, compare(`["a","same"]`)}, "Workflow contains a cycle: same -> same"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := define(t, graph(test.nodes, nil, `"city":"string"`))
			err := d.Check(workflow.StepTypes{}, false)
			if test.message == "" {
				check.Must(0, err)(t)
				return
			}
			check.Refused(t, err, fault.BadRequest, test.message)
		})
	}
	d := define(t, graph([]string{variable, compare(`["a"]`)}, nil, ""))
	err := d.Check(workflow.StepTypes{}, false)
	if fault.KindOf(err) != fault.BadRequest || len(err.Error()) < len("Invalid configuration for node 'same': ")+5 {
		t.Errorf("one source is refused with %v", err)
	}
	if sources := (workflow.StepTypes{}).Sources("NONE", check.JSON(`{}`)); sources != nil {
		t.Errorf("an unknown type has the sources %v", sources)
	}
}
