package prompt

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Split defines how an A/B test divides requests between versions: by the first
// matching segment, or else by its own weights.
type Split struct {
	Weights  []Weight  `json:"weights"`
	Segments []Segment `json:"segments,omitempty"`
	// Guard stops the test when a version does worse than agreed, nil for none.
	Guard *Guard `json:"guard,omitempty"`
	// Stopped says why the guard has stopped the test, nil if it has not.
	Stopped *Stopped `json:"stopped,omitempty"`
}

// Guard has the bounds of how much worse than the baseline a version may do. Bounds
// that are nil are not checked.
type Guard struct {
	// ErrorRate is added to the error rate of the baseline.
	ErrorRate *float64 `json:"error_rate,omitempty"`
	// Cost and Latency are shares of the baseline's medians: 0.2 allows 20 % more.
	Cost    *float64 `json:"cost,omitempty"`
	Latency *float64 `json:"latency,omitempty"`
	// Score is subtracted from the mean of the score called ScoreName.
	Score     *float64 `json:"score,omitempty"`
	ScoreName string   `json:"score_name,omitempty"`
}

// checks reports whether the guard has a bound.
func (g *Guard) checks() bool {
	return g != nil && (g.ErrorRate != nil || g.Cost != nil || g.Latency != nil || g.Score != nil)
}

// Stopped is the end of a test by its guard. All requests get the baseline since.
type Stopped struct {
	At      time.Time `json:"at"`
	From    time.Time `json:"from"` // since when requests were compared
	Version int64     `json:"version_number"`
	Reason  string    `json:"reason"`
}

// Weight is the share of one version in percent.
type Weight struct {
	Version int64   `json:"version_number"`
	Share   float64 `json:"weight"`
}

// Segment has separate weights for requests whose metadata has, for each of its
// keys, one of the values.
type Segment struct {
	Name    string              `json:"name,omitempty"`
	Match   map[string][]string `json:"match"`
	Weights []Weight            `json:"weights"`
}

// ABTest is an A/B test of a release label.
type ABTest struct {
	entity.ABTest
	Split Split
}

// NewABTest is an A/B test to be created.
type NewABTest struct {
	Name     string
	PromptID int64
	Label    string
	FolderID *int64
	Split    Split
	Author   *string
}

// test is an A/B test as needed for reading by a label.
type test struct {
	id    int64
	split Split
}

// testOf returns the A/B test of a label, nil if it has none.
func (s *Service) testOf(ctx context.Context, workspace, label int64) (*test, error) {
	found, ok, err := s.store.FindABTestByLabel(ctx, workspace, label)
	if err != nil || !ok {
		return nil, err
	}
	decoded, err := decodeABTest(found)
	if err != nil {
		return nil, err
	}
	return &test{id: found.Entity.ID, split: decoded.Split}, nil
}

func decodeABTest(found entity.ABTest) (*ABTest, error) {
	t := &ABTest{ABTest: found}
	if err := json.Unmarshal(found.Config, &t.Split); err != nil {
		return nil, fmt.Errorf("configuration of A/B test %d: %w", found.Entity.ID, err)
	}
	return t, nil
}

// choose returns the number of a version. Requests with equal filters get the
// same one, so that a user stays on a version; without filters it is random.
func (t *test) choose(filters map[string]string) int64 {
	point := rand.Float64() * 100
	if len(filters) > 0 {
		point = t.point(filters)
	}
	weights := t.split.Weights
	for _, segment := range t.split.Segments {
		if segment.matches(filters) {
			weights = segment.Weights
			break
		}
	}
	for _, w := range weights {
		if point < w.Share {
			return w.Version
		}
		point -= w.Share
	}
	return weights[len(weights)-1].Version // the shares may add up to slightly less than 100
}

// point maps filters to a number from 0 to 100.
func (t *test) point(filters map[string]string) float64 {
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%d", t.id)
	for _, key := range slices.Sorted(maps.Keys(filters)) {
		fmt.Fprintf(hash, "\x00%q=%q", key, filters[key])
	}
	// Similar texts have similar high bits in the hash; mixing spreads them.
	mixed := rand.New(rand.NewPCG(hash.Sum64(), uint64(t.id)))
	return mixed.Float64() * 100
}

func (s *Segment) matches(filters map[string]string) bool {
	for key, values := range s.Match {
		value, ok := filters[key]
		if !ok || !slices.Contains(values, value) {
			return false
		}
	}
	return true
}

// maxMatched is the maximum number of values of a key of a segment: each
// request is compared with them.
const maxMatched = 1000

// Check adds a problem for each broken rule of a split.
func (s *Split) Check(loc []any, problems *fault.Problems) {
	checkWeights(s.Weights, fault.At(loc, "weights"), problems)
	if s.Guard != nil && (s.Guard.Score != nil) != (s.Guard.ScoreName != "") {
		problems.Add(fault.At(loc, "guard", "score_name"), "value_error", "must come with max_score_drop")
	}
	for i, segment := range s.Segments {
		at := fault.At(loc, "segments", i)
		if len(segment.Match) == 0 {
			problems.Add(fault.At(at, "match"), "value_error", "must have at least one key")
		}
		for _, key := range slices.Sorted(maps.Keys(segment.Match)) {
			if count := len(segment.Match[key]); count < 1 || count > maxMatched {
				problems.Add(fault.At(at, "match", key), "value_error", "must have 1 to %d values, not %d", maxMatched, count)
			}
		}
		checkWeights(segment.Weights, fault.At(at, "weights"), problems)
	}
}

