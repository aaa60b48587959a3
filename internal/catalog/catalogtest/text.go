package catalogtest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// strange holds names that are harmless to a careful store.
var strange = []string{
	`'; DROP TABLE entity; --`, `"x"`, `\`, `%`, `_`, `\%`, `$1`, `?`, `:name`, "`", `NULL`, "\ta\n\r", ` a`,
	"a\u0301", "á", "🙂", "日本語", "\u202e", "\ufeff", "\x7f", `{"json":1}`, `<script>`, "0", "-1", "1e3",
}

var textCases = []testCase{
	{"strange names come back and are found as they are", func(s *store) {
		for _, name := range strange {
			entity := s.prompt(name)
			s.version(entity.ID, `{}`)
			s.equal(check.Must(s.FindEntityByName(s.ctx, s.workspace, catalog.KindPrompt, name))(s.t).ID, entity.ID)
			s.equal(slices.Contains(s.names(catalog.EntityQuery{NameContains: name}), name), true)
			s.equal(check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, name, 1))(s.t).Name, name)
			ref := catalog.ExternalRef{Source: name, ID: name}
			s.ok(s.AttachExternalID(s.ctx, s.workspace, entity.ID, ref))
			s.equal(check.Must(s.FindByExternalID(s.ctx, s.workspace, ref))(s.t).Name, name)
			check.Must(s.SetTags(s.ctx, s.workspace, entity.ID, []string{name}))(s.t)
			s.equal(s.get(entity.ID).Tags, []string{name})
			s.equal(s.names(catalog.EntityQuery{Tags: []string{name}}), []string{name})
			reference := catalog.Reference{Name: name, Label: name}
			s.referring(entity.ID, reference)
			s.equal(check.Must(s.ListReferences(s.ctx, s.workspace, name))(s.t)[0].Reference, reference)
			found := check.Must(s.VersionsByName(s.ctx, s.workspace, catalog.KindPrompt, []catalog.Reference{reference}))(s.t)
			s.equal(found[0].Entity.ID, entity.ID)
		}
		_, total, err := s.ListEntities(s.ctx, catalog.EntityQuery{WorkspaceID: s.workspace})
		s.ok(err)
		s.equal(total, int64(len(strange)))
	}},
	{"NUL and invalid UTF-8 are refused everywhere", func(s *store) {
		entity := s.prompt("x")
		s.version(entity.ID, `{}`)
		for _, bad := range []string{"a\x00b", "\xff", "a\xc3", "\xed\xa0\x80"} {
			for _, err := range s.useText(entity.ID, bad) {
				s.fails(err, fault.Invalid)
			}
		}
		s.equal(s.names(catalog.EntityQuery{}), []string{"x"})
	}},
	{"names that nobody can see are refused", func(s *store) {
		entity := s.prompt("x")
		s.version(entity.ID, `{}`)
		for _, blank := range []string{"", " ", "\t\r\n", "\u2003\u3000"} {
			named := catalog.NewEntity{WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: blank}
			s.fails(check.Failure(s.CreateEntity(s.ctx, named)), fault.Invalid)
			s.fails(check.Failure(s.RenameEntity(s.ctx, s.workspace, entity.ID, blank)), fault.Invalid)
			s.fails(check.Failure(s.SetLabel(s.ctx, s.workspace, entity.ID, blank, 1)), fault.Invalid)
			s.fails(check.Failure(s.CreateWorkspace(s.ctx, blank)), fault.Invalid)
		}
		s.equal(s.names(catalog.EntityQuery{}), []string{"x"})
	}},
	{"names sort byte by byte", func(s *store) {
		names := []string{"a", "B", "ä", "z", "Z", "_", "a b", "ab", "a-b", "É", "日", "🙂", "\uffee", "10", "9"}
		for _, name := range names {
			s.prompt(name)
		}
		slices.Sort(names)
		s.equal(s.names(catalog.EntityQuery{Sort: catalog.ByName, Ascending: true}), names)
	}},
	{"names that differ in any byte are different", func(s *store) {
		for _, name := range []string{"a", "A", "a ", " a", "á", "a\u0301", "ß", "ss"} {
			s.prompt(name)
		}
		s.equal(len(s.names(catalog.EntityQuery{})), 8)
	}},
	{"a part of a name is found in any case and script", func(s *store) {
		for _, test := range []struct {
			name, part string
			found      bool
		}{
			{"Hello World", "LO WO", true},
			{"ÜBERSICHT", "übers", true},
			{"οδός", "ΔΌΣ", true}, // the final sigma folds like the others
			{"ПРИВЕТ", "риве", true},
			{"50% off_now", "% OFF_", true},
			{"500 off now", "% OFF_", false},
			{`back\slash`, `K\S`, true},
			{"Straße", "SS", false},
			{"e\u0301tude", "é", false},
			{"kelvin", "\u212aELVIN", true},
			{"short", strings.Repeat("x", 100_000), false},
		} {
			entity := s.prompt(test.name)
			s.equal(slices.Contains(s.names(catalog.EntityQuery{NameContains: test.part}), test.name), test.found)
			check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{entity.ID}))(s.t)
		}
	}},
}

