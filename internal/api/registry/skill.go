package registry

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/skill"
)

// skills has the handlers of skill collections.
type skills struct{ service *skill.Service }

const (
	skillTag  = "Skill collections"
	skillPath = "/api/public/v2/skill-collections"
	zipType   = "application/zip"
	formType  = "multipart/form-data"
)

// maxSkillBody is enough for the largest archive and the rest of the form.
const maxSkillBody = skill.MaxTotal + 12<<20

func (h skills) operations() []rest.Op {
	notFound := []int{http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound}
	accept := []string{"application/json", formType}
	const one = skillPath + "/{identifier...}"
	return kit.Tagged(skillTag, []rest.Op{
		{
			Method: http.MethodGet, Path: skillPath, ID: "listSkillCollections", Summary: "List skill collections",
			Description: "Returns all skill collections, newest first.",
			Also:        []int{http.StatusForbidden}, Handler: rest.Handle(h.list),
		},
		{
			Method: http.MethodPost, Path: skillPath, ID: "createSkillCollection", Summary: "Create a skill collection",
			Description: "Creates a skill collection from files in the JSON body, or from a zip archive in a form: the archive in the part archive, zip or files, " +
				"and the other members as JSON in the part metadata or json, or each in a part with its name: strings as plain text, others as JSON. " +
				"A part that is none of these is rejected. A name that is taken gets a numeric suffix. " +
				"Without files there is no version. Nothing is stored if the request is rejected.",
			Status: http.StatusCreated, Also: append(notFound, http.StatusConflict), Accept: accept, MaxBody: maxSkillBody,
			Handler: skillHandler(createFields, createdSkill{}, h.create),
		},
		{
			Method: http.MethodGet, Path: one, ID: "getSkillCollection", Summary: "Get a skill collection",
			Description: "Returns a skill collection and the files of one version in the layout of its provider, as JSON, or as a zip archive with format=zip. " +
				"Binary files are returned as data:application/octet-stream;base64,….",
			Also: append(notFound[:1:1], http.StatusNotFound), Produces: []string{zipType}, Handler: rest.RawBound(pulledSkill{}, h.get),
		},
		{
			Method: http.MethodPatch, Path: one, ID: "renameSkillCollection", Summary: "Rename a skill collection",
			Description: "Changes the name and the root path. Files and versions are kept.",
			Also:        append(notFound, http.StatusConflict), Handler: rest.Handle(h.rename),
		},
		{
			Method: http.MethodPost, Path: one + "/versions", ID: "saveSkillCollectionVersion", Summary: "Save a version",
			Description: "Adds a version that is the latest one with changes, applied in this order: deletes, moves, files of the archive, file_updates. " +
				"A folder in deletes and moves stands for all its files. To send an archive, use a form as when creating a collection. " +
				"Nothing is stored if the request is rejected.",
			Status: http.StatusCreated, Also: notFound, Accept: accept, MaxBody: maxSkillBody,
			Handler: skillHandler(saveFields, savedSkill{}, h.save),
		},
		{
			Method: http.MethodGet, Path: skillPath + "/{identifier...}/versions", ID: "listSkillVersions",
			Summary:     "List versions",
			Description: "Returns a page of the versions of a skill collection, newest first, without their files.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.versions),
		},
	})
}

// skillAuthor returns the caller as the author of a version.
func skillAuthor(ctx context.Context) skill.Author {
	made := skill.Author{Email: kit.Author(ctx)}
	if id := access.CallerOf(ctx).UserID; id != 0 {
		made.UserID = &id
	}
	return made
}

// find returns the id of the collection with the given UUID, name or root
// path.
func (h skills) find(ctx context.Context, workspace int64, identifier string) (int64, error) {
	found, err := h.service.Identify(ctx, workspace, identifier)
	return found.ID, err
}

func (h skills) list(ctx context.Context, in *listSkillsQuery) (*skillList, error) {
	found, err := h.service.List(ctx, in.Query(kit.Workspace(ctx)))
	if err != nil {
		return nil, err
	}
	return &skillList{Success: true, Collections: kit.Each(found, wireSkill)}, nil
}

func (h skills) create(ctx context.Context, w http.ResponseWriter, in *createSkillRequest, contents []skill.Content) error {
	made, err := h.service.Create(ctx, kit.Workspace(ctx), skill.CreateInput{
		Name: string(in.Name), FolderID: in.FolderID, Provider: kit.OrZero(in.Provider), Archive: contents, Files: skillContents(in.Files),
		CommitMessage: in.CommitMessage, Label: kit.OrZero(in.Label), ExternalIDs: kit.ExternalRefs(in.ExternalIDs), Author: skillAuthor(ctx),
	})
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusCreated, createdSkill{
		Success: true, Collection: wireSkill(&made.Collection), Version: wireSkillVersion(made), ExternalIDs: kit.WireExternalIDs(made.ExternalIDs),
	})
}