func checkWeights(weights []Weight, loc []any, problems *fault.Problems) {
	total := 0.0
	seen := map[int64]bool{}
	for i, w := range weights {
		if w.Share < 0 {
			problems.Add(fault.At(loc, i, "weight"), "greater_than_equal", "must not be negative")
		}
		if seen[w.Version] {
			problems.Add(fault.At(loc, i, "version_number"), "value_error", "must not be a duplicate")
		}
		seen[w.Version] = true
		total += w.Share
	}
	if math.Abs(total-100) > 1e-6 {
		problems.Add(loc, "value_error", "must add up to 100, not %g", total)
	}
}

// checkVersions returns a NotFound fault if the template lacks a version.
func (s *Service) checkVersions(ctx context.Context, workspace, prompt int64, split Split) error {
	weights := slices.Clone(split.Weights)
	for _, segment := range split.Segments {
		weights = append(weights, segment.Weights...)
	}
	checked := map[int64]bool{}
	for _, w := range weights {
		if checked[w.Version] {
			continue
		}
		checked[w.Version] = true
		if _, err := s.store.GetVersion(ctx, workspace, prompt, w.Version); err != nil {
			return err
		}
	}
	return nil
}

// CreateABTest adds an A/B test to a label. The fault is NotFound for an
// unknown template, label, version or folder, and Conflict if the label already
// has a test.
func (s *Service) CreateABTest(ctx context.Context, workspace int64, in NewABTest) (*ABTest, error) {
	var created entity.ABTest
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.registry.ByID(ctx, workspace, in.PromptID); err != nil {
			return err
		}
		label, err := s.store.FindLabel(ctx, workspace, in.PromptID, in.Label)
		if err != nil {
			return err
		}
		if err := access.Require(ctx, access.PromptDeploy); err != nil {
			return err
		}
		config, err := s.config(ctx, workspace, in.PromptID, in.Split)
		if err != nil {
			return err
		}
		created, err = s.store.CreateABTest(ctx, workspace, entity.NewABTest{
			Name: in.Name, FolderID: in.FolderID, Creator: in.Author, LabelID: label.ID, Config: config,
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return decodeABTest(created)
}

// config returns the stored form of a split.
func (s *Service) config(ctx context.Context, workspace, prompt int64, split Split) (json.RawMessage, error) {
	if err := s.checkVersions(ctx, workspace, prompt, split); err != nil {
		return nil, err
	}
	if !split.Guard.checks() {
		split.Guard = nil
	}
	return json.Marshal(split)
}

// SetSplit changes the split of an A/B test. Its guard stays if none is given; one
// without bounds removes it.
func (s *Service) SetSplit(ctx context.Context, workspace, id int64, split Split, author *string) (*ABTest, error) {
	var changed entity.ABTest
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		present, err := s.store.GetABTest(ctx, workspace, id)
		if err != nil {
			return err
		}
		if err := access.Require(ctx, access.PromptDeploy); err != nil {
			return err
		}
		if split.Guard == nil {
			before, err := decodeABTest(present)
			if err != nil {
				return err
			}
			split.Guard = before.Split.Guard
		}
		config, err := s.config(ctx, workspace, present.PromptID, split)
		if err != nil {
			return err
		}
		changed, err = s.store.SetABTestConfig(ctx, workspace, id, config, author)
		return err
	})
	if err != nil {
		return nil, err
	}
	return decodeABTest(changed)
}

// StopABTest gives all requests of a test the baseline, and keeps why.
func (s *Service) StopABTest(ctx context.Context, t *ABTest, baseline int64, why Stopped) (*ABTest, error) {
	split := t.Split.only(baseline)
	split.Stopped = &why
	return s.SetSplit(ctx, t.Entity.WorkspaceID, t.Entity.ID, split, nil)
}

// only returns the split with all requests for one version. The others stay part of
// it, so that people see what was tested.
func (s Split) only(version int64) Split {
	all := func(weights []Weight) []Weight {
		out := []Weight{{Version: version, Share: 100}}
		for _, w := range weights {
			if w.Version != version {
				out = append(out, Weight{Version: w.Version})
			}
		}
		return out
	}
	s.Weights, s.Segments = all(s.Weights), slices.Clone(s.Segments)
	for i := range s.Segments {
		s.Segments[i].Weights = all(s.Segments[i].Weights)
	}
	return s
}

// ABTest returns an A/B test.
func (s *Service) ABTest(ctx context.Context, workspace, id int64) (*ABTest, error) {
	found, err := s.store.GetABTest(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	return decodeABTest(found)
}

// ABTests returns the A/B tests of a workspace, or of one template.
func (s *Service) ABTests(ctx context.Context, workspace int64, prompt *int64) ([]*ABTest, error) {
	found, err := s.store.ListABTests(ctx, workspace, prompt)
	if err != nil {
		return nil, err
	}
	tests := make([]*ABTest, 0, len(found))
	for _, one := range found {
		decoded, err := decodeABTest(one)
		if err != nil {
			return nil, err
		}
		tests = append(tests, decoded)
	}
	return tests, nil
}

// DeleteABTest deletes an A/B test; its label then selects its own version
// again.
func (s *Service) DeleteABTest(ctx context.Context, workspace, id int64) error {
	if _, err := s.store.GetABTest(ctx, workspace, id); err != nil {
		return err
	}
	if err := access.Require(ctx, access.PromptDeploy); err != nil {
		return err
	}
	return s.store.DeleteABTest(ctx, workspace, id)
}
