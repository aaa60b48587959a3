package step_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/step"
)

const (
	stars   = `"scale":{"type":"range","min":1,"max":5}`
	grades  = `"scale":{"type":"choices","choices":[{"name":"Good","score":100},{"name":"So-so","score":40},{"name":"Bad","score":0}]}`
	percent = `"scale":{"type":"range","min":0,"max":1,"decimals":true}`
)

// judged returns an example of a judge whose model says something.
func judged(name, members, says, want, fails string) example {
	return example{
		name: name, config: `{"source":"s","prompt":"is it?",` + members + `}`, values: `{"s":` + quoted("SAY:"+says) + `}`, want: want, fails: fails,
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	runExamples(t, "LLM_ASSERTION", newWorld(t).env(), []example{
		judged("number", stars, `{"verdict": 4}`, `4`, ""),
		judged("number as text", stars, `{"verdict": " 4.0 "}`, `4`, ""),
		judged("number alone", stars, "4.", `4`, ""),
		judged("in a fence", stars, "```json\n{\"reason\": \"fine\", \"verdict\": 5}\n```", `5`, ""),
		judged("after words", stars, `Well {sic}: {"reason": "a {brace}", "verdict": 2} That is all.`, `2`, ""),
		judged("the same twice", stars, `{"verdict": 2} and again {"verdict": 2}`, `2`, ""),
		judged("two verdicts", stars, `{"verdict": 2} or {"verdict": 3}`, "", "did not answer with a whole number from 1 to 5"),
		judged("too high", stars, `{"verdict": 6}`, "", "a whole number from 1 to 5: '{\"verdict\": 6}'"),
		judged("too low", stars, `{"verdict": 0}`, "", "a whole number from 1 to 5"),
		judged("not whole", stars, `{"verdict": 3.5}`, "", "a whole number from 1 to 5"),
		judged("beyond all numbers", stars, `{"verdict": 1e999}`, "", "a whole number from 1 to 5"),
		judged("number in words", stars, `I would say 4 of 5`, "", "a whole number from 1 to 5"),
		judged("no verdict", stars, `{"rating": 4}`, "", "a whole number from 1 to 5"),
		judged("null", stars, `{"verdict": null}`, "", "a whole number from 1 to 5"),
		judged("true on a range", stars, `{"verdict": true}`, "", "a whole number from 1 to 5"),
		judged("nothing", stars, ``, "", "a whole number from 1 to 5"),
		judged("many braces", stars, strings.Repeat("{", 100_000), "", "a whole number from 1 to 5"),
		judged("decimals", percent, `{"verdict": 0.25}`, `0.25`, ""),
		judged("above decimals", percent, `{"verdict": 1.01}`, "", "a number from 0 to 1"),
		judged("choice", grades, `{"verdict": "so-SO "}`, `"So-so"`, ""),
		judged("choice that is a number", `"scale":{"type":"choices","choices":[{"name":"1","score":0},{"name":"2","score":1}]}`, `{"verdict": 2}`, `"2"`, ""),
		judged("choice alone", grades, `**Good**`, `"Good"`, ""),
		judged("unknown choice", grades, `{"verdict": "great"}`, "", `one of "Good", "So-so", "Bad"`),
		judged("two choices", grades, `Good or Bad`, "", `one of "Good"`),
		judged("passed", `"scale":{"type":"pass_fail"}`, `{"verdict": true}`, `true`, ""),
		judged("failed in words", `"rubric":"be strict"`, `{"verdict": "Fail"}`, `false`, ""),
		judged("reason", `"reason":true`, `{"reason": "so", "verdict": false}`, `false`, ""),
		judged("unclear", `"reason":true`, `It is true, but also false`, "", "did not answer with true or false"),
		{name: "several", config: `{"source":"s","prompt":"[\"one\",\"two\"]",` + stars + `}`, values: `{"s":"SAY:3"}`, want: `{"one":3,"two":3}`},
		{name: "mapped", config: `{"source":"s","prompt":"x","rubric":"like {e}","variable_mappings":{"e":"v"}}`, values: `{"s":"SAY:true","v":1}`, want: `true`, sources: "s v"},
		{name: "not mapped", config: `{"source":"s","prompt":"x","rubric":"like {e}"}`, values: `{"s":"SAY:true"}`, fails: "the variable 'e' of the prompt is not mapped"},
	})
}

func TestJudgesThatAreRefused(t *testing.T) {
	t.Parallel()
	var examples []example
	for members, refused := range map[string]string{
		`"scale":5`:                                                                  "scale: Input should be a valid object",
		`"scale":{}`:                                                                 "scale.type: Field required",
		`"scale":{"type":"stars"}`:                                                   "scale.type: Input should be 'pass_fail', 'range' or 'choices'",
		`"scale":{"type":"range"}`:                                                   "scale.min: Field required",
		`"scale":{"type":"range","min":1,"max":1}`:                                   "scale.max: The maximum must be greater than the minimum",
		`"scale":{"type":"range","min":0,"max":1e10}`:                                "scale.max: Input should be less than or equal to",
		`"scale":{"type":"range","min":0.5,"max":2}`:                                 "scale: The limits must be whole numbers",
		`"scale":{"type":"range","min":"a","max":2}`:                                 "scale.min: Input should be a valid number",
		`"scale":{"type":"choices"}`:                                                 "scale.choices: There must be at least two choices",
		`"scale":{"type":"choices","choices":[{"name":"a","score":1}]}`:              "scale.choices: There must be at least two choices",
		`"scale":{"type":"choices","choices":["a","b"]}`:                             "scale.choices[0]: Input should be a valid object",
		`"scale":{"type":"choices","choices":[{"name":"a"},{"name":"b","score":1}]}`: "scale.choices[0].score: Field required",
		`"scale":{"type":"choices","choices":[{"name":"a","score":101},{"name":"b","score":1}]}`:        "scale.choices[0].score: Input should be less than or equal to 100",
		`"scale":{"type":"choices","choices":[{"name":" a","score":1},{"name":"b","score":1}]}`:         "scale.choices[0].name: There must be no space",
		`"scale":{"type":"choices","choices":[{"name":"a","score":1},{"name":"A","score":2}]}`:          "scale.choices[1]: 'A' is listed twice",
		`"scale":{"type":"choices","choices":[` + strings.Repeat(`{"name":"a","score":1},`, 50) + `1]}`: "scale.choices: ",
		`"model":"gpt"`:                                            "model: Input should be a valid object",
		`"model":{"provider":"openai"}`:                            "model.name: Field required",
		`"model":{"provider":"","name":"x"}`:                       "model.provider: String should have at least 1 character",
		`"model":{"provider":"openai","name":"x","parameters":[]}`: "model.parameters: Input should be a valid object",
		`"reason":"yes"`:                                           "reason: Input should be a valid boolean",
		`"rubric":["a"]`:                                           "rubric: Input should be a valid string",
	} {
		examples = append(examples, example{name: members[:min(80, len(members))], config: `{"source":"s","prompt":"is it?",` + members + `}`, refused: refused})
	}
	runExamples(t, "LLM_ASSERTION", step.Env{}, examples)
}

// TestReasons checks what is asked of the model, and what becomes of its reason.
func TestReasons(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ config, says, want string }{
		"kept":      {`"prompt":"p","reason":true`, `{"reason":" Too short.\u0000 ","verdict":false}`, "Too short.\uFFFD"},
		"not asked": {`"prompt":"p",` + stars, `{"reason":"Too short.","verdict":1}`, ""},
		"none":      {`"prompt":"p","reason":true`, `{"verdict":false}`, ""},
		"several":   {`"prompt":"[\"a\",\"b\"]","reason":true`, `{"reason":"So.","verdict":false}`, "a: So.\nb: So."},
		"long":      {`"prompt":"p","reason":true`, `{"reason":"` + strings.Repeat("é", 5000) + `","verdict":false}`, strings.Repeat("é", 2048) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			env, got := w.env(), ""
			env.Values = valuesOf(t, `{"s":`+quoted("SAY:"+test.says)+`}`)
			env.Explain = func(reason string) { got = reason }
			if _, err := mustPrepare(t, "LLM_ASSERTION", `{"source":"s",`+test.config+`}`).Run(t.Context(), &env); err != nil {
				t.Fatal(err)
			}
			check.Equal(t, "reason", got, test.want)
			asked := strings.Contains(w.questions[0].Instructions, `"reason"`)
			check.Equal(t, "a reason was asked for", asked, strings.Contains(test.config, `"reason":true`))
		})
	}
}

