package registry

import (
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
)

// The paths of the kinds that have external ids.
type (
	promptPath struct {
		ID int64 `path:"prompt_template_id" minimum:"1" description:"The prompt template."`
	}
	folderPath struct {
		ID int64 `path:"folder_id" minimum:"1" description:"The folder."`
	}
	toolPath struct {
		ID int64 `path:"tool_id" minimum:"1" description:"The tool."`
	}
)

func (p promptPath) EntityID() int64 { return p.ID }
func (p folderPath) EntityID() int64 { return p.ID }
func (p toolPath) EntityID() int64   { return p.ID }

// Their inputs with a pair, in the body or in the path.
type (
	attachPromptExternalID struct {
		promptPath
		kit.ExternalID
	}
	deletePromptExternalID struct {
		promptPath
		kit.ExternalIDPath
	}
	attachFolderExternalID struct {
		folderPath
		kit.ExternalID
	}
	deleteFolderExternalID struct {
		folderPath
		kit.ExternalIDPath
	}
	attachToolExternalID struct {
		toolPath
		kit.ExternalID
	}
	deleteToolExternalID struct {
		toolPath
		kit.ExternalIDPath
	}
)

// promptExternalIDs says where the external ids of prompt templates are
// reached.
var promptExternalIDs = kit.ExternalIDRoutes{
	Kind: entity.KindPrompt, ID: "promptTemplate", Noun: "prompt template", Tag: promptTag,
	Base: "/prompt-templates/{prompt_template_id}", Collection: "/prompt-templates/{prompt_template_id:digits}",
	Handlers: kit.ExternalIDHandlersOf[promptPath, attachPromptExternalID, deletePromptExternalID](),
}

// folderExternalIDs says where the external ids of folders are reached.
var folderExternalIDs = kit.ExternalIDRoutes{
	Kind: entity.KindFolder, ID: "folder", Noun: "folder", Tag: folderTag,
	Base: folderBase + "/{folder_id}", Handlers: kit.ExternalIDHandlersOf[folderPath, attachFolderExternalID, deleteFolderExternalID](),
}

// toolExternalIDs says where the external ids of tools are reached.
var toolExternalIDs = kit.ExternalIDRoutes{
	Kind: entity.KindTool, ID: "tool", Noun: "tool", Tag: toolTag,
	Base: toolBase + "/{tool_id}", Handlers: kit.ExternalIDHandlersOf[toolPath, attachToolExternalID, deleteToolExternalID](),
}