func (h skills) rename(ctx context.Context, in *renameSkillRequest) (*renamedSkill, error) {
	renamed, err := h.service.Rename(ctx, kit.Workspace(ctx), in.Identifier, (*string)(in.Name), skillAuthor(ctx))
	if err != nil {
		return nil, err
	}
	return &renamedSkill{Success: true, Collection: wireSkill(&renamed.Collection)}, nil
}

func (h skills) save(ctx context.Context, w http.ResponseWriter, in *saveSkillRequest, contents []skill.Content) error {
	saved, err := h.service.Save(ctx, kit.Workspace(ctx), in.Identifier, skill.SaveInput{
		Deletes: in.deletes(), Moves: in.moves(), Archive: contents, Files: skillContents(in.Updates),
		Provider: kit.OrZero(in.Provider), CommitMessage: in.CommitMessage, Label: kit.OrZero(in.Label), Author: skillAuthor(ctx),
	})
	if err != nil {
		return err
	}
	return rest.WriteJSON(w, http.StatusCreated, savedSkill{Success: true, Version: wireSkillVersion(saved), Collection: wireSkill(&saved.Collection)})
}

func (h skills) get(w http.ResponseWriter, r *rest.Request, in *getSkillQuery) error {
	selector, err := in.selector()
	if err != nil {
		return err
	}
	ctx := r.Context()
	record, err := h.service.Get(ctx, kit.Workspace(ctx), in.Identifier, selector)
	if err != nil {
		return err
	}
	if in.Format == "zip" {
		w.Header().Set("Content-Type", zipType)
		w.Header().Set("Content-Disposition", attachment(record.Entity.Name+".zip"))
		return h.service.WriteArchive(ctx, kit.Workspace(ctx), record.Version, download{w})
	}
	return h.writeFiles(ctx, w, record)
}

// attachment returns the Content-Disposition of a download. ASCII names are
// quoted, which all clients understand.
func attachment(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r > '~' || r == '"' }) {
		return mime.FormatMediaType("attachment", map[string]string{"filename": name})
	}
	return `attachment; filename="` + name + `"`
}

// download writes a large response. A client that disconnects is not an error
// of the server.
type download struct{ to io.Writer }

// Write implements io.Writer.
func (d download) Write(part []byte) (int, error) {
	n, err := d.to.Write(part)
	if err != nil {
		return n, fault.Wrap(fault.BadRequest, err, "The client has disconnected")
	}
	return n, nil
}

// writeFiles writes a collection and its files, with one file in memory at a
// time.
func (h skills) writeFiles(ctx context.Context, to http.ResponseWriter, record *skill.Record) error {
	head, err := json.Marshal(wireSkill(&record.Collection))
	if err != nil {
		return err
	}
	version, err := json.Marshal(wireSkillVersion(record))
	if err != nil {
		return err
	}
	to.Header().Set("Content-Type", "application/json")
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("skill_collection").Raw(head)
		w.Key("files").Object(func() {
			for _, file := range record.Version.Exported() {
				var content []byte
				if content, err = h.service.Read(ctx, kit.Workspace(ctx), file.File); err != nil {
					return
				}
				w.Key(file.Target).String(skill.TextOfBytes(content))
				if err = w.Flush(download{to}); err != nil {
					return
				}
			}
		})
		w.Key("version").Raw(version)
	})
	if err == nil {
		_, _ = to.Write(w.Bytes()) // fails only if the client has disconnected
	}
	return err
}

func (h skills) routes() kit.EntityRoutes {
	return kit.EntityRoutes{
		Kind: entity.KindSkill, Find: h.find, ID: "SkillCollection", Noun: "skill collection", Tag: skillTag, Base: skillPath + "/{identifier}",
	}
}

// EntityKey implements kit.EntityPath.
func (p skillIdentifier) EntityKey() (int64, string) { return 0, p.Identifier }

// The inputs with an external id in the body or in the path, and with a release
// label.
type (
	attachSkillExternalID struct {
		skillIdentifier
		kit.ExternalID
	}
	deleteSkillExternalID struct {
		skillIdentifier
		kit.ExternalIDPath
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
