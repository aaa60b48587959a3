package score_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// sample is data of two rows.
func sample(t *testing.T) *score.Data {
	data := score.NewData([]string{"q", "both"}, columns("both", "*ok"))
	data.Add([]jsontree.Value{tree(t, `"a"`), tree(t, `"theirs"`)}, cells(t, `[[1.50],[true]]`))
	data.Add([]jsontree.Value{tree(t, `"b"`)}, cells(t, `["failed"]`))
	return data
}

func compute(t *testing.T, code score.Code, run score.Run, data *score.Data) score.Result {
	t.Helper()
	result, err := code.Compute(t.Context(), run, data)
	if err != nil {
		t.Fatal(err)
	}
	if result.Type != score.Custom || !result.HasCustom {
		t.Errorf("the result is %+v", result)
	}
	return result
}

func TestCodeIsRun(t *testing.T) {
	t.Parallel()
	run := javaScript(t)
	code := score.Code{Language: "JavaScript", Code: `return {score: data.length * 10, score_matrix: [["t","h"],[1, {value: null, positive_metric: false}]], sub_scores: {x: data[0].both}}`}
	result := compute(t, code, run, sample(t))
	check.Equal(t, "failure", result.Failure, "")
	check.Equal(t, "matrix", string(result.Matrix), `[[["t","h"],[1,{"value":null,"positive_metric":false}]]]`)
	check.Equal(t, "score", string(result.JSON()), `{"overall_score":20,"score_type":"custom","has_custom_scoring":true,"details":{"matrix":[[["t","h"],[1,{"value":null,"positive_metric":false}]]],`+
		`"configuration":{"code":"return {score: data.length * 10, score_matrix: [[\"t\",\"h\"],[1, {value: null, positive_metric: false}]], sub_scores: {x: data[0].both}}","code_language":"JAVASCRIPT"},"sub_scores":{"x":1.5}}}`)

	data := sample(t)
	for range 2 { // data can be used again
		result = compute(t, score.Code{Language: "JAVASCRIPT", Code: "throw new Error('no luck')"}, run, data)
	}
	if !strings.Contains(result.Failure, "no luck") || result.Matrix != nil {
		t.Errorf("the failure is %q, the matrix %s", result.Failure, result.Matrix)
	}
	check.Equal(t, "score", string(result.JSON()),
		`{"overall_score":null,"score_type":"custom","has_custom_scoring":true,"details":{"matrix":[],"configuration":{"code":"throw new Error('no luck')","code_language":"JAVASCRIPT"}}}`)
}

func TestInputOfCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		language string
		want     step.Language
	}{"none": {"", step.Python}, "python": {"PYTHON", step.Python}, "any case": {"javaScript", step.JavaScript}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(_ context.Context, language step.Language, code string, data jsontree.Value) (jsontree.Value, error) {
				check.Equal(t, "language", language, c.want)
				check.Equal(t, "code", code, "x")
				check.Equal(t, "data", string(data.Raw()), `[{"q":"a","both":1.50,"ok":true},{"q":"b","both":null,"ok":null}]`)
				return tree(t, `{"score":1}`), nil
			}
			result := compute(t, score.Code{Code: "x", Language: c.language}, run, sample(t))
			check.Equal(t, "failure", result.Failure, "")
		})
	}
	empty := func(_ context.Context, _ step.Language, _ string, data jsontree.Value) (jsontree.Value, error) {
		check.Equal(t, "data", string(data.Raw()), `[]`)
		return tree(t, `{"score":1}`), nil
	}
	compute(t, score.Code{}, empty, score.NewData(nil, nil))
}

func TestResultOfCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, returned   string
		matrix, parts    string // as JSON
		overall, failure string
	}{
		{name: "score", returned: `{"score":-1.5e1}`, overall: "-15", matrix: `[]`},
		{name: "score as text", returned: `{"score":"85"}`, overall: "85", matrix: `[]`},
		{name: "nulls", returned: `{"score":1,"score_matrix":null,"sub_scores":null}`, overall: "1", matrix: `[]`},
		{name: "several matrices", returned: `{"score":1,"score_matrix":[ [["a", 1]], [[null]], [] ]}`, overall: "1", matrix: `[[["a",1]],[[null]],[]]`},
		{name: "one matrix", returned: `{"score":1,"score_matrix":[["a",1],[],[{"value":"x","more":[1]}]]}`, overall: "1", matrix: `[[["a",1],[],[{"value":"x","more":[1]}]]]`},
		{name: "empty matrix", returned: `{"score":1,"score_matrix":[[]]}`, overall: "1", matrix: `[[]]`},
		{name: "no matrix", returned: `{"score":1,"score_matrix":[]}`, overall: "1", matrix: `[]`},
		{name: "parts", returned: `{"score":1,"sub_scores":{"a": 1, "b": 2.50}}`, overall: "1", matrix: `[]`, parts: `{"a":1,"b":2.50}`},
		{name: "number", returned: `5`, failure: "The code must return an object with a numeric 'score', not a number"},
		{name: "null", returned: `null`, failure: "The code must return an object with a numeric 'score', not null"},
		{name: "no score", returned: `{"Score":1}`, failure: "The 'score' that the code returned must be a number, but is missing"},
		{name: "boolean", returned: `{"score":true}`, failure: "The 'score' that the code returned must be a number, not a boolean"},
		{name: "word", returned: `{"score":"good"}`, failure: "The 'score' that the code returned must be a number, not a string"},
		{name: "too large", returned: `{"score":1e999}`, failure: "The 'score' that the code returned must be a number, not one that is too large"},
		{name: "matrix of another kind", returned: `{"score":1,"score_matrix":{}}`, failure: "The 'score_matrix' that the code returned must be an array, not an object"},
		{name: "boolean in a matrix", returned: `{"score":1,"score_matrix":[["a"],["b",true]]}`, failure: "The code returned a score_matrix[1][1] that must be a string, a number, null or an object, not a boolean"},
		{name: "boolean in matrices", returned: `{"score":1,"score_matrix":[[["a"]],[["b"],["c",true]]]}`, failure: "The code returned a score_matrix[1][1][1] that must be a string, a number, null or an object, not a boolean"},
		{name: "four dimensions", returned: `{"score":1,"score_matrix":[[[["a"]]]]}`, failure: "The code returned a score_matrix[0][0][0] that must be a string, a number, null or an object, not an array"},
		{name: "row and matrix", returned: `{"score":1,"score_matrix":[["a"],[["b"]]]}`, failure: "The code returned a score_matrix[0][0] that must be an array of cells, not a string"},
		{name: "numbers as rows", returned: `{"score":1,"score_matrix":[1,2]}`, failure: "The code returned a score_matrix[0] that must be an array of rows, not a number"},
		{name: "number as a row", returned: `{"score":1,"score_matrix":[["a"],2]}`, failure: "The code returned a score_matrix[1] that must be an array of cells, not a number"},
		{name: "cell without a value", returned: `{"score":1,"score_matrix":[[{}]]}`, failure: "The code returned a score_matrix[0][0] that must be an object whose 'value' is a string, a number or null, but is missing"},
		{name: "cell with an object", returned: `{"score":1,"score_matrix":[[{"value":{}}]]}`, failure: "The code returned a score_matrix[0][0] that must be an object whose 'value' is a string, a number or null, not an object"},
		{name: "cell with a wrong flag", returned: `{"score":1,"score_matrix":[[{"value":1,"positive_metric":"no"}]]}`, failure: "The code returned a score_matrix[0][0] that must be an object whose 'positive_metric' is a boolean, not a string"},
		{name: "list of parts", returned: `{"score":1,"sub_scores":[1]}`, failure: "The 'sub_scores' that the code returned must be an object, not an array"},
		{name: "part of another kind", returned: `{"score":1,"sub_scores":{"a":"1"}}`, failure: "The sub-score 'a' that the code returned must be a number, not a string"},
		{name: "large", returned: `{"score":1,"x":"` + strings.Repeat("x", 1<<20) + `"}`, failure: "The code returned more than 1 MiB"},
		{name: "deep", returned: `{"score":1,"score_matrix":` + strings.Repeat("[", 199) + strings.Repeat("]", 199) + `}`, failure: "The code returned a score_matrix[0][0][0] that must be a string, a number, null or an object, not an array"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			result := compute(t, score.Code{Code: "x"}, returns(t, c.returned), sample(t))
			check.Equal(t, "failure", result.Failure, c.failure)
			if c.failure != "" {
				if result.Overall != nil || result.Matrix != nil {
					t.Errorf("there is a score %v or a matrix %s", result.Overall, result.Matrix)
				}
				return
			}
			check.Equal(t, "score", text(result.Overall), c.overall)
			check.Equal(t, "matrix", string(result.Matrix), c.matrix)
			details := tree(t, string(result.Details))
			check.Equal(t, "sub-scores", string(details.Get("sub_scores").Raw()), c.parts)
		})
	}
}

