package data

import (
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/rest"
)

type deletionRequest struct {
	kit.LogSelection
	RequestIDs  []int64 `json:"request_ids" maxItems:"5000" description:"The ids of the request logs."`
	UserID      *string `json:"user_id" maxLength:"1000" description:"Whose request logs: the value of the metadata key user_id. Without other conditions, traces of the user go, too."`
	All         bool    `json:"all" description:"Must be true to select all request logs of the workspace, which is without filters, ids and user."`
	TextsOnly   bool    `json:"texts_only" description:"Whether to keep the request logs with everything that is counted, and to delete what was said: input, output, parameters, input variables and error message."`
	MetadataKey *string `json:"metadata_key" minLength:"1" maxLength:"1000" description:"A metadata key. Request logs stay, and only this key and all keys below it are deleted, of those that have any of them. Keys of nested objects have dots between them."`
	ScoreName   *string `json:"score_name" minLength:"1" maxLength:"1000" description:"The name of a score. Request logs stay, and only this score is deleted, of those that have it. The score without a name is named default."`
	WithTraces  bool    `json:"delete_traces" description:"Whether to delete the traces of these request logs, too. Spans keep the metadata that they were sent with. Only with metadata_key or score_name; other deletions always delete traces."`
}

type createDeletionRequest struct {
	deletionRequest
	Expected *int64 `json:"expected" minimum:"0" description:"The number of request logs in the preview. If more match now, nothing is deleted, and the answer is 409."`
}

type deletionPath struct {
	ID int64 `path:"deletion_id" minimum:"1" description:"The id of the deletion."`
}

type deletionPreview struct {
	Success bool  `json:"success" required:"true" description:"Always true."`
	Logs    int64 `json:"logs" required:"true" description:"Number of request logs that match."`
	Traces  int64 `json:"traces" required:"true" description:"Number of traces of the user; 0 for other deletions."`
}

// deletionItem is a deletion, and its certificate once it has ended.
type deletionItem struct {
	ID          int64          `json:"id" required:"true" description:"The id of the deletion."`
	State       string         `json:"state" required:"true" enum:"running,reclaiming,done,cancelled,failed" description:"How far it is. From reclaiming on, no read finds what was deleted; once it is done, it is in no file any more."`
	Error       *string        `json:"error" required:"true" description:"Why it failed; null otherwise."`
	Source      string         `json:"source" required:"true" enum:"query,ids,user,retention" description:"What selects the request logs."`
	Query       rest.RawObject `json:"query" required:"true" description:"Which request logs: filter_group, filters and q."`
	UserID      *string        `json:"user_id" required:"true" description:"Whose request logs; null for other deletions."`
	TextsOnly   bool           `json:"texts_only" required:"true" description:"Whether only what was said is deleted."`
	MetadataKey *string        `json:"metadata_key" required:"true" description:"The metadata key that is deleted; null for other deletions."`
	ScoreName   *string        `json:"score_name" required:"true" description:"The name of the score that is deleted; null for other deletions."`
	WithTraces  bool           `json:"delete_traces" required:"true" description:"Whether the traces of request logs go with a metadata key or a score. Other deletions always delete them."`
	Total       int64          `json:"total" required:"true" description:"Number of request logs that matched when it began."`
	Logs        int64          `json:"logs" required:"true" description:"Number of request logs that were deleted, or lost their texts, the metadata key or the score."`
	Traces      int64          `json:"traces" required:"true" description:"Number of traces of the user that were deleted besides those of request logs."`
	FirstID     *int64         `json:"first_id" required:"true" description:"The lowest id of these request logs; null without any."`
	LastID      *int64         `json:"last_id" required:"true" description:"The highest id of these request logs; null without any."`
	Digest      string         `json:"ids_sha256" required:"true" description:"SHA-256 of their ids, each in decimal with a newline after it, in rising order."`
	Files       int64          `json:"files" required:"true" description:"Number of files, tables or months of a table that were rewritten without them."`
	Before      int64          `json:"bytes_before" required:"true" description:"Size of these files before, in bytes."`
	After       int64          `json:"bytes_after" required:"true" description:"Size of these files afterwards, in bytes."`
	Damaged     int64          `json:"damaged_bytes" required:"true" description:"Size of damaged parts of these files, in which nothing could be searched for."`
	Progress    float64        `json:"progress" required:"true" description:"The part that is done, from 0 to 1."`
	CreatedBy   *string        `json:"created_by" required:"true" description:"Email address of who started it; null for a key without an owner, and for retention."`
	CreatedAt   rest.Time      `json:"created_at" required:"true" description:"When it was started."`
	EndedAt     *rest.Time     `json:"ended_at" required:"true" description:"When it ended; null while it is active."`
}

