package grid_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/eval/grid"
)

// BenchmarkRunRow computes ten columns without external services and encodes
// the row. It reports cells per second.
func BenchmarkRunRow(b *testing.B) {
	g := compile(b, []string{"question", "answer", "expected", "score", "reply"},
		[3]string{"contains", "CONTAINS", `{"source":"answer","value_source":"expected"}`},
		[3]string{"matches", "REGEX", `{"source":"answer","pattern":"(?i)\\bparis\\b"}`},
		[3]string{"words", "COUNT", `{"source":"answer","type":"words"}`},
		[3]string{"brief", "MATH_OPERATOR", `{"sources":["words"],"operator":"lt","value":50}`},
		[3]string{"city", "JSON_PATH", `{"source":"reply","json_path":"$.city.name"}`},
		[3]string{"equal", "COMPARE", `{"sources":["city","expected"]}`},
		[3]string{"number", "PARSE_VALUE", `{"source":"score","type":"number"}`},
		[3]string{"good", "COMPARE", `{"sources":["number"],"target":0.5,"comparison_type":{"type":"NUMBER","operator":"GT"}}`},
		[3]string{"all", "COMBINE_COLUMNS", `{"sources":["contains","equal","good"]}`},
		[3]string{"first", "COALESCE", `{"sources":["city","expected"]}`},
	)
	dataset := values(b, `["What is the capital of France?","The capital of France is Paris. It lies on the Seine.","paris","0.875","{\"city\":{\"name\":\"Paris\"},\"n\":[1,2,3]}"]`)
	var text []byte
	b.ReportAllocs()
	for b.Loop() {
		row, err := g.RunRow(b.Context(), env(), dataset, nil, quiet)
		if err != nil {
			b.Fatal(err)
		}
		text = grid.AppendRow(text[:0], row)
	}
	b.ReportMetric(float64(b.N*g.Len())/b.Elapsed().Seconds(), "cells/s")
}

func BenchmarkParseRow(b *testing.B) {
	text := []byte(`[[true],[false],[11],["Paris"],"Dependency 'x' failed",null,[0.875],[{"contains":true,"equal":false}],["paris"],true]`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := grid.ParseRow(text); err != nil {
			b.Fatal(err)
		}
	}
}
