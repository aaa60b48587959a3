package step_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/step"
)

func TestQuestionsAreRead(t *testing.T) {
	t.Parallel()
	for config, wants := range map[string]string{
		`{}`: "", `{"wait":false,"input_type":"slider","choices":1,"people":{}}`: "",
		`{"wait":true}`: "text", `{"wait":true,"data_type":"number"}`: "number", `{"wait":true,"data_type":"number","input_type":"TEXT"}`: "text",
		`{"wait":true,"input_type":"thumbs"}`: "thumbs", `{"wait":true,"input_type":"choice","choices":["a","b"]}`: "choice",
		`{"wait":true,"min":"1","max":1}`: "text",
	} {
		prepared := check.Must(prepare(t, "HUMAN", config))(t)
		got := ""
		if q := prepared.Question(); q != nil {
			got = string(q.Kind)
		}
		check.Equal(t, config, got, wants)
	}
	for _, config := range []string{
		`{"wait":1}`, `{"wait":true,"input_type":"slider"}`, `{"wait":true,"input_type":"choice"}`, `{"wait":true,"input_type":"choice","choices":["a"]}`,
		`{"wait":true,"choices":["a","a"]}`, `{"wait":true,"choices":[1]}`, `{"wait":true,"choices":[""]}`, `{"wait":true,"people":[" a@x.test"]}`,
		`{"wait":true,"people":"a@x.test"}`, `{"wait":true,"min":2,"max":1}`, `{"wait":true,"max":1e999}`, `{"wait":true,"ask_comment":"yes"}`,
		`{"wait":true,"people":["` + strings.Repeat("a", 501) + `"]}`,
	} {
		if _, err := prepare(t, "HUMAN", config); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%s: %v", config, err)
		}
	}
}

func TestAnswersAreChecked(t *testing.T) {
	t.Parallel()
	for config, answers := range map[string]struct{ right, wrong []string }{
		`{"wait":true,"data_type":"number","min":1,"max":5}`:      {[]string{`1`, `5`, `2.5`, `1e0`}, []string{`0`, `5.01`, `"3"`, `null`, `true`, `1e999`}},
		`{"wait":true,"data_type":"number"}`:                      {[]string{`-1e300`, `0`}, []string{`[]`}},
		`{"wait":true}`:                                           {[]string{`"x"`}, []string{`""`, `" \n"`, `1`, `{}`, `"` + strings.Repeat("x", 10_001) + `"`}},
		`{"wait":true,"input_type":"thumbs"}`:                     {[]string{`true`, `false`}, []string{`1`, `"true"`, `null`}},
		`{"wait":true,"input_type":"choice","choices":["a","b"]}`: {[]string{`"a"`, `"b"`}, []string{`"A"`, `"c"`, `0`}},
	} {
		question := check.Must(prepare(t, "HUMAN", config))(t).Question()
		for _, answer := range answers.right {
			check.OK(t, question.Check(check.JSON(answer), []any{"value"}))
		}
		for _, answer := range answers.wrong {
			if err := question.Check(check.JSON(answer), []any{"value"}); !fault.Is(err, fault.Invalid) {
				t.Errorf("%s: %.40s: %v", config, answer, err)
			}
		}
	}
}

func TestPeopleAreAsked(t *testing.T) {
	t.Parallel()
	anyone, ann := step.PersonQuestion{}, step.PersonQuestion{People: []string{"Ann@x.test"}}
	check.Equal(t, "asked", []bool{anyone.Asks(""), anyone.Asks("b@x.test"), ann.Asks("ann@X.test"), ann.Asks("b@x.test"), ann.Asks("")}, []bool{true, true, true, false, false})
}

// TestSeesAll lists the types that see more than their sources.
func TestSeesAll(t *testing.T) {
	t.Parallel()
	var all []string
	for _, name := range step.Names() {
		if found, _ := step.Find(name); found.SeesAll() {
			all = append(all, name)
		}
	}
	check.Equal(t, "types", strings.Join(all, " "), "CODE_EXECUTION CONVERSATION_SIMULATOR ENDPOINT FOR_LOOP PROMPT_TEMPLATE WHILE_LOOP")
}