func wireDeletion(d *deletion.Deletion) (deletionItem, error) {
	digest, err := d.IDsDigest()
	item := deletionItem{
		ID: d.ID, State: string(d.State), Error: kit.OrNil(d.Failure), Source: string(d.Source), Query: rest.RawObject(d.Query), UserID: kit.OrNil(d.User),
		TextsOnly: d.TextsOnly, MetadataKey: kit.OrNil(d.MetadataKey), ScoreName: kit.OrNil(d.ScoreName), WithTraces: d.WithTraces, Total: d.Total, Logs: d.Logs, Traces: d.Traces, Digest: digest,
		Files: d.Reclaimed.Files, Before: d.Reclaimed.BytesBefore, After: d.Reclaimed.BytesAfter, Damaged: d.Reclaimed.DamagedBytes,
		Progress: d.Part(), CreatedBy: d.CreatedBy, CreatedAt: kit.Time(d.CreatedAt), EndedAt: kit.TimeOrNil(d.EndedAt),
	}
	if d.Logs > 0 {
		item.FirstID, item.LastID = &d.FirstID, &d.LastID
	}
	return item, err
}

type deletionResponse struct {
	Success  bool         `json:"success" required:"true" description:"Always true."`
	Deletion deletionItem `json:"deletion" required:"true" description:"The deletion."`
}

func answerDeletion(d deletion.Deletion, err error) (*deletionResponse, error) {
	if err != nil {
		return nil, err
	}
	item, err := wireDeletion(&d)
	return &deletionResponse{Success: true, Deletion: item}, err
}

type retentionRule struct {
	Status *string `json:"status,omitempty" enum:"SUCCESS,WARNING,ERROR" description:"The status of the request logs. A rule has a status, a tag, or both."`
	Tag    *string `json:"tag,omitempty" minLength:"1" maxLength:"1000" description:"A tag of the request logs."`
	Days   int     `json:"days" required:"true" minimum:"0" maximum:"36500" description:"How many days they are kept; 0 keeps them forever."`
}

// retentionRules are rules as clients send them.
type retentionRules struct {
	Rules    []retentionRule `json:"rules" maxItems:"20" description:"Rules in their order: the first that matches a request log decides."`
	Days     int             `json:"days" minimum:"0" maximum:"36500" description:"How many days request logs that no rule matches are kept; 0 keeps them forever."`
	TextDays int             `json:"text_days" minimum:"0" maximum:"36500" description:"How many days the texts of request logs are kept; 0 as long as the request logs."`
}

func (in *retentionRules) rules() deletion.Rules {
	return deletion.Rules{Days: in.Days, TextDays: in.TextDays, Rules: kit.EachRef(in.Rules, func(r *retentionRule) deletion.Rule {
		return deletion.Rule{Status: kit.OrZero(r.Status), Tag: kit.OrZero(r.Tag), Days: r.Days}
	})}
}

type retentionResponse struct {
	Success   bool            `json:"success" required:"true" description:"Always true."`
	Rules     []retentionRule `json:"rules" required:"true" description:"The rules in their order."`
	Days      int             `json:"days" required:"true" description:"How many days request logs that no rule matches are kept; 0 keeps them forever."`
	TextDays  int             `json:"text_days" required:"true" description:"How many days the texts of request logs are kept; 0 as long as the request logs."`
	DueAt     *rest.Time      `json:"due_at" required:"true" description:"When the rules are followed next; null without rules."`
	UpdatedBy *string         `json:"updated_by" required:"true" description:"Email address of who set them; null for a key without an owner, and if nobody did."`
	UpdatedAt *rest.Time      `json:"updated_at" required:"true" description:"When they were set; null if they never were."`
}

func answerRetention(r deletion.Retention, err error) (*retentionResponse, error) {
	if err != nil {
		return nil, err
	}
	response := &retentionResponse{
		Success: true, Days: r.Days, TextDays: r.TextDays, UpdatedBy: r.UpdatedBy, UpdatedAt: kit.TimeOrNil(r.UpdatedAt),
		Rules: kit.EachRef(r.Rules.Rules, func(rule *deletion.Rule) retentionRule {
			return retentionRule{Status: kit.OrNil(rule.Status), Tag: kit.OrNil(rule.Tag), Days: rule.Days}
		}),
	}
	if !r.Empty() {
		response.DueAt = new(kit.Time(r.DueAt))
	}
	return response, nil
}

type retentionPreview struct {
	Success bool    `json:"success" required:"true" description:"Always true."`
	Rules   []int64 `json:"rules" required:"true" description:"Number of request logs that each rule would delete."`
	Rest    int64   `json:"rest" required:"true" description:"Number of request logs that no rule matches and that would be deleted."`
	Texts   int64   `json:"texts" required:"true" description:"Number of request logs whose texts would be deleted."`
}
