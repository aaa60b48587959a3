package api_test

import (
	"net/http"

	"github.com/promptuary/promptuary/internal/access"
)

func skillSamples() []sample {
	create, edit, deploy := all(access.SkillCreate), all(access.SkillEdit), all(access.SkillDeploy)
	const base = "/api/public/v2/skill-collections"
	const one = base + "/$skill"
	const files = `"files":[{"path":"a","content":"1"}]`
	return []sample{
		{op: "listSkillCollections", may: anyone},
		{op: "createSkillCollection", name: "creates", may: create, body: `{"name":"$new",` + files + `}`, status: 201, audit: "publish skill"},
		{op: "createSkillCollection", name: "in a folder", may: create, body: `{"name":"$new","folder_id":$folder}`, status: 201, audit: "create skill"},
		{op: "getSkillCollection", may: anyone, path: one},
		{op: "renameSkillCollection", may: edit, path: one, body: `{"name":"$new"}`, audit: "rename skill"},
		{op: "saveSkillCollectionVersion", may: edit, path: one + "/versions", body: `{}`, status: 201, audit: "publish skill"},
		{op: "saveSkillCollectionVersion", name: "releases", may: both(edit, deploy), path: one + "/versions", body: `{"release_label":"stage"}`, status: 201, audit: "label skill"},
		{op: "putSkillCollectionReleaseLabel", may: deploy, path: one + "/release-labels/stage/one", body: `{"version_number":1}`, audit: "label skill"},
		{op: "putSkillCollectionReleaseLabel", name: "again", may: deploy, path: one + "/release-labels/seen", body: `{"version_number":1}`, audit: "label skill"},
		{op: "deleteSkillCollectionReleaseLabel", may: deploy, path: one + "/release-labels/seen", audit: "unlabel skill"},
		{op: "skillCollectionAttachExternalID", may: edit, path: one + "/external-ids", body: `{"source":"s","external_id":"$new"}`, status: 201, audit: "attach external id skill"},
		{op: "skillCollectionListExternalIDs", may: anyone, path: one + "/external-ids"},
		{op: "skillCollectionDeleteExternalID", may: edit, path: one + "/external-ids/seen/$skill", audit: "detach external id skill"},
	}
}

// makeSkill creates a collection with a label and an external id, and
// remembers its UUID.
func (s *subjects) makeSkill(name string) {
	s.t.Helper()
	const path = "/api/public/v2/skill-collections"
	made := s.w.must(s.t, http.StatusCreated, "root", http.MethodPost, path, `{"name":"`+s.unique()+`","files":[{"path":"a"}]}`)
	s.known[name] = made["skill_collection"].(map[string]any)["id"].(string)
	s.w.must(s.t, http.StatusOK, "root", http.MethodPut, s.fill(path+"/"+name+"/release-labels/seen"), `{"version_number":1}`)
	s.w.must(s.t, http.StatusCreated, "root", http.MethodPost, s.fill(path+"/"+name+"/external-ids"), s.fill(`{"source":"seen","external_id":"`+name+`"}`))
}
