package storetest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// strange are unusual names that a store must keep unchanged.
var strange = []string{
	`'; DROP TABLE entity; --`, `"x"`, `\`, `%`, `_`, `\%`, `$1`, `?`, `:name`, "`", `NULL`, "\ta\n\r", ` a`,
	"a\u0301", "á", "🙂", "日本語", "\u202e", "\ufeff", "\x7f", `{"json":1}`, `<script>`, "0", "-1", "1e3",
}

var textCases = []testCase{
	{"unusual names are stored unchanged and found", func(s *store) {
		for _, name := range strange {
			owner := s.prompt(name)
			s.version(owner.ID, `{}`)
			s.equal(check.Must(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, name))(s.t).ID, owner.ID)
			s.equal(slices.Contains(s.names(entity.Query{NameContains: name}), name), true)
			s.equal(check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, name, 1))(s.t).Name, name)
			ref := entity.ExternalRef{Source: name, ID: name}
			s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, ref))
			s.equal(check.Must(s.Entities.FindByExternalID(s.ctx, s.workspace, ref))(s.t).Name, name)
			check.Must(s.Entities.SetTags(s.ctx, s.workspace, owner.ID, []string{name}))(s.t)
			s.equal(s.get(owner.ID).Tags, []string{name})
			s.equal(s.names(entity.Query{Tags: []string{name}}), []string{name})
			reference := entity.Reference{Name: name, Label: name}
			s.referring(owner.ID, reference)
			s.equal(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, name))(s.t)[0].Reference, reference)
			found := check.Must(s.Entities.VersionsByName(s.ctx, s.workspace, entity.KindPrompt, []entity.Reference{reference}))(s.t)
			s.equal(found[0].Entity.ID, owner.ID)
		}
		_, total, err := s.Entities.ListEntities(s.ctx, entity.Query{WorkspaceID: s.workspace})
		s.ok(err)
		s.equal(total, int64(len(strange)))
	}},
	{"NUL and invalid UTF-8 are rejected everywhere", func(s *store) {
		owner := s.prompt("x")
		s.version(owner.ID, `{}`)
		for _, bad := range []string{"a\x00b", "\xff", "a\xc3", "\xed\xa0\x80"} {
			for _, err := range s.useText(owner.ID, bad) {
				s.fails(err, fault.Invalid)
			}
		}
		s.equal(s.names(entity.Query{}), []string{"x"})
	}},
	{"blank names are rejected", func(s *store) {
		owner := s.prompt("x")
		s.version(owner.ID, `{}`)
		for _, blank := range []string{"", " ", "\t\r\n", "\u2003\u3000"} {
			named := entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: blank}
			s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, named)), fault.Invalid)
			s.fails(check.Failure(s.Entities.RenameEntity(s.ctx, s.workspace, owner.ID, blank)), fault.Invalid)
			s.fails(check.Failure(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, blank, 1)), fault.Invalid)
			s.fails(check.Failure(s.Accounts.CreateWorkspace(s.ctx, blank)), fault.Invalid)
		}
		s.equal(s.names(entity.Query{}), []string{"x"})
	}},
	{"names sort byte by byte", func(s *store) {
		names := []string{"a", "B", "ä", "z", "Z", "_", "a b", "ab", "a-b", "É", "日", "🙂", "\uffee", "10", "9"}
		for _, name := range names {
			s.prompt(name)
		}
		slices.Sort(names)
		s.equal(s.names(entity.Query{Sort: entity.ByName, Ascending: true}), names)
	}},
	{"names are compared byte by byte", func(s *store) {
		for _, name := range []string{"a", "A", "a ", " a", "á", "a\u0301", "ß", "ss"} {
			s.prompt(name)
		}
		s.equal(len(s.names(entity.Query{})), 8)
	}},
	{"names are searched ignoring case in any script", func(s *store) {
		for _, test := range []struct {
			name, part string
			found      bool
		}{
			{"Hello World", "LO WO", true},
			{"ÜBERSICHT", "übers", true},
			{"οδός", "ΔΌΣ", true}, // the final sigma folds like the other sigmas
			{"ПРИВЕТ", "риве", true},
			{"50% off_now", "% OFF_", true},
			{"500 off now", "% OFF_", false},
			{`back\slash`, `K\S`, true},
			{"Straße", "SS", false},
			{"e\u0301tude", "é", false},
			{"kelvin", "\u212aELVIN", true},
			{"short", strings.Repeat("x", 100_000), false},
		} {
			owner := s.prompt(test.name)
			s.equal(slices.Contains(s.names(entity.Query{NameContains: test.part}), test.name), test.found)
			check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{owner.ID}))(s.t)
		}
	}},
}

