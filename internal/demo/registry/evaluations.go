package registry

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// demoEvaluation is an evaluation that needs no model.
type demoEvaluation struct {
	name, folder, group string
	columns             []evaluationColumn
	scoring             *eval.Scoring
	runs                []evaluationRun
}

type evaluationColumn struct {
	name, kind, configuration string
	scored                    bool
}

// evaluationRun is a run over the dataset with the given number.
type evaluationRun struct {
	name    string
	dataset int64
	// answer is the configuration of the answer column, empty if there is none.
	answer string
}

var demoEvaluations = []demoEvaluation{
	{
		name: "Support answers", folder: support, group: questions,
		columns: []evaluationColumn{
			{answer, "CODE_EXECUTION", answerOf(replyColumns[0]), false},
			{"says what is expected", "CONTAINS", `{"source":"answer","value_source":"expected"}`, true},
			{"offers a next step", "REGEX", `{"source":"answer","regex_pattern":"(?i)\\b(link|account|refund|colleague|replacement)\\b"}`, true},
			{"words", "COUNT", `{"source":"answer","type":"words"}`, false},
			{"short enough", "COUNT", `{"source":"answer","type":"words","max_count":15}`, true},
		},
		// Both runs use the same questions, so that all rows can be compared.
		runs: []evaluationRun{
			{name: "support-reply version 4", dataset: 2, answer: answerOf(replyColumns[0])},
			{name: "support-reply version 5", dataset: 2, answer: answerOf(replyColumns[1])},
		},
	},
	{
		name: "Ticket classifier", folder: tools, group: regressions,
		columns: []evaluationColumn{
			{"right category", "COMPARE", `{"sources":["expected_category","category"]}`, true},
			{"priority off by", "ABSOLUTE_NUMERIC_DISTANCE", `{"sources":["expected_priority","priority"]}`, false},
			{"priority is close", "MATH_OPERATOR", `{"sources":["priority off by"],"value":1,"operator":"le"}`, true},
		},
		scoring: &eval.Scoring{Language: "JAVASCRIPT", Code: byCategory},
		runs: []evaluationRun{
			{name: "classify-ticket version 1", dataset: 1},
			{name: "classify-ticket version 2", dataset: 2},
			{name: "classify-ticket version 3", dataset: 3},
		},
	},
}

// answer is the column that contains the replies of one version.
const answer = "answer"

// answerOf returns the configuration of an answer column that copies a column
// of the dataset.
func answerOf(column string) string {
	return `{"language":"javascript","code":"return data.` + column + `.trim();"}`
}

// byCategory scores the share of correct categories, in total and by category.
const byCategory = `const tally = {};
for (const row of data) {
  const one = tally[row.expected_category] || (tally[row.expected_category] = {right: 0, all: 0});
  one.all++;
  if (row['right category']) one.right++;
}
const share = (one) => Math.round(1000 * one.right / one.all) / 10;
const matrix = [['category', 'tickets', 'right, in percent']];
let right = 0;
for (const name of Object.keys(tally).sort()) {
  right += tally[name].right;
  matrix.push([name, tally[name].all, share(tally[name])]);
}
return {score: share({right, all: data.length}), score_matrix: matrix};`

func (f *Filler) addEvaluations(ctx context.Context) error {
	for i := range demoEvaluations {
		e := &demoEvaluations[i]
		group, _, err := f.group(ctx, e.group)
		if err != nil {
			return err
		}
		id, done, err := f.ensureEvaluation(ctx, e, group)
		if err != nil {
			return err
		}
		for number := range e.runs {
			if slices.Contains(done, e.runs[number].name) {
				continue
			}
			if err := f.evaluate(ctx, id, group, &e.runs[number], authorOf(number)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ensureEvaluation returns an evaluation, which it creates if necessary, and
// the names of its runs.
func (f *Filler) ensureEvaluation(ctx context.Context, e *demoEvaluation, group int64) (id int64, done []string, err error) {
	found, _, err := f.Evaluations.List(ctx, entity.Query{WorkspaceID: f.Workspace, NameContains: e.name}, true)
	if err != nil {
		return 0, nil, err
	}
	for i := range found {
		if found[i].Entity.Name != e.name {
			continue
		}
		for j := range found[i].Runs {
			done = append(done, found[i].Runs[j].Name)
		}
		return found[i].Entity.ID, done, nil
	}
	id, err = f.createEvaluation(ctx, e, group)
	return id, nil, err
}

func (f *Filler) createEvaluation(ctx context.Context, e *demoEvaluation, group int64) (int64, error) {
	input := eval.CreateInput{DatasetGroupID: group, Name: &e.name, FolderID: f.FolderID(e.folder), Scoring: e.scoring, Author: &ada}
	for _, column := range e.columns {
		configuration, err := jsontree.Parse([]byte(column.configuration))
		if err != nil {
			return 0, err
		}
		input.Columns = append(input.Columns, eval.NewColumn{
			Type: column.kind, Name: column.name, Configuration: configuration, Scored: column.scored,
		})
	}
	created, _, err := f.Evaluations.Create(ctx, f.Workspace, input)
	return created.Entity.ID, err
}

// evaluate runs an evaluation over a dataset and waits for it to end.
func (f *Filler) evaluate(ctx context.Context, id, group int64, r *evaluationRun, author *string) error {
	over, err := f.Datasets.Version(ctx, f.Workspace, group, &r.dataset)
	if err != nil {
		return err
	}
	if err := f.setAnswer(ctx, id, r.answer); err != nil {
		return err
	}
	started, err := f.Evaluations.Start(ctx, f.Workspace, id, eval.RunInput{Name: r.name, DatasetID: &over.ID, Author: author})
	if err != nil {
		return err
	}
	return waitFor(ctx, func() (bool, error) {
		report, err := f.Evaluations.Get(ctx, f.Workspace, started.ID)
		return err == nil && report.Run.EndedAt != nil, err
	})
}

// setAnswer changes the answer column for the next run. It does nothing if the
// column was deleted.
func (f *Filler) setAnswer(ctx context.Context, id int64, configuration string) error {
	if configuration == "" {
		return nil
	}
	report, err := f.Evaluations.Get(ctx, f.Workspace, id)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(report.Columns, func(c eval.Column) bool { return c.Name == answer && c.Type != eval.TypeDataset })
	if at < 0 {
		return nil
	}
	tree, err := jsontree.Parse([]byte(configuration))
	if err != nil {
		return err
	}
	_, err = f.Evaluations.PatchColumn(ctx, f.Workspace, report.Columns[at].ID, eval.ColumnPatch{
		ReportID: id, Type: report.Columns[at].Type, Configuration: tree,
	})
	return err
}
