package traces

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/rest"
)

// groupQueryRequest has the members that searches for sessions and users share.
type groupQueryRequest struct {
	traceSelection
	SortBy    *kit.TraceGroupSort `json:"sort_by" description:"Sort key. The default is last_seen, newest first."`
	SortOrder *string             `json:"sort_order" enum:"asc,desc" description:"Sort direction; requires sort_by."`

	input query.Input
}

// BindMembers implements rest.MemberBinder.
func (q *groupQueryRequest) BindMembers(body jsontree.Value, problems *fault.Problems) (err error) {
	q.input, err = kit.BindQuery(body, problems, query.ParseTraceGroups)
	return err
}

type groupSearchRequest struct {
	groupQueryRequest
	Page    int `json:"page" minimum:"1" default:"1" description:"Page number, starting at 1."`
	PerPage int `json:"per_page" minimum:"1" maximum:"100" default:"25" description:"Page size."`
}

// groupPage is the place of a page in a list of groups.
type groupPage struct {
	Page    int   `json:"page" required:"true" description:"Page number."`
	Pages   int64 `json:"pages" required:"true" description:"Number of pages."`
	PerPage int   `json:"per_page" required:"true" description:"Page size."`
	Total   int64 `json:"total" required:"true" description:"Number of sessions or users with a matching trace."`
}

type sessionSearchResponse struct {
	Success bool               `json:"success" required:"true" description:"Always true."`
	Items   []traceSessionItem `json:"items" required:"true" description:"Sessions of the page."`
	groupPage
}

type userSearchResponse struct {
	Success bool            `json:"success" required:"true" description:"Always true."`
	Items   []traceUserItem `json:"items" required:"true" description:"Users of the page."`
	groupPage
}

type traceSessionItem struct {
	SessionID string  `json:"session_id" required:"true" description:"The id of the session, which is the conversation id of its traces."`
	UserID    *string `json:"user_id" required:"true" description:"The user of the session; null if its traces have none or several."`
	UserCount int64   `json:"user_count" required:"true" description:"Number of different users."`
	groupTotals
}

type traceUserItem struct {
	UserID       string `json:"user_id" required:"true" description:"The id of the user, as the application calls them."`
	SessionCount int64  `json:"session_count" required:"true" description:"Number of different sessions."`
	groupTotals
}

// groupTotals sums up the matching traces of a session or user.
type groupTotals struct {
	FirstSeen    rest.Time `json:"first_seen" required:"true" description:"When the first trace started."`
	LastSeen     rest.Time `json:"last_seen" required:"true" description:"When the last trace started or ended."`
	Traces       int64     `json:"trace_count" required:"true" description:"Number of traces."`
	Spans        int64     `json:"span_count" required:"true" description:"Number of spans."`
	Requests     int64     `json:"request_count" required:"true" description:"Number of request logs of the spans."`
	Errors       int64     `json:"error_count" required:"true" description:"Number of failed spans."`
	Cost         *float64  `json:"cost" required:"true" description:"The cost of the requests in US dollars; null if no price is known."`
	TotalTokens  *int64    `json:"total_tokens" required:"true" description:"Input and output tokens of the requests; null if there are none."`
	InputTokens  *int64    `json:"input_tokens" required:"true" description:"Input tokens of the requests."`
	OutputTokens *int64    `json:"output_tokens" required:"true" description:"Output tokens of the requests."`
}

func newGroupTotals(g query.TraceGroup) groupTotals {
	return groupTotals{
		FirstSeen: rest.Time(g.FirstSeen), LastSeen: rest.Time(g.LastSeen), Traces: g.Traces, Spans: g.Spans, Requests: g.Requests, Errors: g.Errors,
		Cost: g.Cost, TotalTokens: g.TotalTokens, InputTokens: g.InputTokens, OutputTokens: g.OutputTokens,
	}
}

func (h traces) searchSessions(ctx context.Context, in *groupSearchRequest) (*sessionSearchResponse, error) {
	groups, page, err := h.group(ctx, in, query.FieldTraceSession)
	if err != nil {
		return nil, err
	}
	items := kit.Each(groups, func(g query.TraceGroup) traceSessionItem {
		return traceSessionItem{SessionID: g.ID, UserID: kit.OrNil(g.User), UserCount: g.Users, groupTotals: newGroupTotals(g)}
	})
	return &sessionSearchResponse{Success: true, Items: items, groupPage: page}, nil
}

func (h traces) searchUsers(ctx context.Context, in *groupSearchRequest) (*userSearchResponse, error) {
	groups, page, err := h.group(ctx, in, query.FieldTraceUser)
	if err != nil {
		return nil, err
	}
	items := kit.Each(groups, func(g query.TraceGroup) traceUserItem {
		return traceUserItem{UserID: g.ID, SessionCount: g.Sessions, groupTotals: newGroupTotals(g)}
	})
	return &userSearchResponse{Success: true, Items: items, groupPage: page}, nil
}

// group returns the page of sessions or users that a request asks for.
func (h traces) group(ctx context.Context, in *groupSearchRequest, by query.Field) ([]query.TraceGroup, groupPage, error) {
	found, err := kit.Bounded(ctx, func(ctx context.Context) (query.FoundTraceGroups, error) {
		return h.service.GroupTraces(ctx, kit.Workspace(ctx), by, in.input, in.Page, in.PerPage)
	})
	pages := (found.Total + int64(in.PerPage) - 1) / int64(in.PerPage)
	return found.Items, groupPage{Page: in.Page, Pages: pages, PerPage: in.PerPage, Total: found.Total}, err
}