func TestQuestionsOfJudges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	env := w.env()
	env.Values = valuesOf(t, `{"s":"true","e":"42"}`)
	for _, config := range []string{
		`{"source":"s","prompt":"is it?","model":{"provider":"openai","name":"gpt-5","parameters":{"temperature":0}}}`,
		`{"source":"s","prompt":"is it?","rubric":"true if like {e}","variable_mappings":{"e":"e"}}`,
	} {
		if _, err := mustPrepare(t, "LLM_ASSERTION", config).Run(t.Context(), &env); err != nil {
			t.Fatal(err)
		}
	}
	plain, detailed := w.questions[0], w.questions[1]
	check.Equal(t, "model", []string{plain.Model.Provider, plain.Model.Name, string(plain.Model.Parameters.Raw())}, []string{"openai", "gpt-5", `{"temperature":0}`})
	check.Equal(t, "plain question", plain.Text, "Assertion:\nis it?\n\nText:\ntrue")
	check.Equal(t, "default model", detailed.Model.Provider, "")
	check.Equal(t, "question with a rubric", detailed.Text, "Criterion:\nis it?\n\nRubric:\ntrue if like 42\n\nText:\ntrue")
}

func TestPointsOfVerdicts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		members, verdict string
		points           float64
		ok               bool
	}{
		"least":     {stars, `1`, 0, true},
		"middle":    {stars, `3`, 50, true},
		"most":      {stars, `5`, 100, true},
		"several":   {stars, `{"a":5,"b":2}`, 62.5, true},
		"one wrong": {stars, `{"a":5,"b":"x"}`, 0, false},
		"none":      {stars, `{}`, 0, false},
		"no number": {stars, `"5"`, 0, false},
		"choice":    {grades, `"So-so"`, 40, true},
		"no choice": {grades, `"great"`, 0, false},
		"passed":    {`"reason":true`, `true`, 100, true},
		"failed":    {`"reason":true`, `false`, 0, true},
		"neither":   {`"reason":true`, `1`, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scale := mustPrepare(t, "LLM_ASSERTION", `{"source":"s","prompt":"is it?",`+test.members+`}`).Scale()
			points, ok := scale.Points(check.JSON(test.verdict))
			check.Equal(t, "points", []any{points, ok}, []any{test.points, test.ok})
		})
	}
	check.Equal(t, "scale of another type", mustPrepare(t, "COUNT", `{"source":"s","type":"chars"}`).Scale() == nil, true)
}
