package rest_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

// The fixture is a small library of books with operations for every part of the
// kernel.

type page struct {
	Page    int `query:"page" minimum:"1" default:"1" description:"Page to show."`
	PerPage int `query:"per_page" minimum:"1" maximum:"100" default:"30" description:"Books per page."`
}

// sortKey is an Enum.
type sortKey string

func (sortKey) Enum() []any { return []any{"title", "year"} }

func (sortKey) InlineJSONSchema() {}

type listBooksRequest struct {
	page
	Sort    sortKey    `query:"sort_by" default:"title" description:"Order."`
	Lent    *bool      `query:"lent" description:"Only lent or only available books."`
	Shelves []string   `query:"shelves" items.maxLength:"5" description:"Shelves to look on."`
	After   *rest.Time `query:"created_after" description:"Earliest time of registration."`
}

type chapter struct {
	Title    string    `json:"title" required:"true" minLength:"1" description:"Heading."`
	Pages    int       `json:"pages" default:"10" description:"Length."`
	Chapters []chapter `json:"chapters,omitempty" description:"Parts of the chapter."`
}

type isbn struct {
	Source string `json:"source" required:"true" minLength:"1" maxLength:"8" description:"Who gave the number."`
	Number string `json:"number" required:"true" description:"The number."`
}

// cover is a union: a color, or an object with the URL of a picture.
type cover struct {
	Colour, Picture string
}

func (c *cover) BindJSON(v jsontree.Value, loc []any, p *fault.Problems) {
	switch v.Kind() {
	case jsontree.String:
		c.Colour = v.Str()
	case jsontree.Object:
		c.Picture = v.Get("picture").Str()
		if c.Picture == "" {
			p.Add(fault.At(loc, "picture"), "missing", "Field required")
		}
	default:
		p.Add(loc, "union_tag_not_found", "Input should be a colour or a picture")
	}
}

type createBookRequest struct {
	Title    string                     `json:"title" required:"true" minLength:"1" maxLength:"20" description:"Title."`
	Year     *int                       `json:"year" minimum:"1450" maximum:"2100" description:"Year of print."`
	Price    float64                    `json:"price" exclusiveMinimum:"0" default:"9.5" description:"Price."`
	Lent     bool                       `json:"lent" description:"Whether it is away."`
	Copies   uint8                      `json:"copies" default:"1" description:"How many there are."`
	Owner    rest.DigitInt              `json:"owner_id" minimum:"1" default:"1" description:"Whose it is."`
	Language string                     `json:"language" enum:"en,de" default:"en" description:"Language."`
	Code     string                     `json:"code" pattern:"^[a-z]*$" description:"Code."`
	Tags     []string                   `json:"tags" maxItems:"3" items.minLength:"1" items.maxLength:"5" description:"Tags."`
	Chapters []chapter                  `json:"chapters" description:"Chapters."`
	First    *chapter                   `json:"first_chapter" description:"First chapter."`
	Index    chapter                    `json:"index" description:"Index."`
	Scores   map[string]int             `json:"scores" items.maximum:"100" description:"Scores by reader."`
	Free     map[string]json.RawMessage `json:"free" description:"Anything."`
	Note     json.RawMessage            `json:"note" description:"Kept as it is."`
	Meta     rest.RawObject             `json:"meta" description:"An object kept as it is."`
	Tree     jsontree.Value             `json:"tree" description:"Any value."`
	Blurb    rest.Opt[string]           `json:"blurb" maxLength:"10" description:"Null removes it."`
	Sequel   rest.Opt[chapter]          `json:"sequel" description:"Null removes it."`
	Printed  *rest.Time                 `json:"printed_at" description:"When it was printed."`
	Cover    *cover                     `json:"cover" description:"Cover."`
	ISBNs    []isbn                     `json:"isbns" description:"Numbers."`
}

func (r *createBookRequest) Validate(p *fault.Problems) {
	if r.Lent && r.Copies > 1 {
		p.Add([]any{"body", "lent"}, "value_error", "a lent book has one copy")
	}
}

type bookResponse struct {
	Success bool      `json:"success"`
	Title   string    `json:"title"`
	At      rest.Time `json:"created_at"`
	Next    *int      `json:"next_num"`
	Parts   []chapter `json:"parts"`
	status  int
}

func (r bookResponse) HTTPStatus() int {
	if r.status == 0 {
		return http.StatusCreated
	}
	return r.status
}

type getBookRequest struct {
	Name  string `path:"name" maxLength:"30" description:"Title of the book."`
	Flags int    `query:"flags" description:"Flags."`
}

