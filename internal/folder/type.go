package folder

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
)

// Type is what clients tell entities apart by. It is finer than a kind: a
// prompt that was made to be used in others is a snippet.
type Type string

// The types, in the order in which entities are listed.
const (
	TypeFolder      Type = "FOLDER"
	TypePrompt      Type = "PROMPT"
	TypeSnippet     Type = "SNIPPET"
	TypeWorkflow    Type = "WORKFLOW"
	TypeDataset     Type = "DATASET"
	TypeReport      Type = "REPORT"
	TypeABTest      Type = "AB_TEST"
	TypeVariableSet Type = "INPUT_VARIABLE_SET"
	TypeSkill       Type = "SKILL_COLLECTION"
	TypeTool        Type = "TOOL"
)

// variantSnippet is the variant of prompts that are snippets.
const variantSnippet = "snippet"

// trait is what folders know of the entities of a type.
type trait struct {
	Type    Type
	kind    entity.Kind
	variant string
	// hidden entities are listed only when their type is asked for, and cannot
	// be moved.
	hidden bool
	// tagged entities can be found by tags.
	tagged bool
	// erased entities leave nothing when they are deleted; others can still be
	// listed as deleted by their own kind.
	erased bool
}

var traits = []trait{
	{Type: TypeFolder, kind: entity.KindFolder, erased: true},
	{Type: TypePrompt, kind: entity.KindPrompt, tagged: true},
	{Type: TypeSnippet, kind: entity.KindPrompt, variant: variantSnippet, tagged: true},
	{Type: TypeWorkflow, kind: entity.KindWorkflow, tagged: true},
	{Type: TypeDataset, kind: entity.KindDataset, tagged: true},
	{Type: TypeReport, kind: entity.KindReport, tagged: true},
	{Type: TypeABTest, kind: entity.KindABTest, erased: true},
	{Type: TypeVariableSet, kind: entity.KindVariableSet, erased: true},
	{Type: TypeSkill, kind: entity.KindSkill, hidden: true},
	{Type: TypeTool, kind: entity.KindTool, hidden: true},
}

// traitOf returns what is known of a type, nil for one that there is not.
func traitOf(t Type) *trait {
	at := slices.IndexFunc(traits, func(known trait) bool { return known.Type == t })
	if at < 0 {
		return nil
	}
	return &traits[at]
}

// rankOf returns the place of an entity's type in the order of types, and a
// place behind all of them for a kind that is not in the table.
func rankOf(e entity.Entity) int {
	// Prompts are the only kind of several types.
	snippet := e.Kind == entity.KindPrompt && e.Variant == variantSnippet
	at := slices.IndexFunc(traits, func(known trait) bool {
		return known.kind == e.Kind && snippet == (known.variant == variantSnippet)
	})
	if at < 0 {
		return len(traits)
	}
	return at
}

// traitFor returns what is known of an entity's type. A kind that is not in the
// table is left to its own lists, but goes with its folder.
func traitFor(e entity.Entity) trait {
	if rank := rankOf(e); rank < len(traits) {
		return traits[rank]
	}
	return trait{Type: Type(strings.ToUpper(string(e.Kind))), kind: e.Kind, hidden: true}
}

// TypeOf returns the type of an entity.
func TypeOf(e entity.Entity) Type { return traitFor(e).Type }

// kindsOf returns the kinds of types, each once.
func kindsOf(types []Type) []entity.Kind {
	var kinds []entity.Kind
	for _, t := range types {
		if kind := traitOf(t).kind; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
