package data

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
)

const redactionBase = "/api/public/v2/redaction"

// redactions has the handlers of redaction rules.
type redactions struct {
	service *redact.Service
	logs    *requests.Service
}

func (h redactions) operations() []rest.Op {
	return kit.Tagged("Redaction", []rest.Op{
		{
			Method: http.MethodGet, Path: redactionBase, ID: "getRedaction", Handler: rest.Handle(h.get), Summary: "Get the redaction rules",
			Description: "Returns the rules by which the workspace replaces what must not be stored, in their order, with what each has replaced.",
		},
		{
			Method: http.MethodPut, Path: redactionBase, ID: "setRedaction", Handler: rest.Handle(h.set), Summary: "Set the redaction rules",
			Description: "Replaces all redaction rules of the workspace. They apply to request logs, spans and annotations that arrive from now on, before " +
				"anything is written; what is stored stays as it is. Other servers of the installation follow within a second. Requires the permission MANAGE_DATA.",
		},
		{
			Method: http.MethodPost, Path: redactionBase + "/preview", ID: "previewRedaction", Summary: "Preview redaction rules",
			Description: "Applies rules to the first 100 matching request logs, the newest unless sort_by says otherwise, without storing anything, and returns what they would replace. " +
				"Requires the permission MANAGE_DATA.",
			Handler: rest.Handle(h.preview), Limit: kit.LimitSearch,
			Also: []int{http.StatusBadRequest, http.StatusServiceUnavailable},
		},
	})
}

func (h redactions) get(ctx context.Context, _ *struct{}) (*redactionResponse, error) {
	return answerRedaction(h.service.Get(ctx, kit.Workspace(ctx)))
}

func (h redactions) set(ctx context.Context, in *setRedactionRequest) (*redactionResponse, error) {
	return answerRedaction(h.service.Set(ctx, kit.Workspace(ctx), in.list(), kit.Author(ctx)))
}

func (h redactions) preview(ctx context.Context, in *previewRedactionRequest) (*redactionPreview, error) {
	preview, err := kit.Bounded(ctx, func(ctx context.Context) (requests.RedactionPreview, error) {
		return h.logs.PreviewRedaction(ctx, kit.Workspace(ctx), in.Input(), in.list())
	})
	if err != nil {
		return nil, err
	}
	response := wireRedactionPreview(&preview, in.list())
	return &response, nil
}

// redactionRule is a rule as clients send it.
type redactionRule struct {
	Name     string  `json:"name" required:"true" minLength:"1" maxLength:"40" description:"Name of the rule, which masks show: letters, digits, spaces, hyphens and underscores. It is unique."`
	Detector *string `json:"detector,omitempty" enum:"email,secret,iban,card,ip,phone" description:"What to find: a built-in detector. A rule has exactly one of detector, pattern and path."`
	Pattern  *string `json:"pattern,omitempty" maxLength:"1000" description:"What to find: a regular expression in the syntax of Go (RE2)."`
	Path     *string `json:"path,omitempty" maxLength:"500" description:"Which values to replace as a whole: keys with dots between them, such as metadata.customer.name. * stands for any key or index, ** for any number of them."`
	Action   string  `json:"action" required:"true" enum:"mask,hash,drop" description:"What to put in its place: the name of the rule, the name and a hash that is equal for equal texts, or nothing."`
	Enabled  *bool   `json:"enabled,omitempty" default:"true" description:"Whether the rule applies."`
}

type redactionRules struct {
	Rules []redactionRule `json:"rules" required:"true" maxItems:"50" description:"The rules in their order. Where several find overlapping texts, the first takes all of it; paths come before the others."`
}

type setRedactionRequest struct{ redactionRules }

type previewRedactionRequest struct {
	redactionRules
	kit.LogQuery
}

func (in *redactionRules) list() []redact.Rule {
	return kit.EachRef(in.Rules, func(r *redactionRule) redact.Rule {
		return redact.Rule{
			Name: r.Name, Detector: redact.Detector(kit.OrZero(r.Detector)), Pattern: kit.OrZero(r.Pattern), Path: kit.OrZero(r.Path),
			Action: redact.Action(r.Action), Disabled: r.Enabled != nil && !*r.Enabled,
		}
	})
}

type redactionItem struct {
	redactionRule
	Replaced int64 `json:"replaced" required:"true" description:"How many texts the rule has replaced since this server started."`
}

type redactionResponse struct {
	Success   bool            `json:"success" required:"true" description:"Always true."`
	Rules     []redactionItem `json:"rules" required:"true" description:"The rules in their order."`
	UpdatedBy *string         `json:"updated_by" required:"true" description:"Email address of who set them; null for a key without an owner, and if nobody did."`
	UpdatedAt *rest.Time      `json:"updated_at" required:"true" description:"When they were set; null if they never were."`
}

func answerRedaction(settings redact.Settings, counts []int64, err error) (*redactionResponse, error) {
	if err != nil {
		return nil, err
	}
	response := &redactionResponse{
		Success: true, Rules: make([]redactionItem, len(settings.Rules)), UpdatedBy: settings.UpdatedBy, UpdatedAt: kit.TimeOrNil(settings.UpdatedAt),
	}
	for i := range settings.Rules {
		response.Rules[i] = redactionItem{wireRule(&settings.Rules[i]), counts[i]}
	}
	return response, nil
}

func wireRule(r *redact.Rule) redactionRule {
	return redactionRule{
		Name: r.Name, Detector: kit.OrNil(string(r.Detector)), Pattern: kit.OrNil(r.Pattern), Path: kit.OrNil(r.Path),
		Action: string(r.Action), Enabled: new(!r.Disabled),
	}
}

type redactionCount struct {
	Name     string `json:"name" required:"true" description:"Name of the rule."`
	Replaced int64  `json:"replaced" required:"true" description:"How many texts it would replace."`
}

type redactionExample struct {
	RequestID int64  `json:"request_id" required:"true" description:"The id of the request log."`
	Rule      string `json:"rule" required:"true" description:"Name of the rule."`
	Path      string `json:"path" required:"true" description:"The value in which the text is."`
	Before    string `json:"before" required:"true" description:"The text, shortened if it is long."`
	After     string `json:"after" required:"true" description:"What would be in its place."`
}

type redactionPreview struct {
	Success  bool               `json:"success" required:"true" description:"Always true."`
	Logs     int                `json:"logs" required:"true" description:"Number of request logs that were read."`
	Changed  int                `json:"changed" required:"true" description:"Number of those in which something would be replaced."`
	Rules    []redactionCount   `json:"rules" required:"true" description:"What each rule would replace."`
	Examples []redactionExample `json:"examples" required:"true" description:"Up to 200 replacements, in the order of the request logs."`
}

func wireRedactionPreview(p *requests.RedactionPreview, rules []redact.Rule) redactionPreview {
	wire := redactionPreview{Success: true, Logs: p.Logs, Changed: p.Changed, Rules: make([]redactionCount, len(rules))}
	for i := range rules {
		wire.Rules[i] = redactionCount{rules[i].Name, p.Replaced[i]}
	}
	wire.Examples = kit.EachRef(p.Examples, func(e *requests.RedactionExample) redactionExample {
		return redactionExample{e.LogID, rules[e.Rule].Name, e.Path, e.Before, e.After}
	})
	return wire
}
