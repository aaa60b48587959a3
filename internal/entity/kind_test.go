package entity_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestTypeOfEntity(t *testing.T) {
	t.Parallel()
	want := map[entity.Kind]entity.Type{
		entity.KindFolder: "FOLDER", entity.KindPrompt: "PROMPT", entity.KindWorkflow: "WORKFLOW",
		entity.KindDataset: "DATASET", entity.KindReport: "REPORT", entity.KindABTest: "AB_TEST",
		entity.KindVariableSet: "INPUT_VARIABLE_SET", entity.KindSkill: "SKILL_COLLECTION", entity.KindTool: "TOOL",
		"robot": "ROBOT",
	}
	for kind, typ := range want {
		for _, variant := range []string{"", "other"} {
			check.Equal(t, "type of "+string(kind), entity.Entity{Kind: kind, Variant: variant}.Type(), typ)
		}
	}
	check.Equal(t, "snippet", entity.Entity{Kind: entity.KindPrompt, Variant: "snippet"}.Type(), entity.TypeSnippet)
	check.Equal(t, "tool of a prompt's variant", entity.Entity{Kind: entity.KindTool, Variant: "snippet"}.Type(), entity.TypeTool)
}

func TestUnknownKindIsHiddenAndListedLast(t *testing.T) {
	t.Parallel()
	robot := entity.Entity{Kind: "robot"}
	check.Equal(t, "traits", robot.Traits(), entity.Traits{Kind: "robot", Type: "ROBOT", Noun: "robot", Hidden: true})
	check.Equal(t, "rank", robot.Rank(), len(entity.Kinds()))
	_, known := entity.TraitsOf("robot")
	check.Equal(t, "known", known, false)
	_, known = entity.TraitsOfType("ROBOT")
	check.Equal(t, "known type", known, false)
}

// TestKindsAreComplete catches incomplete declarations.
func TestKindsAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[entity.Type]bool{}
	for rank, traits := range entity.Kinds() {
		if traits.Kind == "" || traits.Type == "" || traits.Noun == "" || seen[traits.Type] {
			t.Errorf("incomplete or duplicate traits: %+v", traits)
		}
		seen[traits.Type] = true
		check.Equal(t, "rank of "+string(traits.Type), entity.Entity{Kind: traits.Kind, Variant: traits.Variant}.Rank(), rank)
		if traits.Kind != entity.KindFolder && traits.Permissions == "" {
			t.Errorf("kind %s has no permissions", traits.Kind)
		}
	}
}

func TestNotFoundNamesTheKind(t *testing.T) {
	t.Parallel()
	check.Refused(t, entity.NotFound(entity.KindSkill), fault.NotFound, "Skill collection not found")
	check.Refused(t, entity.NotFound(entity.KindPrompt), fault.NotFound, "Prompt template not found")
}