func TestFailuresOfCode(t *testing.T) {
	t.Parallel()
	deep := score.NewData([]string{"q"}, nil)
	deep.Add([]jsontree.Value{tree(t, strings.Repeat("[", 199)+strings.Repeat("]", 199))}, nil)
	many := score.NewData([]string{"q"}, nil)
	list := tree(t, "[1"+strings.Repeat(",1", 1_000_000)+"]")
	for range 2 {
		many.Add([]jsontree.Value{list}, nil)
	}
	fine := returns(t, `{"score":1}`)
	for _, c := range []struct {
		name string
		code score.Code
		run  score.Run
		data *score.Data
		want string
	}{
		{"no interpreter", score.Code{}, nil, sample(t), "Running code is not available on this server"},
		{"language", score.Code{Language: "RUBY"}, fine, sample(t), "Code in 'RUBY' cannot be run"},
		{"too large", score.Code{}, fine, large(t), "The rows are larger than 32 MiB together, which is too much for code that computes a score"},
		{"too deep", score.Code{}, fine, deep, "The rows hold more than 2000000 values together, or values nested too deeply, which is too much for code that computes a score"},
		{"too many", score.Code{}, fine, many, "The rows hold more than 2000000 values together, or values nested too deeply, which is too much for code that computes a score"},
		{"fault", score.Code{}, fails(fault.New(fault.Unavailable, "Python steps are turned off")), sample(t), "Python steps are turned off"},
		{"internal error", score.Code{}, fails(errors.New("secret")), sample(t), "The step failed because of an internal error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, "failure", compute(t, c.code, c.run, c.data).Failure, c.want)
		})
	}
}

func fails(err error) score.Run {
	return func(context.Context, step.Language, string, jsontree.Value) (jsontree.Value, error) {
		return jsontree.Value{}, err
	}
}

// large returns data with far more rows than allowed.
func large(t *testing.T) *score.Data {
	data := score.NewData([]string{"q"}, columns("a"))
	value := tree(t, `"`+strings.Repeat("x", 1<<20)+`"`)
	row := []grid.Cell{{Status: grid.Completed, Value: value}}
	for range 100 {
		data.Add([]jsontree.Value{value}, row)
	}
	return data
}

// TestLargestData checks that the limit applies to the whole text.
func TestLargestData(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		less int
		fits bool
	}{"as much as may be": {0, true}, "a byte more": {-1, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			frame := len(`[{"q":""}]`)
			data := score.NewData([]string{"q"}, nil)
			data.Add([]jsontree.Value{tree(t, `"`+strings.Repeat("x", score.MaxData-frame-c.less)+`"`)}, nil)
			result := compute(t, score.Code{}, returns(t, `{"score":1}`), data)
			if fits := result.Failure == ""; fits != c.fits {
				t.Errorf("it fits: %v; %s", fits, result.Failure)
			}
		})
	}
}

// TestScoringIsStopped checks that the end of the context is an error, not a
// failure of the code.
func TestScoringIsStopped(t *testing.T) {
	t.Parallel()
	cause := errors.New("stopping")
	ctx, cancel := context.WithCancelCause(t.Context())
	run := func(context.Context, step.Language, string, jsontree.Value) (jsontree.Value, error) {
		cancel(cause)
		return jsontree.Value{}, fault.BadRequestf("the code did not finish in time")
	}
	if _, err := (score.Code{}).Compute(ctx, run, sample(t)); !errors.Is(err, cause) {
		t.Errorf("got error %v, want %v", err, cause)
	}
}

// TestSlowCode checks that code that exceeds the time limit fails like other
// code.
func TestSlowCode(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		endless := func(ctx context.Context, _ step.Language, _ string, _ jsontree.Value) (jsontree.Value, error) {
			<-ctx.Done()
			return jsontree.Value{}, context.Cause(ctx)
		}
		began := time.Now()
		result := compute(t, score.Code{Code: "while(true){}", Language: "JAVASCRIPT"}, endless, sample(t))
		check.Equal(t, "time", time.Since(began), time.Minute)
		check.Equal(t, "failure", result.Failure, "The code that computes the score did not finish in time")
		check.Equal(t, "score", string(result.JSON()),
			`{"overall_score":null,"score_type":"custom","has_custom_scoring":true,"details":{"matrix":[],"configuration":{"code":"while(true){}","code_language":"JAVASCRIPT"}}}`)
	})
}
