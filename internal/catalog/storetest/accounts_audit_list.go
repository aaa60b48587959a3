package storetest

import (
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// found returns the names of the subjects that a query finds.
func (s *store) found(query audit.Query) []string {
	s.t.Helper()
	if query.Limit == 0 {
		query.Limit = 100
	}
	names := []string{}
	for _, entry := range check.Must(s.Accounts.ListAudit(s.ctx, query))(s.t) {
		names = append(names, entry.Subject.Name)
	}
	return names
}

var auditListCases = []testCase{
	{"filters", func(s *store) {
		byKey := access.WithCaller(s.ctx, access.Caller{KeyID: 3, Name: "laptop"})
		byAnn := access.WithCaller(s.ctx, access.Caller{UserID: 3, Email: "ann@example.com"})
		inputs := []entity.New{
			{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "a"},
			{WorkspaceID: s.workspace, Kind: entity.KindFolder, Name: "b"},
			{WorkspaceID: s.other, Kind: entity.KindPrompt, Name: "elsewhere"},
		}
		a := check.Must(s.Entities.CreateEntity(byKey, inputs[0]))(s.t)
		check.Must(s.Entities.CreateEntity(byAnn, inputs[1]))(s.t)
		check.Must(s.Entities.CreateEntity(byAnn, inputs[2]))(s.t)
		check.Must(s.Entities.RenameEntity(byAnn, s.workspace, a.ID, "c"))(s.t)
		three := pointer(int64(3))
		for name, test := range map[string]struct {
			query audit.Query
			want  []string
		}{
			"all":                 {audit.Query{}, []string{"c", "b", "a", "first"}},
			"kind of actor":       {audit.Query{ActorKind: audit.ByUser}, []string{"c", "b"}},
			"the program":         {audit.Query{ActorKind: audit.ByProgram}, []string{"first"}},
			"id of the actor":     {audit.Query{ActorID: three}, []string{"c", "b", "a"}},
			"a key by its id":     {audit.Query{ActorKind: audit.ByKey, ActorID: three}, []string{"a"}},
			"name of the actor":   {audit.Query{ActorName: "ann@example.com"}, []string{"c", "b"}},
			"action":              {audit.Query{Action: audit.Create}, []string{"b", "a", "first"}},
			"kind of subject":     {audit.Query{SubjectKind: "prompt"}, []string{"c", "a"}},
			"one subject":         {audit.Query{SubjectKind: "prompt", SubjectID: &a.ID}, []string{"c", "a"}},
			"id of the subject":   {audit.Query{SubjectID: &a.ID, Action: audit.Rename}, []string{"c"}},
			"all together":        {audit.Query{ActorKind: audit.ByUser, ActorID: three, ActorName: "ann@example.com", Action: audit.Rename, SubjectKind: "prompt", SubjectID: &a.ID}, []string{"c"}},
			"nothing":             {audit.Query{ActorName: "Ann@example.com"}, []string{}},
			"not a part of names": {audit.Query{ActorName: "ann"}, []string{}},
			"no wildcard":         {audit.Query{Action: "%"}, []string{}},
			"oldest first":        {audit.Query{OldestFirst: true}, []string{"first", "a", "b", "c"}},
		} {
			test.query.WorkspaceID = &s.workspace
			if got := s.found(test.query); !slices.Equal(got, test.want) {
				s.t.Errorf("%s: found %q, want %q", name, got, test.want)
			}
		}
		s.equal(s.found(audit.Query{}), []string{"second", "first"})
		s.equal(s.found(audit.Query{WorkspaceID: &s.other}), []string{"elsewhere", "second"})
		s.equal(s.found(audit.Query{WorkspaceID: pointer(int64(999))}), []string{})
	}},
	{"time bounds are inclusive", func(s *store) {
		s.prompt("a")
		entry := check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{WorkspaceID: &s.workspace, Limit: 1}))(s.t)[0]
		before, after := entry.At.Add(-time.Microsecond), entry.At.Add(time.Microsecond)
		for name, test := range map[string]struct {
			from, until *time.Time
			want        bool
		}{
			"from then":    {from: &entry.At, want: true},
			"until then":   {until: &entry.At, want: true},
			"that moment":  {from: &entry.At, until: &entry.At, want: true},
			"from after":   {from: &after},
			"until before": {until: &before},
		} {
			query := audit.Query{WorkspaceID: &s.workspace, SubjectKind: "prompt", From: test.from, Until: test.until}
			if got := len(s.found(query)) == 1; got != test.want {
				s.t.Errorf("%s: found %t, want %t", name, got, test.want)
			}
		}
	}},
	{"pages", func(s *store) {
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			s.prompt(name)
		}
		query := audit.Query{WorkspaceID: &s.workspace, SubjectKind: "prompt", Limit: 2}
		pages := []string{}
		for {
			page := check.Must(s.Accounts.ListAudit(s.ctx, query))(s.t)
			if len(page) == 0 {
				break
			}
			s.prompt("meanwhile " + page[0].Subject.Name)
			for _, entry := range page {
				pages = append(pages, entry.Subject.Name)
				query.Before = entry.ID
			}
			pages = append(pages, "|")
		}
		s.equal(pages, []string{"e", "d", "|", "c", "b", "|", "a", "|"})
		oldest := audit.Query{WorkspaceID: &s.workspace, SubjectKind: "prompt", Limit: 2, OldestFirst: true}
		first := check.Must(s.Accounts.ListAudit(s.ctx, oldest))(s.t)
		oldest.After, oldest.Before = first[1].ID, query.Before+5
		pages = []string{}
		for _, entry := range check.Must(s.Accounts.ListAudit(s.ctx, oldest))(s.t) {
			pages = append(pages, entry.Subject.Name)
		}
		s.equal(append([]string{first[0].Subject.Name, first[1].Subject.Name, "|"}, pages...), []string{"a", "b", "|", "c", "d"})
	}},
}
