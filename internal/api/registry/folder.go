package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/rest"
)

// folders has the handlers of folders and of what lies in them.
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
			Description: "Makes a folder at the root or in another one. The names of folders beside each other differ; elsewhere the same name may be used.",
			Status:      http.StatusCreated, Also: append(refused, http.StatusConflict), Handler: rest.Handle(h.create),
		},
		{
			Method: http.MethodGet, Path: folderBase, ID: "listFolders", Summary: "List folders",
			Description: "Returns all folders that match, wherever they lie.",
			Also:        refused[:1], Handler: rest.Handle(h.list),
		},
		{
			Method: http.MethodPatch, Path: folderBase + "/{folder_id}", ID: "renameFolder", Summary: "Rename a folder",
			Description: "Gives a folder another name. What lies in it stays in it.",
			Also:        refused, Handler: rest.Handle(h.rename),
		},
		{
			Method: http.MethodGet, Path: folderBase + "/entities", ID: "listFolderEntities", Summary: "List what lies in a folder",
			Description: "Returns the entities of a folder, or of the root, with the folders first. With `flatten` everything below is listed. " +
				"An external id without a folder is looked up in the whole workspace.",
			Also: refused, Handler: rest.Handle(h.entities),
		},
		{
			Method: http.MethodPost, Path: folderBase + "/entities", ID: "moveFolderEntities", Summary: "Move entities",
			Description: "Puts entities into a folder, or to the root without one. All are moved or none. A folder takes along what lies in it.",
			Also:        refused, Handler: rest.Handle(h.move),
		},
		{
			Method: http.MethodDelete, Path: folderBase + "/entities", ID: "deleteFolderEntities", Summary: "Delete entities",
			Description: "Deletes entities of any kind, all or none. A folder that is not empty is deleted, with everything below it, only with `cascade`.",
			Also:        refused, Handler: rest.Handle(h.remove),
		},
		{
			Method: http.MethodGet, Path: folderBase + "/resolve-id", ID: "resolveFolderPath", Summary: "Find a folder by its path",
			Description: "Returns the folder at a path of names from the root, such as `support.billing`. Names may contain dots themselves.",
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
	if err := kit.SameWorkspace(ctx, in.WorkspaceID); err != nil {
		return nil, err
	}
	return answerFolder(h.service.Create(ctx, kit.Workspace(ctx), folder.New{
		Name: in.Name, ParentID: in.ParentID, ExternalIDs: kit.ExternalRefs(in.ExternalIDs), Author: kit.Author(ctx),
	}))
}

func (h folders) rename(ctx context.Context, in *renameFolderRequest) (*folderResponse, error) {
	return answerFolder(h.service.Rename(ctx, kit.Workspace(ctx), in.FolderID, in.Name))
}

func (h folders) list(ctx context.Context, in *listFoldersQuery) (*folderList, error) {
	if err := kit.SameWorkspace(ctx, in.WorkspaceID); err != nil {
		return nil, err
	}
	query := in.Query(kit.Workspace(ctx))
	query.NameContains = in.Name
	found, err := h.service.List(ctx, query)
	if err != nil {
		return nil, err
	}
	return &folderList{Success: true, Folders: kit.EachRef(found, wireFolder)}, nil
}

func (h folders) entities(ctx context.Context, in *listEntitiesQuery) (*entityList, error) {
	if err := kit.SameWorkspace(ctx, in.WorkspaceID); err != nil {
		return nil, err
	}
	found, err := h.service.Entities(ctx, in.listQuery(kit.Workspace(ctx)))
	if err != nil {
		return nil, err
	}
	return &entityList{Entities: kit.EachRef(found, func(i *folder.Item) entityItem { return wireEntity(i, in.IncludeMetadata) })}, nil
}

func (h folders) move(ctx context.Context, in *moveEntitiesRequest) (*movedResponse, error) {
	if err := kit.SameWorkspace(ctx, in.WorkspaceID); err != nil {
		return nil, err
	}
	moved, err := h.service.Move(ctx, kit.Workspace(ctx), in.references(), in.FolderID)
	if err != nil {
		return nil, err
	}
	return &movedResponse{Count: moved}, nil
}

func (h folders) remove(ctx context.Context, in *deleteEntitiesRequest) (*movedResponse, error) {
	if err := kit.SameWorkspace(ctx, in.WorkspaceID); err != nil {
		return nil, err
	}
	deleted, err := h.service.Delete(ctx, kit.Workspace(ctx), in.references(), in.Cascade)
	if err != nil {
		return nil, err
	}
	return &movedResponse{Count: deleted}, nil
}

func (h folders) resolve(ctx context.Context, in *resolvePathQuery) (*resolvedResponse, error) {
	if err := kit.SameWorkspace(ctx, in.WorkspaceID); err != nil {
		return nil, err
	}
	id, err := h.service.Resolve(ctx, kit.Workspace(ctx), in.Path)
	if err != nil {
		return nil, err
	}
	return &resolvedResponse{ID: id}, nil
}