// useText passes text to every method that takes one and returns the errors.
func (s *store) useText(entityID int64, text string) []error {
	entity := catalog.NewEntity{WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "y"}
	named, created := entity, entity
	named.Name, created.Creator = text, &text
	tagged, varied := entity, entity
	tagged.Tags, varied.Variant = []string{text}, text
	referring := catalog.NewVersion{Body: []byte(`{}`), References: []catalog.Reference{{Name: text}}}
	following := catalog.NewVersion{Body: []byte(`{}`), References: []catalog.Reference{{Name: "x", Label: text}}}
	_, _, tagErr := s.ListEntities(s.ctx, catalog.EntityQuery{WorkspaceID: s.workspace, Tags: []string{"a", text}})
	key, owned := keyOf(s.workspace, "pl_one1"), keyOf(s.workspace, "pl_one1")
	key.Name, owned.OwnerEmail = text, &text
	version := catalog.NewVersion{Body: json.RawMessage(`{}`), CommitMessage: &text}
	query := catalog.EntityQuery{WorkspaceID: s.workspace, NameContains: text}
	_, _, listErr := s.ListEntities(s.ctx, query)
	_, _, creatorErr := s.ListEntities(s.ctx, catalog.EntityQuery{WorkspaceID: s.workspace, Creator: &text})
	ref, source := catalog.ExternalRef{Source: "a", ID: text}, catalog.ExternalRef{Source: text, ID: "a"}
	return []error{
		check.Failure(s.CreateWorkspace(s.ctx, text)),
		check.Failure(s.FindWorkspace(s.ctx, text)),
		check.Failure(s.CreateKey(s.ctx, key)),
		check.Failure(s.EnsureKey(s.ctx, owned)),
		check.Failure(s.CreateEntity(s.ctx, named)),
		check.Failure(s.CreateEntity(s.ctx, created)),
		check.Failure(s.FindEntityByName(s.ctx, s.workspace, catalog.KindPrompt, text)),
		check.Failure(s.RenameEntity(s.ctx, s.workspace, entityID, text)),
		check.Failure(s.CreateEntity(s.ctx, tagged)),
		check.Failure(s.CreateEntity(s.ctx, varied)),
		check.Failure(s.SetTags(s.ctx, s.workspace, entityID, []string{"a", text})),
		tagErr,
		check.Failure(s.FindVersion(s.ctx, s.workspace, catalog.KindPrompt, catalog.Selector{Name: text})),
		check.Failure(s.FindVersion(s.ctx, s.workspace, catalog.KindPrompt, catalog.Selector{Name: "x", Label: text})),
		check.Failure(s.VersionsByName(s.ctx, s.workspace, catalog.KindPrompt, []catalog.Reference{{Name: text}})),
		check.Failure(s.VersionsByName(s.ctx, s.workspace, catalog.KindPrompt, []catalog.Reference{{Name: "x", Label: text}})),
		check.Failure(s.EntitiesByName(s.ctx, s.workspace, catalog.KindPrompt, []string{text})),
		check.Failure(s.ListReferences(s.ctx, s.workspace, text)),
		check.Failure(s.AddVersion(s.ctx, s.workspace, entityID, referring)),
		check.Failure(s.AddVersion(s.ctx, s.workspace, entityID, following)),
		listErr,
		creatorErr,
		check.Failure(s.AddVersion(s.ctx, s.workspace, entityID, version)),
		check.Failure(s.AddVersion(s.ctx, s.workspace, entityID, catalog.NewVersion{Body: json.RawMessage(`"` + text + `"`)})),
		check.Failure(s.GetLabelledVersion(s.ctx, s.workspace, entityID, text)),
		check.Failure(s.SetLabel(s.ctx, s.workspace, entityID, text, 1)),
		check.Failure(s.CreateLabel(s.ctx, s.workspace, entityID, text, 1)),
		s.AttachExternalID(s.ctx, s.workspace, entityID, ref),
		s.AttachExternalID(s.ctx, s.workspace, entityID, source),
		check.Failure(s.FindByExternalID(s.ctx, s.workspace, ref)),
		s.DeleteExternalID(s.ctx, s.workspace, entityID, source),
		check.Failure(s.ReserveIDs(s.ctx, text, 1)),
		s.EnsureIDsAbove(s.ctx, text, 1),
	}
}