type shelfRequest struct {
	Shelf int64 `path:"shelf_id" minimum:"1" description:"Number of the shelf."`
}

type shelveRequest struct {
	shelfRequest
	Book string `json:"book" required:"true" description:"Title of the book."`
}

type echo struct {
	Value any `json:"value"`
}

func echoPath(_ context.Context, in *getBookRequest) (*echo, error) {
	return &echo{in.Name}, nil
}

// errBoom is an error whose text must not reach clients.
type errBoom struct{}

func (errBoom) Error() string { return "SQLSTATE 42601 near secret" }

func books() []rest.Op {
	text := func(s string) rest.Handler {
		return rest.Raw(nil, echo{}, func(w http.ResponseWriter, r *rest.Request) error {
			return rest.WriteJSON(w, http.StatusOK, echo{s})
		})
	}
	return []rest.Op{
		{Method: "GET", Path: "/books", ID: "ListBooks", Summary: "List books", Tag: "Books", Limit: "list",
			Handler: rest.Handle(func(_ context.Context, in *listBooksRequest) (*echo, error) { return &echo{in}, nil })},
		{Method: "POST", Path: "/books", ID: "CreateBook", Summary: "Create a book", Tag: "Books", Status: 201, Also: []int{207, 409},
			Description: "Adds a book to the library.",
			Handler: rest.Handle(func(_ context.Context, in *createBookRequest) (*bookResponse, error) {
				out := &bookResponse{Success: true, Title: in.Title, At: 1_700_000_000_500_000}
				if in.Title == "partly <&>" {
					out.status = http.StatusMultiStatus
				}
				return out, nil
			})},
		{Method: "GET", Path: "/books/{name...}", ID: "GetBook", Summary: "Get a book", Tag: "Books", Also: []int{404}, Handler: rest.Handle(echoPath)},
		{Method: "GET", Path: "/books/{name...}/labels", ID: "ListLabels", Summary: "List labels", Tag: "Books",
			Handler: rest.Handle(func(_ context.Context, in *getBookRequest) (*echo, error) { return &echo{"labels of " + in.Name}, nil })},
		{Method: "POST", Path: "/books/{name...}", ID: "RenderBook", Summary: "Render a book", Tag: "Books", EmptyBody: true,
			Handler: rest.Raw(struct {
				Name  string `path:"name" maxLength:"30"`
				Lines int    `json:"lines"`
			}{}, echo{}, func(w http.ResponseWriter, r *rest.Request) error {
				return rest.WriteJSON(w, http.StatusOK, echo{r.Path("name") + " " + string(r.Body.Raw())})
			})},
		{Method: "DELETE", Path: "/books/{id:digits}/isbns/{source}/{number...}", ID: "DetachISBN", Summary: "Detach a number", Tag: "Books", Status: 204,
			Handler: rest.Handle(func(_ context.Context, in *struct {
				ID     int    `path:"id" description:"Id of the book."`
				Source string `path:"source" maxLength:"8" description:"Who gave the number."`
				Number string `path:"number" description:"The number."`
			}) (*struct{}, error) {
				if in.Number != "1/2" {
					return nil, fault.NotFoundf("Number %q not found", in.Number)
				}
				return nil, nil
			})},
		{Method: "PUT", Path: "/books/by-isbn/{source}/{number...}", ID: "PutBook", Summary: "Put a book", Tag: "Books",
			Handler: rest.Raw(nil, echo{}, func(w http.ResponseWriter, r *rest.Request) error {
				return rest.WriteJSON(w, http.StatusOK, echo{r.Path("source") + "|" + r.Path("number") + r.Path("unknown")})
			})},
		{Method: "GET", Path: "/shelves/special", ID: "SpecialShelf", Summary: "The special shelf", Tag: "Shelves", Handler: text("special")},
		{Method: "PATCH", Path: "/shelves/{shelf_id}", ID: "Shelve", Summary: "Put a book on a shelf", Tag: "Shelves",
			Handler: rest.Handle(func(_ context.Context, in *shelveRequest) (*echo, error) { return &echo{in.Book}, nil })},
		{Method: "DELETE", Path: "/shelves", ID: "ClearShelves", Summary: "Clear shelves", Tag: "Shelves",
			Handler: rest.Handle(func(_ context.Context, in *struct {
				IDs []int `json:"ids" required:"true" description:"Shelves to clear."`
			}) (*echo, error) {
				return &echo{in.IDs}, nil
			})},
		{Method: "POST", Path: "/track", ID: "Track", Summary: "Track", Tag: "Tracking", Auth: rest.AuthKeyOrBody, Limit: "track", Also: []int{503},
			Handler: rest.Raw(struct {
				Event string `json:"event"`
			}{}, echo{}, func(w http.ResponseWriter, r *rest.Request) error {
				return rest.WriteJSON(w, http.StatusOK, echo{r.Caller + " " + r.Body.Get("event").Str()})
			})},
		{Method: "POST", Path: "/v1/upload", ID: "Upload", Summary: "Upload", Tag: "Tracking", Accept: []string{"application/x-protobuf", "application/json"},
			Handler: rest.Raw(nil, echo{}, func(w http.ResponseWriter, r *rest.Request) error {
				return rest.WriteJSON(w, http.StatusOK, echo{r.MediaType + " " + string(r.Bytes) + " " + r.Body.Kind().String()})
			})},
		{Method: "GET", Path: "/health", ID: "Health", Summary: "Health", Tag: "Service", Auth: rest.AuthNone, Handler: text("ok")},
		{Method: "GET", Path: "/fail/{how}", ID: "Fail", Summary: "Fail", Tag: "Service", Auth: rest.AuthNone, Handler: rest.Handle(fail)},
		{Method: "GET", Path: "/fail-text", ID: "FailText", Summary: "Fail", Tag: "Service", Auth: rest.AuthNone, ErrorText: true,
			Handler: rest.Handle(func(context.Context, *struct{}) (*echo, error) { return nil, fault.NotFoundf("Workflow not found") })},
		{Method: "GET", Path: "/half", ID: "Half", Summary: "Half an answer", Tag: "Service", Auth: rest.AuthNone,
			Handler: rest.Raw(nil, nil, func(w http.ResponseWriter, r *rest.Request) error {
				_, _ = io.WriteString(w, `{"a":`)
				return errBoom{}
			})},
	}
}

