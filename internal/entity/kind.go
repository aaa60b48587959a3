package entity

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// Kind is the kind of an entity.
type Kind string

// The kinds of entity. KindDataset is a dataset group, whose versions are the
// datasets; KindReport is an evaluation.
const (
	KindFolder      Kind = "folder"
	KindPrompt      Kind = "prompt"
	KindWorkflow    Kind = "workflow"
	KindDataset     Kind = "dataset"
	KindReport      Kind = "report"
	KindABTest      Kind = "ab_test"
	KindVariableSet Kind = "variable_set"
	KindSkill       Kind = "skill"
	KindTool        Kind = "tool"
)

// Type is the type of an entity on the wire. It is finer than the kind: a prompt
// template for use in other templates is a snippet.
type Type string

// The types of entity.
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

// VariantSnippet is the variant of prompt templates for use in other templates.
const VariantSnippet = "snippet"

// NameRule is where the name of a live entity must be unique in its kind.
type NameRule uint8

// The name rules.
const (
	UniqueNowhere NameRule = iota
	UniqueInWorkspace
	UniqueInFolder
)

// Traits declare the properties of a kind that other packages need: stores,
// folders, permissions and messages.
type Traits struct {
	Kind Kind
	// Variant is set when only entities of this variant have the type.
	Variant string
	Type    Type
	// Noun is what clients call the entity, in lower case.
	Noun string
	// Permissions is the prefix of the names of the permissions that the kind
	// needs: PROMPT for PROMPT_CREATE, PROMPT_EDIT and so on. It is empty for
	// folders, which need a permission of any kind.
	Permissions string
	Names       NameRule
	// Labelled entities have release labels.
	Labelled bool
	// Tagged entities can be found by tags in folders.
	Tagged bool
	// Hidden entities are listed in folders only on request, and cannot be
	// moved.
	Hidden bool
	// Redirected entities are found by their former names, too, until others take
	// those.
	Redirected bool
	// Erased entities are removed by deletion. Others stay readable as deleted.
	Erased bool
}

// kinds declares every kind, in the order in which folders list them. The entry
// without a variant applies to all other variants of a kind.
var kinds = []Traits{
	{Kind: KindFolder, Type: TypeFolder, Noun: "folder", Names: UniqueInFolder, Erased: true},
	{Kind: KindPrompt, Type: TypePrompt, Noun: "prompt template", Permissions: "PROMPT", Names: UniqueInWorkspace, Labelled: true, Redirected: true, Tagged: true},
	{Kind: KindPrompt, Type: TypeSnippet, Noun: "prompt template", Permissions: "PROMPT", Names: UniqueInWorkspace, Labelled: true, Redirected: true, Tagged: true, Variant: VariantSnippet},
	{Kind: KindWorkflow, Type: TypeWorkflow, Noun: "workflow", Permissions: "WORKFLOW", Names: UniqueInWorkspace, Labelled: true, Redirected: true, Tagged: true},
	{Kind: KindDataset, Type: TypeDataset, Noun: "dataset group", Permissions: "DATASET", Names: UniqueInWorkspace, Tagged: true},
	{Kind: KindReport, Type: TypeReport, Noun: "report", Permissions: "REPORT", Tagged: true},
	{Kind: KindABTest, Type: TypeABTest, Noun: "A/B test", Permissions: "PROMPT", Erased: true},
	{Kind: KindVariableSet, Type: TypeVariableSet, Noun: "input variable set", Permissions: "PROMPT", Erased: true},
	{Kind: KindSkill, Type: TypeSkill, Noun: "skill collection", Permissions: "SKILL", Names: UniqueInWorkspace, Labelled: true, Hidden: true},
	{Kind: KindTool, Type: TypeTool, Noun: "tool", Permissions: "TOOL", Names: UniqueInWorkspace, Labelled: true, Redirected: true, Hidden: true},
}

// Kinds returns the traits of every kind and of its variants, in the order in
// which folders list them.
func Kinds() []Traits { return slices.Clone(kinds) }

// TraitsOf returns the traits of a kind, and whether the kind is known. Unknown
// kinds are hidden.
func TraitsOf(kind Kind) (traits Traits, known bool) {
	if rank := rankOf(kind, ""); rank < len(kinds) {
		return kinds[rank], true
	}
	return Traits{Kind: kind, Type: Type(strings.ToUpper(string(kind))), Noun: string(kind), Hidden: true}, false
}

// TraitsOfType returns the traits of a type, and whether the type is known.
func TraitsOfType(t Type) (traits Traits, known bool) {
	at := slices.IndexFunc(kinds, func(known Traits) bool { return known.Type == t })
	if at < 0 {
		return Traits{}, false
	}
	return kinds[at], true
}

// Traits returns the traits of the entity's type.
func (e Entity) Traits() Traits {
	if rank := e.Rank(); rank < len(kinds) {
		return kinds[rank]
	}
	unknown, _ := TraitsOf(e.Kind)
	return unknown
}

// Type returns the type of the entity.
func (e Entity) Type() Type { return e.Traits().Type }

// Rank returns the position of the entity's type in lists; unknown kinds are last.
func (e Entity) Rank() int { return rankOf(e.Kind, e.Variant) }

func rankOf(kind Kind, variant string) int {
	rank := len(kinds)
	for i, known := range kinds {
		switch {
		case known.Kind != kind:
		case known.Variant == variant && variant != "":
			return i
		case known.Variant == "":
			rank = min(rank, i)
		}
	}
	return rank
}

// NotFound returns the NotFound fault for an entity of the kind.
func NotFound(kind Kind) error {
	traits, _ := TraitsOf(kind)
	return fault.NotFoundf("%s%s not found", strings.ToUpper(traits.Noun[:1]), traits.Noun[1:])
}
