package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// crowd is the number of concurrent callers.
const crowd = 32

// oneWinner fails the test unless exactly one call succeeded and all others
// failed with the kind of fault.
func (s *store) oneWinner(errs []error, kind fault.Kind) {
	s.t.Helper()
	winners := 0
	for _, err := range errs {
		if err == nil {
			winners++
			continue
		}
		s.fails(err, kind)
	}
	s.equal(winners, 1)
}

// span returns the numbers from 1 to n.
func span(n int) []int64 {
	numbers := make([]int64, n)
	for i := range numbers {
		numbers[i] = int64(i) + 1
	}
	return numbers
}

// neverBack reads the selected version several times and fails if its number
// decreases.
func (s *store) neverBack(selector entity.Selector) error {
	last := int64(0)
	for range 8 {
		found, err := s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, selector)
		if err != nil {
			return err
		}
		if found.Version.Number < last {
			return fmt.Errorf("version %d came after %d", found.Version.Number, last)
		}
		last = found.Version.Number
	}
	return nil
}

var concurrencyCases = []testCase{
	{"concurrent publishers get consecutive numbers", func(s *store) {
		owner := s.prompt("x")
		numbers := make([]int64, 2*crowd)
		s.allOK(check.Together(crowd, func(i int) error {
			for half := range 2 {
				input := entity.NewVersion{Body: fmt.Appendf(nil, "%d", i)}
				version, err := s.Entities.AddVersion(s.ctx, s.workspace, owner.ID, input)
				if err != nil {
					return err
				}
				numbers[2*i+half] = version.Number
			}
			return nil
		}))
		slices.Sort(numbers)
		s.equal(numbers, span(2*crowd))
		s.equal(s.get(owner.ID).LatestVersion, int64(2*crowd))
	}},
	{"failed publishers leave no gap", func(s *store) {
		owner := s.prompt("x")
		check.Together(crowd, func(i int) error {
			return s.InTx(s.ctx, func(ctx context.Context) error {
				version, err := s.Entities.AddVersion(ctx, s.workspace, owner.ID, entity.NewVersion{Body: []byte(`{}`)})
				if err == nil && i%2 == 0 {
					err = errOurs
				}
				if err != nil {
					return err
				}
				return check.Failure(s.Entities.SetLabel(ctx, s.workspace, owner.ID, "prod", version.Number))
			})
		})
		all, _ := catalogtest.Versions(s.t, s.Catalog, s.workspace, owner.ID, entity.Page{})
		numbers := []int64{}
		for _, version := range slices.Backward(all) {
			numbers = append(numbers, version.Number)
		}
		s.equal(numbers, span(crowd/2))
		label := check.Must(s.Entities.FindLabel(s.ctx, s.workspace, owner.ID, "prod"))(s.t)
		s.equal(label.VersionNumber, int64(crowd/2))
	}},
	{"readers never see a label move backwards", func(s *store) {
		owner, _ := s.labelled("x")
		selector := entity.Selector{Name: "x", Label: "prod"}
		numbers := make([]int64, crowd)
		s.allOK(check.Together(2*crowd, func(i int) error {
			if i >= crowd {
				return s.neverBack(selector)
			}
			return s.InTx(s.ctx, func(ctx context.Context) error {
				version, err := s.Entities.AddVersion(ctx, s.workspace, owner.ID, entity.NewVersion{Body: []byte(`{}`)})
				if err != nil {
					return err
				}
				numbers[i] = version.Number
				return check.Failure(s.Entities.SetLabel(ctx, s.workspace, owner.ID, "prod", version.Number))
			})
		}))
		slices.Sort(numbers)
		s.equal(numbers, span(crowd + 2)[2:])
		s.equal(check.Must(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, selector))(s.t).Version.Number, int64(crowd+2))
	}},
	{"reads of a locked entity stay valid", func(s *store) {
		owner := s.prompt("x")
		s.version(owner.ID, `0`)
		s.allOK(check.Together(crowd, func(int) error {
			return s.InTx(s.ctx, func(ctx context.Context) error {
				if err := s.Entities.LockEntity(ctx, s.workspace, owner.ID); err != nil {
					return err
				}
				latest, err := s.Entities.LatestVersions(ctx, s.workspace, []int64{owner.ID})
				if err != nil {
					return err
				}
				next := entity.NewVersion{Body: fmt.Appendf(nil, "%d", latest[owner.ID].Number)}
				return check.Failure(s.Entities.AddVersion(ctx, s.workspace, owner.ID, next))
			})
		}))
		for number := range int64(crowd + 1) {
			version := check.Must(s.Entities.GetVersion(s.ctx, s.workspace, owner.ID, number+1))(s.t)
			s.equal(string(version.Body), fmt.Sprint(number))
		}
		s.fails(s.Entities.LockEntity(s.ctx, s.other, owner.ID), fault.NotFound)
		s.fails(s.Entities.LockEntity(s.ctx, s.workspace, 999), fault.NotFound)
	}},
	{"of concurrent AB tests on a label one succeeds", func(s *store) {
		_, label := s.labelled("x")
		input := entity.NewABTest{Name: "x", LabelID: label.ID, Config: []byte(`{}`)}
		s.oneWinner(check.Together(crowd, func(int) error { return check.Failure(s.Entities.CreateABTest(s.ctx, s.workspace, input)) }), fault.Conflict)
		s.equal(len(check.Must(s.Entities.ListABTests(s.ctx, s.workspace, nil))(s.t)), 1)
	}},
	{"no AB test outlives its label", func(s *store) {
		for round := range 5 {
			_, label := s.labelled(fmt.Sprint(round))
			input := entity.NewABTest{Name: "x", LabelID: label.ID, Config: []byte(`{}`)}
			errs := check.Together(crowd, func(i int) error {
				if i == 0 {
					return s.Entities.DeleteLabel(s.ctx, s.workspace, label.ID)
				}
				return check.Failure(s.Entities.CreateABTest(s.ctx, s.workspace, input))
			})
			s.ok(errs[0])
			for _, err := range errs[1:] {
				if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
					s.t.Fatal(err)
				}
			}
			s.noABTest(entity.ABTest{LabelID: label.ID})
		}
	}},
	{"concurrent tag changes do not mix", func(s *store) {
		owner := s.prompt("x")
		s.allOK(check.Together(crowd, func(i int) error {
			return check.Failure(s.Entities.SetTags(s.ctx, s.workspace, owner.ID, []string{fmt.Sprint(i), fmt.Sprint(i + crowd)}))
		}))
		tags := s.get(owner.ID).Tags
		s.equal(s.names(entity.Query{Tags: tags}), []string{"x"})
		for i := range 2 * crowd {
			tag := fmt.Sprint(i)
			s.equal(len(s.names(entity.Query{Tags: []string{tag}})) == 1, slices.Contains(tags, tag))
		}
	}},
	{"concurrent moves of a label", func(s *store) {
		owner := s.prompt("x")
		for range 4 {
			s.version(owner.ID, `{}`)
		}
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		s.allOK(check.Together(crowd, func(i int) error {
			if i%2 == 0 {
				return check.Failure(s.Entities.MoveLabel(s.ctx, s.workspace, label.ID, int64(i%4)+1))
			}
			return check.Failure(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", int64(i%4)+1))
		}))
		labels := check.Must(s.Entities.ListLabels(s.ctx, s.workspace, owner.ID))(s.t)
		s.equal(len(labels), 1)
		s.equal(s.lastStop("prod", label.VersionNumber), labels[0].VersionNumber)
	}},
	{"of concurrent creations of a label one succeeds", func(s *store) {
		owner := s.prompt("x")
		s.version(owner.ID, `{}`)
		s.oneWinner(check.Together(crowd, func(int) error {
			return check.Failure(s.Entities.CreateLabel(s.ctx, s.workspace, owner.ID, "prod", 1))
		}), fault.Conflict)
	}},
	{"of concurrent creations of a name one succeeds", func(s *store) {
		input := entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "x"}
		s.oneWinner(check.Together(crowd, func(int) error { return check.Failure(s.Entities.CreateEntity(s.ctx, input)) }), fault.Conflict)
	}},
	{"of concurrent attachments of an external id one succeeds", func(s *store) {
		ids := make([]int64, crowd)
		for i := range ids {
			ids[i] = s.prompt(fmt.Sprint(i)).ID
		}
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		s.oneWinner(check.Together(crowd, func(i int) error {
			return s.Entities.AttachExternalID(s.ctx, s.workspace, ids[i], ref)
		}), fault.Conflict)
	}},
	{"concurrent attachments to the same entity all succeed", func(s *store) {
		owner := s.prompt("x")
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		s.allOK(check.Together(crowd, func(int) error { return s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, ref) }))
		s.equal(s.refs(owner.ID), []entity.ExternalRef{ref})
	}},
	{"concurrent attachments and detachments of an external id", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		for _, err := range check.Together(crowd, func(i int) error {
			id := []int64{a.ID, b.ID}[i%2]
			if err := s.Entities.AttachExternalID(s.ctx, s.workspace, id, ref); err != nil {
				return err
			}
			return s.Entities.DeleteExternalID(s.ctx, s.workspace, id, ref)
		}) {
			if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.NotFound) {
				s.t.Fatal(err)
			}
		}
		s.fails(check.Failure(s.Entities.FindByExternalID(s.ctx, s.workspace, ref)), fault.NotFound)
	}},
	{"reserved blocks do not overlap", func(s *store) {
		const size = 7
		ids := make([]int64, crowd*size)
		s.allOK(check.Together(crowd, func(i int) error {
			first, err := s.Sequences.ReserveIDs(s.ctx, "request", size)
			for k := range size {
				ids[i*size+k] = first + int64(k)
			}
			return err
		}))
		slices.Sort(ids)
		s.equal(ids, span(crowd*size))
	}},
	{"transactions that lock in opposite order all succeed", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.allOK(check.Together(crowd/2, func(i int) error {
			order := []int64{a.ID, b.ID}
			if i%2 == 1 {
				slices.Reverse(order)
			}
			return s.InTx(s.ctx, func(ctx context.Context) error {
				for _, id := range order {
					if _, err := s.Entities.AddVersion(ctx, s.workspace, id, entity.NewVersion{Body: []byte(`{}`)}); err != nil {
						return err
					}
				}
				return nil
			})
		}))
		s.equal(s.get(a.ID).LatestVersion, int64(crowd/2))
		s.equal(s.get(b.ID).LatestVersion, int64(crowd/2))
	}},
}

// lastStop follows a label through the audit log from its first version: each
// move must begin where the previous one ended.
func (s *store) lastStop(label string, at int64) int64 {
	s.t.Helper()
	entries := check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{WorkspaceID: &s.workspace, Action: audit.Label, Limit: 1000}))(s.t)
	for _, entry := range slices.Backward(entries) {
		var move struct {
			Label           string
			Before, Version int64
		}
		s.ok(json.Unmarshal(entry.Detail, &move))
		if move.Label != label || move.Before == 0 {
			continue
		}
		if move.Before != at {
			s.t.Errorf("it moved from version %d, but pointed at %d", move.Before, at)
		}
		at = move.Version
	}
	return at
}
