package logs

import (
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/rest"
)

type repricingRequest struct {
	kit.LogSelection
	IncludeSent bool `json:"include_sent_prices" description:"Whether prices that clients sent are replaced, too."`
}

func (in *repricingRequest) input() repricing.Input {
	return repricing.Input{Query: in.Text(), IncludeSent: in.IncludeSent}
}

type repricingPath struct {
	ID int64 `path:"repricing_id" minimum:"1" description:"The id of the re-pricing."`
}

// priceTally is what happens to the prices of request logs.
type priceTally struct {
	Logs     int64   `json:"logs" required:"true" description:"Number of request logs."`
	Changed  int64   `json:"changed" required:"true" description:"Number of request logs that get another price."`
	Sent     int64   `json:"kept_sent" required:"true" description:"Number of request logs that keep the price that the client sent."`
	Unpriced int64   `json:"without_price" required:"true" description:"Number of request logs that keep their price because their model has none or they have no tokens."`
	OldTotal float64 `json:"old_total" required:"true" description:"Sum of their prices before, in US dollars."`
	NewTotal float64 `json:"new_total" required:"true" description:"Sum of their prices afterwards, in US dollars."`
}

func wireTally(t *repricing.Tally) priceTally {
	return priceTally{Logs: t.Logs, Changed: t.Changed, Sent: t.Sent, Unpriced: t.Unpriced, OldTotal: t.OldUSD, NewTotal: t.NewUSD}
}

type modelTally struct {
	Provider string `json:"provider" required:"true" description:"The provider."`
	Model    string `json:"model" required:"true" description:"The model."`
	priceTally
}

type repricingPreview struct {
	Success bool `json:"success" required:"true" description:"Always true."`
	priceTally
	Total    int64        `json:"total" required:"true" description:"Number of request logs that match."`
	Complete bool         `json:"complete" required:"true" description:"Whether the other numbers cover all of them. They do not if there are too many."`
	Models   []modelTally `json:"models" required:"true" description:"Up to 20 models, those whose sum changes most first."`
}

func wirePreview(p *repricing.Preview) repricingPreview {
	return repricingPreview{
		Success: true, priceTally: wireTally(&p.Tally), Total: p.Total, Complete: p.Logs >= p.Total,
		Models: kit.EachRef(p.Models, func(m *repricing.ModelTally) modelTally {
			return modelTally{Provider: m.Provider, Model: m.Model, priceTally: wireTally(&m.Tally)}
		}),
	}
}

type repricingItem struct {
	ID          int64          `json:"id" required:"true" description:"The id of the re-pricing."`
	State       string         `json:"state" required:"true" enum:"running,done,cancelled,failed,reverting,reverted" description:"How far it is."`
	Error       *string        `json:"error" required:"true" description:"Why it failed; null otherwise."`
	Query       rest.RawObject `json:"query" required:"true" description:"Which request logs: filter_group, filters and q, as given."`
	IncludeSent bool           `json:"include_sent_prices" required:"true" description:"Whether prices that clients sent are replaced, too."`
	Total       int64          `json:"total" required:"true" description:"Number of request logs that matched when it began."`
	priceTally
	Progress  float64    `json:"progress" required:"true" description:"The part that is done, or reverted if it is being reverted, from 0 to 1."`
	CreatedBy *string    `json:"created_by" required:"true" description:"Email address of who started it; null for a key without an owner."`
	CreatedAt rest.Time  `json:"created_at" required:"true" description:"When it was started."`
	EndedAt   *rest.Time `json:"ended_at" required:"true" description:"When it, or reverting it, ended; null while it is active."`
}

func wireRepricing(r *repricing.Repricing) repricingItem {
	item := repricingItem{
		ID: r.ID, State: string(r.State), Query: rest.RawObject(r.Query), IncludeSent: r.IncludeSent, Total: r.Total,
		priceTally: wireTally(&r.Tally), Progress: r.Part(), CreatedBy: r.CreatedBy, CreatedAt: kit.Time(r.CreatedAt),
	}
	if r.Failure != "" {
		item.Error = &r.Failure
	}
	if r.EndedAt != nil {
		item.EndedAt = new(kit.Time(*r.EndedAt))
	}
	return item
}

type repricingResponse struct {
	Success   bool          `json:"success" required:"true" description:"Always true."`
	Repricing repricingItem `json:"repricing" required:"true" description:"The re-pricing."`
}

func answerRepricing(r repricing.Repricing, err error) (*repricingResponse, error) {
	return &repricingResponse{Success: true, Repricing: wireRepricing(&r)}, err
}
