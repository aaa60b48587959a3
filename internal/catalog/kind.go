package catalog

// Kind says what an entity is.
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

// nameRule says where a live entity's name must be unique in its kind.
type nameRule uint8

const (
	uniqueNowhere nameRule = iota
	uniqueInWorkspace
	uniqueInFolder
)

var nameRules = map[Kind]nameRule{
	KindFolder:      uniqueInFolder,
	KindPrompt:      uniqueInWorkspace,
	KindWorkflow:    uniqueInWorkspace,
	KindDataset:     uniqueInWorkspace,
	KindReport:      uniqueNowhere,
	KindABTest:      uniqueNowhere,
	KindVariableSet: uniqueNowhere,
	KindSkill:       uniqueInWorkspace,
	KindTool:        uniqueInWorkspace,
}

// nameScope is the value of the column name_scope for an entity of the kind
// in the folder: nil where names need not be unique.
func (k Kind) nameScope(folder *int64) *int64 {
	scope := int64(0)
	switch nameRules[k] {
	case uniqueNowhere:
		return nil
	case uniqueInFolder:
		if folder != nil {
			scope = *folder
		}
	}
	return &scope
}
