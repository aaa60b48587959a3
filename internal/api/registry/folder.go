package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/rest"
)

// folders has the handlers of folders and their contents.
type folders struct{ service *folder.Service }

const (
	folderTag  = "Folders"
	folderBase = "/api/public/v2/folders"
)

func (h folders) operations() []rest.Op {
	refused := []int{http.StatusBadRequest, http.StatusNotFound}
	return kit.Tagged(folderTag, []rest.Op{
		{
			Method: http.MethodPost, Path: folderBase, ID: "createFolder", Summary: "Create a folder",
			Description: "Creates a folder at the root or in another folder. Names are unique within the parent folder.",
			Status:      http.StatusCreated, Also: append(refused, http.StatusConflict), Handler: rest.Handle(h.create),
		},
		{
			Method: http.MethodGet, Path: folderBase, ID: "listFolders", Summary: "List folders",
			Description: "Returns all matching folders at any depth.",
			Also:        refused[:1], Handler: rest.Handle(h.list),
		},
		{
			Method: http.MethodPatch, Path: folderBase + "/{folder_id}", ID: "renameFolder", Summary: "Rename a folder",
			Description: "Renames a folder. Its contents are kept.",
			Also:        refused, Handler: rest.Handle(h.rename),
		},
		{
			Method: http.MethodGet, Path: folderBase + "/entities", ID: "listFolderEntities", Summary: "List the contents of a folder",
			Description: "Returns the entities in a folder or at the root, folders first. With `flatten`, the contents of subfolders are included. " +
				"An external id without a folder is searched in the whole workspace.",
			Also: refused, Handler: rest.Handle(h.entities),
		},
		{
			Method: http.MethodPost, Path: folderBase + "/entities", ID: "moveFolderEntities", Summary: "Move entities",
			Description: "Moves entities to a folder, or to the root. Either all are moved or none. Folders move with their contents.",
			Also:        refused, Handler: rest.Handle(h.move),
		},
		{
			Method: http.MethodDelete, Path: folderBase + "/entities", ID: "deleteFolderEntities", Summary: "Delete entities",
			Description: "Deletes entities of any kind. Either all are deleted or none. Deleting a folder that is not empty requires `cascade`, which deletes its contents too.",
			Also:        refused, Handler: rest.Handle(h.remove),
		},
		{
			Method: http.MethodPatch, Path: folderBase + "/entities/{entity_id}", ID: "renameEntity", Summary: "Rename a prompt, workflow or tool",
			Description: "Renames a prompt template, a workflow or a tool. Whatever asks for its former name gets it, until another one of its kind is created with that name " +
				"or renamed to it. Requires the permission to edit it.",
			Also: append(refused, http.StatusConflict), Handler: rest.Handle(h.renameEntity),
		},
		{
			Method: http.MethodGet, Path: folderBase + "/resolve-id", ID: "resolveFolderPath", Summary: "Find a folder by path",
			Description: "Returns the id of the folder at a path from the root, such as `support.billing`. Names may contain dots.",
			Also:        refused, Handler: rest.Handle(h.resolve),
		},
	})
}

func answerFolder(f *folder.Folder, err error) (*folderResponse, error) {
	if err != nil {
		return nil, err
	}
	return &folderResponse{Success: true, Folder: wireFolder(f)}, nil
}

func (h folders) create(ctx context.Context, in *createFolderRequest) (*folderResponse, error) {
	return answerFolder(h.service.Create(ctx, kit.Workspace(ctx), folder.New{
		Name: in.Name, ParentID: in.ParentID, ExternalIDs: kit.ExternalRefs(in.ExternalIDs), Author: kit.Author(ctx),
	}))
}

func (h folders) rename(ctx context.Context, in *renameFolderRequest) (*folderResponse, error) {
	return answerFolder(h.service.Rename(ctx, kit.Workspace(ctx), in.FolderID, in.Name))
}

func (h folders) renameEntity(ctx context.Context, in *renameEntityRequest) (*renamedEntity, error) {
	renamed, err := h.service.RenameEntity(ctx, kit.Workspace(ctx), in.EntityID, in.Name)
	if err != nil {
		return nil, err
	}
	return &renamedEntity{Success: true, ID: renamed.ID, Type: string(renamed.Traits().Type), Name: renamed.Name}, nil
}

func (h folders) list(ctx context.Context, in *listFoldersQuery) (*folderList, error) {
	query := in.Query(kit.Workspace(ctx))
	query.NameContains = in.Name
	found, err := h.service.List(ctx, query)
	if err != nil {
		return nil, err
	}
	return &folderList{Success: true, Folders: kit.EachRef(found, wireFolder)}, nil
}

func (h folders) entities(ctx context.Context, in *listEntitiesQuery) (*entityList, error) {
	found, err := h.service.Entities(ctx, in.listQuery(kit.Workspace(ctx)))
	if err != nil {
		return nil, err
	}
	return &entityList{Entities: kit.EachRef(found, func(i *folder.Item) entityItem { return wireEntity(i, in.IncludeMetadata) })}, nil
}

func (h folders) move(ctx context.Context, in *moveEntitiesRequest) (*movedResponse, error) {
	moved, err := h.service.Move(ctx, kit.Workspace(ctx), in.references(), in.FolderID)
	if err != nil {
		return nil, err
	}
	return &movedResponse{Count: moved}, nil
}

func (h folders) remove(ctx context.Context, in *deleteEntitiesRequest) (*movedResponse, error) {
	deleted, err := h.service.Delete(ctx, kit.Workspace(ctx), in.references(), in.Cascade)
	if err != nil {
		return nil, err
	}
	return &movedResponse{Count: deleted}, nil
}

func (h folders) resolve(ctx context.Context, in *resolvePathQuery) (*resolvedResponse, error) {
	id, err := h.service.Resolve(ctx, kit.Workspace(ctx), in.Path)
	if err != nil {
		return nil, err
	}
	return &resolvedResponse{ID: id}, nil
}

var folderRoutes = kit.EntityRoutes{Kind: entity.KindFolder, ID: "Folder", Noun: "folder", Tag: folderTag, Base: folderBase + "/{folder_id}"}

// folderPath is the path of one folder.
type folderPath struct {
	ID int64 `path:"folder_id" minimum:"1" description:"The id of the folder."`
}

// EntityKey implements kit.EntityPath.
func (p folderPath) EntityKey() (int64, string) { return p.ID, "" }

// The inputs with an external id in the body or in the path.
type (
	attachFolderExternalID struct {
		folderPath
		kit.ExternalID
	}
	deleteFolderExternalID struct {
		folderPath
		kit.ExternalIDPath
	}
)
