package dataset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// TestPlainFiltersOfPromptsAndScores selects the logs of versions of prompts and
// those with scores, and follows a label that moves.
func TestPlainFiltersOfPromptsAndScores(t *testing.T) {
	onEachEngine(t, func(_ *testing.T, s *shelf) {
		first, second := s.prompt("p"), s.prompt("p")
		s.prompt("q")
		label := check.Must(s.catalog.Entities.SetLabel(s.ctx, s.workspace, first.Entity.ID, "prod", 1))(s.t)
		s.log(`,"prompt_name":"p","prompt_version_number":1,"score":40`, `,"prompt_name":"p","prompt_version_number":2,"score":80,"score_name":"tone"`,
			`,"prompt_name":"q","prompt_version_number":1,"score":90,"score_name":"tone"`, `,"tags":["none"]`)
		group := s.group("g")
		found := func(members string) []string {
			s.t.Helper()
			return s.column(s.fromLogs(group, `{`+members+`,"sort_by":"request_start_time","sort_order":"asc"}`), "response")
		}
		for members, want := range map[string]string{
			fmt.Sprintf(`"prompt_version_id":%d`, first.Version.ID):                                               "[Answer 0]",
			fmt.Sprintf(`"prompt_version_id":%d`, second.Version.ID):                                              "[Answer 1]",
			fmt.Sprintf(`"prompt_label_id":%d`, label.ID):                                                         "[Answer 0]",
			fmt.Sprintf(`"prompt_label_id":%d,"prompt_version_id":%d`, label.ID, second.Version.ID):               "[]",
			`"prompt_templates_include":[{"name":"p","version_numbers":[2]},"q"]`:                                 "[Answer 1 Answer 2]",
			`"prompt_templates_exclude":[{"name":"p","version_numbers":[2]},"q"]`:                                 "[Answer 0 Answer 3]",
			`"scores":[{"name":"tone","operator":">","value":80}]`:                                                "[Answer 2]",
			`"scores":[{"name":"tone","operator":">=","value":80},{"name":"tone","operator":"<","value":90}]`:     "[Answer 1]",
			`"scores":[{"name":"default","operator":"=","value":40}],"prompt_templates_include":["p"],"limit":10`: "[Answer 0]",
			`"scores":[{"name":"tone","operator":">","value":100}]`:                                               "[]",
		} {
			equal(s.t, strings.ReplaceAll(fmt.Sprint(found(members)), `"`, ""), want)
		}
		made := s.fromLogs(group, fmt.Sprintf(`{"prompt_label_id":%d}`, label.ID))
		check.Must(s.catalog.Entities.MoveLabel(s.ctx, s.workspace, label.ID, 2))(s.t)
		again := check.Must(s.Refresh(s.ctx, s.workspace, made.ID))(s.t)
		equal(s.t, s.column(again, "scores"), []string{`{"tone":80}`})
		check.OK(s.t, s.catalog.Entities.DeleteLabel(s.ctx, s.workspace, label.ID))
		fails(s.t, check.Failure(s.Refresh(s.ctx, s.workspace, made.ID)), fault.BadRequest, "prompt_label_id: Release label not found")
	})
}

// TestPlainFiltersOfOtherWorkspaces refuses versions and labels that are unknown
// or belong to another workspace with the same answer.
func TestPlainFiltersOfOtherWorkspaces(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	record := s.prompt("p")
	label := check.Must(s.catalog.Entities.SetLabel(s.ctx, s.workspace, record.Entity.ID, "prod", 1))(t)
	s.workspace = check.Must(s.catalog.Accounts.CreateWorkspace(s.ctx, "second"))(t).ID
	group := s.group("g")
	for members, message := range map[string]string{
		fmt.Sprintf(`"prompt_version_id":%d`, record.Version.ID): "prompt_version_id: Prompt version not found",
		`"prompt_version_id":999999`:                             "prompt_version_id: Prompt version not found",
		fmt.Sprintf(`"prompt_label_id":%d`, label.ID):            "prompt_label_id: Release label not found",
		`"prompt_label_id":999999`:                               "prompt_label_id: Release label not found",
	} {
		fails(t, check.Failure(s.CreateFromLogs(s.ctx, s.workspace, group, s.selection(`{`+members+`}`), nil)), fault.BadRequest, message)
	}
	for _, body := range []string{`{"prompt_version_id":"x"}`, `{"prompt_version_id":0}`, `{"prompt_label_id":1.5}`, `{"prompt_label_id":[1]}`} {
		_, err := parseSelection(t, body)
		fails(t, err, fault.Invalid, "prompt_")
	}
}
