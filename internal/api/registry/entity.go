package registry

import (
	"slices"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
)

var (
	promptRoutes = kit.EntityRoutes{
		Kind: entity.KindPrompt, ID: "PromptTemplate", Noun: "prompt template", Tag: promptTag,
		Base: "/prompt-templates/{prompt_template_id}", Collection: "/prompt-templates/{prompt_template_id:digits}",
	}
	folderRoutes = kit.EntityRoutes{Kind: entity.KindFolder, ID: "Folder", Noun: "folder", Tag: folderTag, Base: folderBase + "/{folder_id}"}
	toolRoutes   = kit.EntityRoutes{Kind: entity.KindTool, ID: "Tool", Noun: "tool", Tag: toolTag, Base: toolBase + "/{tool_id}"}
)

func (h skills) routes() kit.EntityRoutes {
	return kit.EntityRoutes{
		Kind: entity.KindSkill, Find: h.find, ID: "SkillCollection", Noun: "skill collection", Tag: skillTag, Base: skillPath + "/{identifier}",
	}
}

// externalIDOperations returns the operations on the external ids of all kinds.
func externalIDOperations(service *registry.ExternalIDs, collections skills) []rest.Op {
	return slices.Concat(
		kit.ExternalIDOperations[promptPath, attachPromptExternalID, deletePromptExternalID](service, promptRoutes),
		kit.ExternalIDOperations[folderPath, attachFolderExternalID, deleteFolderExternalID](service, folderRoutes),
		kit.ExternalIDOperations[toolPath, attachToolExternalID, deleteToolExternalID](service, toolRoutes),
		kit.ExternalIDOperations[skillIdentifier, attachSkillExternalID, deleteSkillExternalID](service, collections.routes()),
	)
}

// releaseLabelOperations returns the operations that move the release labels of
// tools and skill collections.
func releaseLabelOperations(service *registry.Labels, collections skills) []rest.Op {
	return slices.Concat(
		kit.ReleaseLabelOperations[pointToolLabel, removeToolLabel](service, toolRoutes),
		kit.ReleaseLabelOperations[pointSkillLabel, removeSkillLabel](service, collections.routes()),
	)
}

// The path of one entity of each kind.
type (
	promptPath struct {
		ID int64 `path:"prompt_template_id" minimum:"1" description:"The id of the prompt template."`
	}
	folderPath struct {
		ID int64 `path:"folder_id" minimum:"1" description:"The id of the folder."`
	}
	toolPath struct {
		ID int64 `path:"tool_id" minimum:"1" description:"The id of the tool."`
	}
)

// EntityKey implements kit.EntityPath.
func (p promptPath) EntityKey() (int64, string) { return p.ID, "" }

// EntityKey implements kit.EntityPath.
func (p folderPath) EntityKey() (int64, string) { return p.ID, "" }

// EntityKey implements kit.EntityPath.
func (p toolPath) EntityKey() (int64, string) { return p.ID, "" }

// EntityKey implements kit.EntityPath.
func (p skillIdentifier) EntityKey() (int64, string) { return 0, p.Identifier }

// The inputs with an external id in the body or in the path, and with a release
// label.
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
	attachSkillExternalID struct {
		skillIdentifier
		kit.ExternalID
	}
	deleteSkillExternalID struct {
		skillIdentifier
		kit.ExternalIDPath
	}
	pointToolLabel struct {
		toolPath
		kit.LabelTarget
	}
	removeToolLabel struct {
		toolPath
		kit.LabelPath
	}
	pointSkillLabel struct {
		skillIdentifier
		kit.LabelTarget
	}
	removeSkillLabel struct {
		skillIdentifier
		kit.LabelPath
	}
)