// useText passes text to every method that takes text and returns the errors.
func (s *store) useText(entityID int64, text string) []error {
	owner := entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "y"}
	named, created := owner, owner
	named.Name, created.Creator = text, &text
	tagged, varied, unique := owner, owner, owner
	tagged.Tags, varied.Variant, unique.UUID = []string{text}, text, text
	referring := entity.NewVersion{Body: []byte(`{}`), References: []entity.Reference{{Name: text}}}
	following := entity.NewVersion{Body: []byte(`{}`), References: []entity.Reference{{Name: "x", Label: text}}}
	_, _, tagErr := s.Entities.ListEntities(s.ctx, entity.Query{WorkspaceID: s.workspace, Tags: []string{"a", text}})
	key, owned := keyOf(s.workspace, "pl_one1"), keyOf(s.workspace, "pl_one1")
	key.Name, owned.OwnerEmail = text, &text
	version := entity.NewVersion{Body: json.RawMessage(`{}`), CommitMessage: &text}
	query := entity.Query{WorkspaceID: s.workspace, NameContains: text}
	_, _, listErr := s.Entities.ListEntities(s.ctx, query)
	_, _, creatorErr := s.Entities.ListEntities(s.ctx, entity.Query{WorkspaceID: s.workspace, Creator: &text})
	ref, source := entity.ExternalRef{Source: "a", ID: text}, entity.ExternalRef{Source: text, ID: "a"}
	return []error{
		check.Failure(s.Accounts.CreateWorkspace(s.ctx, text)),
		check.Failure(s.Accounts.FindWorkspace(s.ctx, text)),
		check.Failure(s.Accounts.CreateKey(s.ctx, key)),
		check.Failure(s.Accounts.EnsureKey(s.ctx, owned)),
		check.Failure(s.Entities.CreateEntity(s.ctx, named)),
		check.Failure(s.Entities.CreateEntity(s.ctx, created)),
		check.Failure(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, text)),
		check.Failure(s.Entities.RenameEntity(s.ctx, s.workspace, entityID, text)),
		check.Failure(s.Entities.CreateEntity(s.ctx, tagged)),
		check.Failure(s.Entities.CreateEntity(s.ctx, varied)),
		check.Failure(s.Entities.CreateEntity(s.ctx, unique)),
		check.Failure(s.Entities.SetTags(s.ctx, s.workspace, entityID, []string{"a", text})),
		tagErr,
		check.Failure(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, entity.Selector{Name: text})),
		check.Failure(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, entity.Selector{Name: "x", Label: text})),
		check.Failure(s.Entities.VersionsByName(s.ctx, s.workspace, entity.KindPrompt, []entity.Reference{{Name: text}})),
		check.Failure(s.Entities.VersionsByName(s.ctx, s.workspace, entity.KindPrompt, []entity.Reference{{Name: "x", Label: text}})),
		check.Failure(s.Entities.EntitiesByName(s.ctx, s.workspace, entity.KindPrompt, []string{text})),
		check.Failure(s.Entities.DeletedByName(s.ctx, s.workspace, entity.KindPrompt, []string{text})),
		check.Failure(s.Entities.ListReferences(s.ctx, s.workspace, text)),
		check.Failure(s.Entities.AddVersion(s.ctx, s.workspace, entityID, referring)),
		check.Failure(s.Entities.AddVersion(s.ctx, s.workspace, entityID, following)),
		listErr,
		creatorErr,
		check.Failure(s.Entities.AddVersion(s.ctx, s.workspace, entityID, version)),
		check.Failure(s.Entities.AddVersion(s.ctx, s.workspace, entityID, entity.NewVersion{Body: json.RawMessage(`"` + text + `"`)})),
		check.Failure(s.Entities.LabelledVersions(s.ctx, s.workspace, []int64{entityID}, text)),
		check.Failure(s.Entities.FindLabel(s.ctx, s.workspace, entityID, text)),
		check.Failure(s.Entities.SetLabel(s.ctx, s.workspace, entityID, text, 1)),
		check.Failure(s.Entities.CreateLabel(s.ctx, s.workspace, entityID, text, 1)),
		s.Entities.AttachExternalID(s.ctx, s.workspace, entityID, ref),
		s.Entities.AttachExternalID(s.ctx, s.workspace, entityID, source),
		check.Failure(s.Entities.FindByExternalID(s.ctx, s.workspace, ref)),
		s.Entities.DeleteExternalID(s.ctx, s.workspace, entityID, source),
		check.Failure(s.Sequences.ReserveIDs(s.ctx, text, 1)),
		s.Sequences.EnsureIDsAbove(s.ctx, text, 1),
	}
}
