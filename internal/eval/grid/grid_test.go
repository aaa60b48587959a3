package grid_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestCompileRejects(t *testing.T) {
	t.Parallel()
	upper := [3]string{"a", "COUNT", `{"source":"q","type":"chars"}`}
	for _, c := range []struct {
		name    string
		columns [][3]string
		refused string // "" if the columns are valid
	}{
		{"none", nil, ""},
		{"source in the dataset", [][3]string{upper}, ""},
		{"source to the left", [][3]string{upper, {"b", "MATH_OPERATOR", `{"sources":["a"],"operator":"+","value":1}`}}, ""},
		{"source to the right", [][3]string{{"b", "MATH_OPERATOR", `{"sources":["a"],"operator":"+","value":1}`}, upper},
			"Column 'b' references 'a', which is not a column to its left"},
		{"source is the column itself", [][3]string{{"b", "COUNT", `{"source":"b","type":"chars"}`}},
			"Column 'b' references 'b', which is not a column to its left"},
		{"unknown source", [][3]string{{"b", "COUNT", `{"source":"x","type":"chars"}`}},
			"Column 'b' references 'x', which is not a column to its left"},
		{"unknown type", [][3]string{{"b", "TRACE", `{}`}}, "Invalid column type: TRACE"},
		{"type of the dataset", [][3]string{{"b", "DATASET", `{}`}}, "Invalid column type: DATASET"},
		{"type in another case", [][3]string{{"b", "count", `{}`}}, "Invalid column type: count"},
		{"configuration", [][3]string{{"b", "COUNT", `{"source":"q"}`}}, "Invalid configuration for column 'b': type: Field required"},
		{"name of another", [][3]string{upper, upper}, "Report already has a column with that name"},
		{"name in the dataset", [][3]string{{"q", "VARIABLE", `{"value":1}`}}, "Report already has a column with that name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := grid.Compile([]string{"q"}, columns(t, c.columns...))
			if c.refused == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || err.Error() != c.refused || !fault.Is(err, fault.BadRequest) {
				t.Errorf("got %v, want %q as a bad request", err, c.refused)
			}
		})
	}
}

// TestReadKeepsInvalidColumns reads columns that Compile rejects: a renamed
// column and a dataset with other columns must not prevent the rest from being
// computed.
func TestReadKeepsInvalidColumns(t *testing.T) {
	t.Parallel()
	g := grid.Read([]string{"q", "both"}, columns(t,
		[3]string{"lost", "COUNT", `{"source":"gone","type":"chars"}`},
		[3]string{"both", "COMBINE_COLUMNS", `{"sources":["both"],"separator":""}`},
		[3]string{"sees", "COMBINE_COLUMNS", `{"sources":["both","q"]}`},
		[3]string{"after", "COUNT", `{"source":"lost","type":"chars"}`},
		[3]string{"odd", "NONE", `{}`},
	))
	if g.Len() != 5 || g.Problem(2) != nil || g.Problem(3) != nil {
		t.Errorf("%d columns; problem of the third: %v, of the fourth: %v", g.Len(), g.Problem(2), g.Problem(3))
	}
	got, err := g.RunRow(t.Context(), env(), values(t, `["x","theirs"]`), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	wantRow(t, `["Column 'lost' references 'gone', which is not a column to its left",["theirs"],[{"both":"theirs","q":"x"}],"Dependency 'lost' failed","Invalid column type: NONE"]`, got)
}

// TestDuplicateNames checks that the first column with a name wins, and that
// computed columns take precedence over dataset columns.
func TestDuplicateNames(t *testing.T) {
	t.Parallel()
	g := grid.Read([]string{"q", "q", "a"}, columns(t,
		script("first", "echo"),
		[3]string{"a", "VARIABLE", `{"value":1}`}, [3]string{"a", "VARIABLE", `{"value":2}`},
		[3]string{"sum", "MATH_OPERATOR", `{"sources":["a"],"operator":"+","value":0}`},
		script("last", "echo"),
	))
	got, err := g.RunRow(t.Context(), env(), values(t, `["x","y","z"]`), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	wantRow(t, `[[{"q":"x","a":"z"}],[1],[2],[1],[{"q":"x","first":{"q":"x","a":"z"},"a":1,"sum":1}]]`, got)
}
