package step_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/step"
)

// BenchmarkCells runs prepared steps of each kind without external services, as
// a column of an evaluation does for each row.
func BenchmarkCells(b *testing.B) {
	values := valuesOf(b, `{"question":"What is the capital of France?","answer":"The capital of France is Paris. It lies on the Seine.","expected":"paris","score":"0.875",
		"reply":"{\"city\":{\"name\":\"Paris\",\"tags\":[\"a\",\"b\",\"c\"]},\"n\":[1,2,3]}","xml":"<r><city lang=\"fr\">Paris</city></r>"}`)
	for _, c := range []struct{ name, typ, config string }{
		{"VARIABLE", "VARIABLE", `{"value":"x"}`},
		{"COMPARE/string", "COMPARE", `{"sources":["answer","expected"]}`},
		{"COMPARE/number", "COMPARE", `{"sources":["score"],"target":0.5,"comparison_type":{"type":"NUMBER","operator":"GT"}}`},
		{"CONTAINS", "CONTAINS", `{"source":"answer","value_source":"expected"}`},
		{"REGEX", "REGEX", `{"source":"answer","pattern":"(?i)\\bparis\\b"}`},
		{"REGEX_EXTRACTION", "REGEX_EXTRACTION", `{"source":"answer","pattern":"[A-Z]\\w+"}`},
		{"JSON_PATH", "JSON_PATH", `{"source":"reply","json_path":"$.city.name"}`},
		{"XML_PATH", "XML_PATH", `{"source":"xml","xpath":"/r/city"}`},
		{"PARSE_VALUE", "PARSE_VALUE", `{"source":"score","type":"number"}`},
		{"COUNT", "COUNT", `{"source":"answer","type":"words"}`},
		{"MATH_OPERATOR", "MATH_OPERATOR", `{"sources":["score"],"value":2,"operator":"*"}`},
		{"MIN_MAX", "MIN_MAX", `{"source":"reply","type":"max","json_path":"$.n"}`},
		{"COMBINE_COLUMNS", "COMBINE_COLUMNS", `{"sources":["question","expected"]}`},
		{"COSINE_SIMILARITY", "COSINE_SIMILARITY", `{"sources":["question","answer"]}`},
		{"ASSERT_VALID/sql", "ASSERT_VALID", `{"source":"question","type":"sql"}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			prepared := mustPrepare(b, c.typ, c.config)
			env := step.Env{Values: values}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := prepared.Run(b.Context(), &env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