func fail(ctx context.Context, in *struct {
	How string `path:"how" description:"The way to fail."`
}) (*echo, error) {
	switch in.How {
	case "busy":
		return nil, fault.Busy(1500*time.Millisecond, errBoom{}, "The queue is full")
	case "conflict":
		return nil, fault.Conflictf("taken: %s", strings.Repeat("é", 1000))
	case "forbidden":
		return nil, fault.New(fault.Forbidden, "not yours")
	case "invalid":
		return nil, fault.New(fault.Invalid, "these do not go together")
	case "encode":
		return &echo{func() {}}, nil
	case "panic":
		panic("SQLSTATE secret")
	case "nothing":
		return nil, nil
	case "cancelled":
		return nil, ctx.Err()
	}
	return nil, errBoom{}
}

// clock is a clock that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// library is the router of the fixture and its observations.
type library struct {
	*rest.Router
	clock *clock
	log   *strings.Builder

	mu   sync.Mutex // over the wire, requests are observed concurrently
	seen []rest.Observation
}

func (lib *library) observe(o rest.Observation) {
	lib.mu.Lock()
	defer lib.mu.Unlock()
	lib.seen = append(lib.seen, o)
}

func newLibrary(t testing.TB) *library {
	t.Helper()
	lib := &library{clock: &clock{time.Unix(1_700_000_000, 0)}, log: &strings.Builder{}}
	router, err := rest.New(books(), rest.Options{
		Title: "Library", Version: "1", About: "Books.",
		Examples: func() map[string]json.RawMessage {
			return map[string]json.RawMessage{"CreateBook": json.RawMessage(`{"title": "Emma"}`)}
		},
		Authenticate: func(ctx context.Context, _ *http.Request, key string) (context.Context, string, error) {
			if key == "broken" {
				return nil, "", errBoom{}
			}
			if key == "" {
				return nil, "", fault.New(fault.Unauthorized, "Invalid or missing API key")
			}
			if !strings.HasPrefix(key, "pl_") {
				return nil, "", fault.New(fault.Unauthorized, "Invalid API key")
			}
			return ctx, key, nil
		},
		Limiter:      rest.NewLimiter(lib.clock.now, map[string]int{"list": 100, "track": 2}, nil),
		MaxBody:      4096,
		Logger:       slog.New(slog.NewTextHandler(lib.log, nil)),
		Observe:      lib.observe,
		Now:          lib.clock.now,
		NewRequestID: func() string { return "r1" },
	})
	if err != nil {
		t.Fatal(err)
	}
	lib.Router = router
	return lib
}

// call sends a request, with a valid key unless the headers override it.
func (lib *library) call(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("X-API-KEY", "pl_reader")
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	lib.ServeHTTP(w, r)
	return w
}
