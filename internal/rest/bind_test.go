package rest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

// problems returns one line per problem, such as "body tags[0] string_type".
func problems(err error) []string {
	var list []string
	if f, ok := errors.AsType[*fault.Error](err); ok {
		for _, field := range f.Fields {
			list = append(list, field.Loc[0].(string)+" "+fault.Path(field.Loc)+" "+field.Type)
		}
	}
	return list
}

func bindBook(t *testing.T, body string) (createBookRequest, error) {
	t.Helper()
	var in createBookRequest
	v, err := jsontree.Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return in, rest.BindBody(v, &in)
}

func TestBindBodyProblems(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(`{},`, 60)
	tests := []struct {
		name, body string
		want       []string
	}{
		{"missing", `{}`, []string{"body title missing"}},
		{"null is missing", `{"title":null}`, []string{"body title missing"}},
		{"string type", `{"title":5}`, []string{"body title string_type"}},
		{"empty string", `{"title":""}`, []string{"body title string_too_short"}},
		{"as long as allowed in characters", `{"title":"éééééééééééééééééééé"}`, nil},
		{"one character too long", `{"title":"ééééééééééééééééééééé"}`, []string{"body title string_too_long"}},
		{"NUL", `{"title":"a\u0000"}`, []string{"body title value_error"}},
		{"int from float", `{"title":"x","year":1500.0}`, nil},
		{"int from exponent", `{"title":"x","year":15e2}`, nil},
		{"int from fraction", `{"title":"x","year":1500.5}`, []string{"body year int_type"}},
		{"int from bool", `{"title":"x","year":true}`, []string{"body year int_type"}},
		{"int from digits", `{"title":"x","year":"1500"}`, []string{"body year int_type"}},
		{"int overflow", `{"title":"x","year":99999999999999999999}`, []string{"body year int_parsing"}},
		{"int far too large", `{"title":"x","year":1e999}`, []string{"body year int_parsing"}},
		{"int below minimum", `{"title":"x","year":1449}`, []string{"body year greater_than_equal"}},
		{"int above maximum", `{"title":"x","year":2101}`, []string{"body year less_than_equal"}},
		{"small unsigned", `{"title":"x","copies":255}`, nil},
		{"small unsigned overflow", `{"title":"x","copies":256}`, []string{"body copies int_parsing"}},
		{"unsigned below zero", `{"title":"x","copies":-1}`, []string{"body copies greater_than_equal"}},
		{"float type", `{"title":"x","price":"1"}`, []string{"body price float_type"}},
		{"float huge", `{"title":"x","price":1e999}`, []string{"body price float_parsing"}},
		{"float at exclusive minimum", `{"title":"x","price":0}`, []string{"body price greater_than"}},
		{"bool from number", `{"title":"x","lent":1}`, []string{"body lent bool_type"}},
		{"bool from string", `{"title":"x","lent":"true"}`, []string{"body lent bool_type"}},
		{"digits", `{"title":"x","owner_id":"17"}`, nil},
		{"digits below minimum", `{"title":"x","owner_id":"0"}`, []string{"body owner_id greater_than_equal"}},
		{"digits with a sign", `{"title":"x","owner_id":"-1"}`, []string{"body owner_id int_parsing"}},
		{"digits of another kind", `{"title":"x","owner_id":[]}`, []string{"body owner_id int_type"}},
		{"digits overflow", `{"title":"x","owner_id":"99999999999999999999"}`, []string{"body owner_id int_parsing"}},
		{"enum", `{"title":"x","language":"fr"}`, []string{"body language enum"}},
		{"pattern", `{"title":"x","code":"A"}`, []string{"body code string_pattern_mismatch"}},
		{"list type", `{"title":"x","tags":{}}`, []string{"body tags list_type"}},
		{"too many items", `{"title":"x","tags":["a","b","c","d"]}`, []string{"body tags too_long"}},
		{"item rules", `{"title":"x","tags":["","abcdef",null]}`,
			[]string{"body tags[0] string_too_short", "body tags[1] string_too_long", "body tags[2] string_type"}},
		{"map type", `{"title":"x","scores":[]}`, []string{"body scores dict_type"}},
		{"map value rules", `{"title":"x","scores":{"a":101,"b":"c"}}`,
			[]string{"body scores.a less_than_equal", "body scores.b int_type"}},
		{"nested", `{"title":"x","chapters":[{"title":"a","chapters":[{}]},5]}`,
			[]string{"body chapters[0].chapters[0].title missing", "body chapters[1] dict_type"}},
		{"nested pointer", `{"title":"x","first_chapter":{"pages":"x"}}`,
			[]string{"body first_chapter.title missing", "body first_chapter.pages int_type"}},
		{"raw object type", `{"title":"x","meta":[]}`, []string{"body meta dict_type"}},
		{"optional value rules", `{"title":"x","blurb":"12345678901"}`, []string{"body blurb string_too_long"}},
		{"optional nested", `{"title":"x","sequel":{}}`, []string{"body sequel.title missing"}},
		{"time", `{"title":"x","printed_at":"yesterday"}`, []string{"body printed_at value_error"}},
		{"union of another kind", `{"title":"x","cover":5}`, []string{"body cover union_tag_not_found"}},
		{"union with its own rule", `{"title":"x","cover":{}}`, []string{"body cover.picture missing"}},
		{"extra ignored", `{"title":"x","unknown":{"a":1}}`, nil},
		{"all at once", `{"title":"","year":1,"lent":0,"tags":5}`, []string{
			"body title string_too_short", "body year greater_than_equal", "body lent bool_type", "body tags list_type"}},
		{"across fields", `{"title":"x","lent":true,"copies":2}`, []string{"body lent value_error"}},
		{"across fields only when each is right", `{"title":"","lent":true,"copies":2}`, []string{"body title string_too_short"}},
		{"many members", `{` + strings.Repeat(`"u":1,`, 100) + `"ti\u0074le":"x","year":1}`, []string{"body year greater_than_equal"}},
		{"last of two members", `{"title":5,"title":"x"}`, nil},
		{"not more than fifty", `{"title":"x","chapters":[` + many[:len(many)-1] + `]}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := bindBook(t, tt.body)
			got := problems(err)
			if tt.name == "not more than fifty" {
				if len(got) != 50 {
					t.Errorf("%d problems, want 50", len(got))
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBindBodyValues(t *testing.T) {
	t.Parallel()
	year := 1500
	at := rest.Time(1_700_000_000_000_000)
	defaults := createBookRequest{Title: "x", Price: 9.5, Copies: 1, Owner: 1, Language: "en", Index: chapter{Pages: 10}}
	with := func(change func(*createBookRequest)) createBookRequest {
		in := defaults
		change(&in)
		return in
	}
	tests := []struct {
		name, body string
		want       createBookRequest
	}{
		{"defaults", `{"unknown":0}`, defaults},
		{"null is absence", `{"year":null,"price":null,"copies":null,"tags":null,"index":null,"note":null,"meta":null}`, defaults},
		{"scalars", `{"year":1500,"price":2,"lent":true,"copies":0,"owner_id":"17","language":"de","code":"\u0061"}`,
			with(func(in *createBookRequest) {
				in.Year, in.Price, in.Lent, in.Copies, in.Owner, in.Language, in.Code = &year, 2, true, 0, 17, "de", "a"
			})},
		{"lists and maps", `{"tags":["a"],"chapters":[],"scores":{"a":1},"free":{"b":null,"a":[1 ]}}`,
			with(func(in *createBookRequest) {
				in.Tags, in.Chapters, in.Scores = []string{"a"}, []chapter{}, map[string]int{"a": 1}
				in.Free = map[string]json.RawMessage{"b": json.RawMessage("null"), "a": json.RawMessage("[1 ]")}
			})},
		{"structs", `{"first_chapter":{"title":"a"},"index":{"title":"i","pages":3}}`,
			with(func(in *createBookRequest) {
				in.First, in.Index = &chapter{Title: "a", Pages: 10}, chapter{Title: "i", Pages: 3}
			})},
		{"verbatim", `{"note": { "b":1.50, "a":1e2 },"meta":{ "x": 10000000000000000001 }}`,
			with(func(in *createBookRequest) {
				in.Note, in.Meta = json.RawMessage(`{ "b":1.50, "a":1e2 }`), rest.RawObject(`{ "x": 10000000000000000001 }`)
			})},
		{"optional null", `{"blurb":null,"sequel":null}`,
			with(func(in *createBookRequest) { in.Blurb, in.Sequel = rest.Null[string](), rest.Null[chapter]() })},
		{"optional value", `{"blurb":"","sequel":{"title":"s"}}`,
			with(func(in *createBookRequest) {
				in.Blurb, in.Sequel = rest.Some(""), rest.Some(chapter{Title: "s", Pages: 10})
			})},
		{"time and union", `{"printed_at":1700000000,"cover":{"picture":"p"}}`,
			with(func(in *createBookRequest) { in.Printed, in.Cover = &at, &cover{Picture: "p"} })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := bindBook(t, `{"title":"x",`+strings.TrimPrefix(tt.body, "{"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(createBookRequest{}, "Tree")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("tree", func(t *testing.T) {
		t.Parallel()
		in, err := bindBook(t, `{"title":"x","tree":null}`)
		if err != nil || in.Tree.Kind() != jsontree.Null {
			t.Errorf("tree is %v, %v; want null", in.Tree.Kind(), err)
		}
	})
	t.Run("defaults are not shared", func(t *testing.T) {
		t.Parallel()
		type input struct {
			List []int `json:"list" default:"[1,2]"`
		}
		v, _ := jsontree.Parse([]byte(`{}`))
		var a, b input
		if err := rest.BindBody(v, &a); err != nil {
			t.Fatal(err)
		}
		a.List[0] = 9
		if err := rest.BindBody(v, &b); err != nil || b.List[0] != 1 {
			t.Errorf("second default = %v, %v", b.List, err)
		}
	})
}

func TestBindQuery(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query string
		want        string
	}{
		{"defaults", "", `{"Page":1,"PerPage":30,"Sort":"title","Lent":null,"Shelves":null,"After":null}`},
		{"values", "page=2&per_page=5&sort_by=year&lent=true&created_after=2023-11-14",
			`{"Page":2,"PerPage":5,"Sort":"year","Lent":true,"Shelves":null,"After":"2023-11-14T00:00:00Z"}`},
		{"unknown ones are ignored", "x=%zz&y&=&&page=2", `{"Page":2,"PerPage":30,"Sort":"title","Lent":null,"Shelves":null,"After":null}`},
		{"the last counts", "page=x&page=3", `{"Page":3,"PerPage":30,"Sort":"title","Lent":null,"Shelves":null,"After":null}`},
		{"list by repetition and by commas", "shelves=a&shelves=b%2Cc&shelves=,d;e",
			`{"Page":1,"PerPage":30,"Sort":"title","Lent":null,"Shelves":["a","b","c","d;e"],"After":null}`},
		{"bool 0", "lent=0", `{"Page":1,"PerPage":30,"Sort":"title","Lent":false,"Shelves":null,"After":null}`},
		{"bool True", "lent=True", `{"Page":1,"PerPage":30,"Sort":"title","Lent":true,"Shelves":null,"After":null}`},
		{"a plus that was not escaped", "created_after=2023-11-14T10:00:00+02:00",
			`{"Page":1,"PerPage":30,"Sort":"title","Lent":null,"Shelves":null,"After":"2023-11-14T08:00:00Z"}`},
		{"not an int", "page=1.0", "query page int_parsing"},
		{"signed int", "page=%2B1", "query page int_parsing"},
		{"empty int", "page=", "query page int_parsing"},
		{"int overflow", "page=99999999999999999999", "query page int_parsing"},
		{"below minimum", "page=0", "query page greater_than_equal"},
		{"above maximum", "per_page=101", "query per_page less_than_equal"},
		{"not a bool", "lent=yes", "query lent bool_type"},
		{"not in the enum", "sort_by=size", "query sort_by enum"},
		{"not a time", "created_after=soon", "query created_after value_error"},
		{"not UTF-8", "shelves=%ff", "query shelves[0] string_type"},
		{"NUL", "shelves=%00", "query shelves[0] value_error"},
		{"item rule", "shelves=a,abcdef", "query shelves[1] string_too_long"},
		{"malformed escape", "page=%zz", "query page value_error"},
		{"all at once", "page=0&lent=yes", "query page greater_than_equal; query lent bool_type"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newLibrary(t).call("GET", "/books?"+tt.query, "")
			v, err := jsontree.Parse(w.Body.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			got := string(v.Get("value").Raw())
			if w.Code == 422 {
				got = detailLines(v)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// detailLines formats the detail of an error like problems.
func detailLines(v jsontree.Value) string {
	var lines []string
	for _, d := range v.Get("detail").Elems() {
		var loc []any
		for _, part := range d.Get("loc").Elems() {
			if n, ok := part.Int(); ok {
				loc = append(loc, int(n))
			} else {
				loc = append(loc, part.Str())
			}
		}
		lines = append(lines, loc[0].(string)+" "+fault.Path(loc)+" "+d.Get("type").Str())
	}
	return strings.Join(lines, "; ")
}

func TestOptEncoding(t *testing.T) {
	t.Parallel()
	type patch struct {
		A rest.Opt[string] `json:"a,omitzero"`
		B rest.Opt[string] `json:"b,omitzero"`
		C rest.Opt[string] `json:"c,omitzero"`
		D rest.RawObject   `json:"d"`
		E []int            `json:"e"`
	}
	got, err := json.Marshal(patch{B: rest.Null[string](), C: rest.Some("x"), E: rest.NonNil[int](nil)})
	if want := `{"b":null,"c":"x","d":null,"e":[]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if v, ok := rest.Some(5).Get(); !ok || v != 5 {
		t.Errorf("Get = %v, %v", v, ok)
	}
	if _, ok := rest.Null[int]().Get(); ok {
		t.Error("null has a value")
	}
}

// FuzzBind checks that binding any body neither panics nor loses a problem, and that
// bound values obey the rules.
func FuzzBind(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"title":"x"}`, `{"title":"x","year":1500.0,"tags":["a"],"chapters":[{"title":"a","chapters":[{}]}]}`,
		`{"title":null,"blurb":null,"sequel":{"title":""}}`, `{"title":"x","owner_id":"0017","scores":{"a":1e3}}`,
		`{"title":"x","cover":{"picture":"p"},"isbns":[{"source":"s","number":"n","z":0}]}`,
		`{"title":"x","printed_at":"2024-02-30","copies":1e2,"price":1e-400}`, `[1]`, `{"title":"\ud800"}`, "\ufeff{}",
	} {
		f.Add(seed)
	}
	lib := newLibrary(f)
	f.Fuzz(func(t *testing.T, body string) {
		w := lib.call("POST", "/books", body)
		switch w.Code {
		case 201, 207, 400, 413, 422:
		default:
			t.Fatalf("status %d for %q: %s", w.Code, body, w.Body)
		}
		v, err := jsontree.Parse(w.Body.Bytes())
		if err != nil || (w.Code == 422) != (v.Get("detail").Len() > 0) {
			t.Fatalf("answer to %q is %s (%v)", body, w.Body, err)
		}
		tree, err := jsontree.Parse([]byte(body))
		if err != nil {
			return
		}
		var in createBookRequest
		if rest.BindBody(tree, &in) == nil && (in.Title == "" || len(in.Tags) > 3 || in.Price <= 0 || in.Owner < 1) {
			t.Fatalf("%q was bound to %+v", body, in)
		}
	})
}
