package step

import (
	"encoding/json"
	"slices"
)

// Spec describes one type of step for the reader of configurations, the API
// document, and the editors of nodes and columns, which are generated from that
// document.
type Spec struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	// Group is one of Groups.
	Group string `json:"group"`
	// Doc describes the step in one sentence.
	Doc string `json:"doc"`
	// Icon is the name of a Lucide icon, such as "regex".
	Icon string `json:"icon"`
	// Summary is the short description of a configured step: a text in which
	// {name} stands for a field, {a|b} for the first field that is given, and
	// {a/b} for the elements of a joined by b.
	Summary string `json:"summary"`
	// Form names an editor for the type. By default the type is edited in a
	// form of its fields; FormJSON stands for an editor of the JSON.
	Form   string  `json:"form,omitempty"`
	Fields []Field `json:"fields"`
	// Initial is the configuration of a new step, in which the text "$source"
	// stands for the name of a value.
	Initial json.RawMessage `json:"initial"`
	// NotIn are the places where the step cannot run, InWorkflows or InEvaluations.
	// Editors do not offer it there.
	NotIn []string `json:"not_in,omitempty"`
	// Work is the kind of work that the step does.
	Work Work `json:"work"`
	// SeesAll reports whether the step sees all values until now, not only those of
	// its sources.
	SeesAll bool `json:"-"`

	read reader
}

// The places where steps run.
const (
	InWorkflows   = "workflows"
	InEvaluations = "evaluations"
)

// FormJSON marks types that are edited as JSON only.
const FormJSON = "json"

// Groups are the groups of types, in display order.
var Groups = []string{groupValues, groupChecks, groupData, groupNumbers, groupModels, groupCalls, groupNesting, groupPeople}

const (
	groupValues  = "Values"
	groupChecks  = "Checks"
	groupData    = "Text and data"
	groupNumbers = "Numbers"
	groupModels  = "Models"
	groupCalls   = "Code and calls"
	groupNesting = "Repeat and nest"
	groupPeople  = "People"
)

// Field is one member of a configuration.
type Field struct {
	Name string `json:"name"`
	// Aliases are further names under which the member is accepted.
	Aliases []string  `json:"aliases,omitempty"`
	Kind    FieldKind `json:"kind"`
	Label   string    `json:"label"`
	Hint    string    `json:"hint,omitempty"`
	// Optional reports whether the member may be omitted.
	Optional bool `json:"optional,omitempty"`
	// Secret means that the member, or each member of it, is a credential: it is
	// sealed when it is stored, and never shown.
	Secret bool `json:"secret,omitempty"`
	// Public are the members of a secret member that are not credentials, in any
	// case.
	Public []string `json:"public,omitempty"`
	// Choices are the values of a choice.
	Choices []Choice `json:"choices,omitempty"`
	// Default is the value of an omitted flag or choice.
	Default any `json:"default,omitempty"`
}

// FieldKind is the type of a member and of its editor.
type FieldKind string

// The kinds of fields.
const (
	FieldSource  FieldKind = "source"  // the name of a value
	FieldSources FieldKind = "sources" // names of values
	FieldText    FieldKind = "text"
	FieldTexts   FieldKind = "texts"   // a list of texts
	FieldURL     FieldKind = "url"     // sealed if it contains a credential
	FieldLong    FieldKind = "long"    // text of several lines
	FieldPattern FieldKind = "pattern" // a regular expression or a path
	FieldNumber  FieldKind = "number"
	FieldMapping FieldKind = "mapping" // variables and the names of their values
	FieldHeaders FieldKind = "headers"
	FieldFlag    FieldKind = "flag"
	FieldChoice  FieldKind = "choice"
	FieldJSON    FieldKind = "json" // anything else
)

// Choice is one value of a choice. Only those with a label are offered.
type Choice struct {
	Value string `json:"value"`
	Label string `json:"label,omitempty"`
}

// words returns choices that are labelled with their values.
func words(values ...string) []Choice {
	choices := make([]Choice, len(values))
	for i, value := range values {
		choices[i] = Choice{Value: value, Label: value}
	}
	return choices
}

// Fields that several types share.
var (
	sourceField   = Field{Name: "source", Kind: FieldSource, Label: "Value of"}
	sourcesField  = Field{Name: "sources", Kind: FieldSources, Label: "Values of"}
	pairField     = Field{Name: "sources", Kind: FieldSources, Label: "Values of", Hint: "Choose two."}
	source1Field  = Field{Name: "source1", Kind: FieldJSON, Label: "First value of", Optional: true}
	source2Field  = Field{Name: "source2", Kind: FieldJSON, Label: "Second value of", Optional: true}
	patternField  = Field{Name: "regex_pattern", Aliases: []string{"pattern"}, Kind: FieldPattern, Label: "Regular expression", Hint: "Start with (?i) to ignore case."}
	jsonPathField = Field{Name: "json_path", Aliases: []string{"path"}, Kind: FieldPattern, Label: "JSON path", Hint: "Example: $.items[0].name"}
	mappingField  = Field{Name: "input_mappings", Kind: FieldMapping, Label: "Input variables", Optional: true}
)

// promptFields are the members that call a prompt.
var promptFields = []Field{
	{Name: "template", Kind: FieldJSON, Label: "Prompt template", Optional: true},
	{Name: "inline_template", Kind: FieldJSON, Label: "Inline prompt", Optional: true},
	{Name: "prompt_template_variable_mappings", Kind: FieldMapping, Label: "Input variables", Optional: true},
	{Name: "chat_history_source", Kind: FieldSource, Label: "Chat history", Optional: true},
	{Name: "engine", Kind: FieldJSON, Label: "Model", Optional: true},
	{Name: "verbose", Kind: FieldFlag, Label: "Whole answer", Default: false},
	{Name: "return_template_only", Kind: FieldFlag, Label: "Render only", Default: false},
}

// loopFields are the members that FOR_LOOP and WHILE_LOOP share.
var loopFields = []Field{
	{Name: "loop_type", Kind: FieldChoice, Label: "Repeat", Choices: words("prompt", "workflow")},
	{Name: "prompt_config", Kind: FieldJSON, Label: "Prompt", Optional: true},
	{Name: "workflow_config", Kind: FieldJSON, Label: "Workflow", Optional: true},
	{Name: "variable_mappings", Kind: FieldMapping, Label: "Input variables", Optional: true},
	{Name: "return_all_outputs", Kind: FieldFlag, Label: "All outputs", Default: true},
}

// Specs returns the descriptions of all types, in display order.
func Specs() []Spec { return slices.Clone(specs) }

// field returns the field of that name, and whether it is declared.
func (s *Spec) field(name string) (Field, bool) {
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return s.Fields[i], true
}
