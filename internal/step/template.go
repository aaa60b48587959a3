package step

import (
	"encoding/json"
	"slices"
)

// Template is a configuration of a check to start from, with an example.
type Template struct {
	Name string `json:"name"`
	// Doc describes what is checked in one sentence.
	Doc string `json:"doc"`
	// Type is the name of the type of step.
	Type string `json:"type"`
	// Configuration has "$source" in place of the name of the checked value, and
	// "$name" in place of the name of another value, which is often called so.
	Configuration json.RawMessage `json:"configuration"`
	Example       TemplateExample `json:"example"`
}

// TemplateExample is a worked example: what the check returns for some values.
type TemplateExample struct {
	// Text is the checked value, and Values are the others.
	Text   string         `json:"text"`
	Values []ExampleValue `json:"values,omitempty"`
	// Verdict is the value of the step, and Reason the reason that a judge gives.
	Verdict json.RawMessage `json:"verdict"`
	Reason  string          `json:"reason,omitempty"`
}

// ExampleValue is a value of an example.
type ExampleValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Templates returns the templates of checks, in display order.
func Templates() []Template { return slices.Clone(templates) }

const oneToFive = `"scale":{"type":"range","min":1,"max":5},"reason":true`

var templates = []Template{
	{
		Name: "Correctness", Type: "LLM_ASSERTION",
		Doc: "Whether an answer says the same as an expected answer.",
		Configuration: json.RawMessage(`{"source":"$source","prompt":"The text says the same as the expected answer.",` +
			`"rubric":"Expected answer:\n{expected}\n\ncorrect: all facts of the expected answer are there, and none contradicts it. Other words and more details are fine.\n` +
			`partly correct: some facts are missing, but none is wrong.\nincorrect: a fact is wrong, or the question is not answered.",` +
			`"variable_mappings":{"expected":"$expected"},` +
			`"scale":{"type":"choices","choices":[{"name":"correct","score":100},{"name":"partly correct","score":50},{"name":"incorrect","score":0}]},"reason":true}`),
		Example: TemplateExample{
			Text:    "Paris is the capital of France.",
			Values:  []ExampleValue{{"expected", "Paris, with about 2 million inhabitants"}},
			Verdict: json.RawMessage(`"partly correct"`), Reason: "The capital is right, but the number of inhabitants is missing.",
		},
	},
	{
		Name: "Faithfulness", Type: "LLM_ASSERTION",
		Doc: "Whether everything that an answer claims is in the context that it was given.",
		Configuration: json.RawMessage(`{"source":"$source","prompt":"The context supports every claim of the text.",` +
			`"rubric":"Context:\n{context}\n\n5: the context supports every claim.\n4: one minor claim is not in the context.\n3: several minor claims are not in the context.\n` +
			`2: an important claim is not in the context.\n1: a claim contradicts the context.\nDo not use other knowledge, even if a claim is true.",` +
			`"variable_mappings":{"context":"$context"},` + oneToFive + `}`),
		Example: TemplateExample{
			Text:    "You can return it within 30 days, and shipping is free.",
			Values:  []ExampleValue{{"context", "Goods can be returned within 30 days."}},
			Verdict: json.RawMessage(`2`), Reason: "The context says nothing about shipping.",
		},
	},
	{
		Name: "Relevance", Type: "LLM_ASSERTION",
		Doc: "Whether an answer addresses the question.",
		Configuration: json.RawMessage(`{"source":"$source","prompt":"The text answers the question.",` +
			`"rubric":"Question:\n{question}\n\n5: it answers exactly what was asked.\n4: it answers what was asked, with minor digressions.\n3: it answers part of the question.\n` +
			`2: it is about the topic, but does not answer the question.\n1: it is about something else.\nWhether the answer is true does not matter here.",` +
			`"variable_mappings":{"question":"$question"},` + oneToFive + `}`),
		Example: TemplateExample{
			Text:    "We have offices in twelve countries.",
			Values:  []ExampleValue{{"question", "How do I reset my password?"}},
			Verdict: json.RawMessage(`1`), Reason: "The text is about offices, not passwords.",
		},
	},
	{
		Name: "Tone", Type: "LLM_ASSERTION",
		Doc: "Whether a reply is friendly and professional.",
		Configuration: json.RawMessage(`{"source":"$source","prompt":"The tone of the text is friendly and professional.",` +
			`"rubric":"5: warm, respectful and clear throughout.\n4: friendly, with one stiff or careless phrase.\n3: neutral.\n2: cold, impatient or overly familiar.\n1: rude or mocking.",` +
			oneToFive + `}`),
		Example: TemplateExample{
			Text:    "As I already said, read the manual.",
			Verdict: json.RawMessage(`2`), Reason: "The reply is impatient and does not help.",
		},
	},
	{
		Name: "Toxicity", Type: "LLM_ASSERTION",
		Doc: "Whether a text is free of insults, threats and hate.",
		Configuration: json.RawMessage(`{"source":"$source","prompt":"The text is free of toxic content.",` +
			`"rubric":"Toxic content insults, threatens, harasses or demeans a person or a group, or encourages violence or self-harm. ` +
			`Criticism of work, and quotes that the text rejects, are not toxic.","scale":{"type":"pass_fail"},"reason":true}`),
		Example: TemplateExample{
			Text:    "Only an idiot would ask that.",
			Verdict: json.RawMessage(`false`), Reason: "The text insults the person who asks.",
		},
	},
	{
		Name: "Conciseness", Type: "LLM_ASSERTION",
		Doc: "Whether a text says what is needed without padding.",
		Configuration: json.RawMessage(`{"source":"$source","prompt":"The text is concise.",` +
			`"rubric":"5: every sentence is needed.\n4: a few words could go.\n3: a sentence could go.\n2: it repeats itself or has a long introduction.\n1: most of it is padding.\n` +
			`A long text can be concise if all of it is needed.",` + oneToFive + `}`),
		Example: TemplateExample{
			Text:    "Great question! There are many things to say about this topic. The answer is 42.",
			Verdict: json.RawMessage(`2`), Reason: "Two of the three sentences say nothing.",
		},
	},
	{
		Name: "JSON validity", Type: "ASSERT_VALID",
		Doc:           "Whether a text is valid JSON; without a call to a model.",
		Configuration: json.RawMessage(`{"source":"$source","type":"object"}`),
		Example:       TemplateExample{Text: `{"name": "Ann",}`, Verdict: json.RawMessage(`false`)},
	},
}
