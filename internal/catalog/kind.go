package catalog

import "strings"

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

// noun is the kind as people call it.
func noun(k Kind) string { return strings.ReplaceAll(string(k), "_", " ") }

// nameScope is the value of the column name_scope for an entity of the kind
// in the folder: nil where names need not be unique.
func nameScope(k Kind, folder *int64) *int64 {
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
