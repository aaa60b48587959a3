package logs

import (
	"cmp"
	"time"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/rest"
)

type listPricesQuery struct {
	kit.Paging
	Source   string `query:"source" enum:"builtin,custom" description:"Only list prices (builtin) or only custom prices; all by default."`
	Provider string `query:"provider" maxLength:"100" description:"Only prices of this provider."`
}

type exportPricesQuery struct {
	Format string `query:"format" enum:"json,csv" default:"json" description:"Format of the file."`
	Source string `query:"source" enum:"builtin,custom" default:"custom" description:"Which prices."`
}

type pricePath struct {
	ID int64 `path:"price_id" minimum:"1" description:"The id of the price."`
}

// rates are the rates of a price that may be missing.
type rates struct {
	CacheRead      *float64 `json:"cache_read,omitempty" minimum:"0" maximum:"1000000" description:"Price of input read from the provider's cache; that of input by default."`
	CacheWrite     *float64 `json:"cache_write,omitempty" minimum:"0" maximum:"1000000" description:"Price of input written to the provider's cache; that of input by default."`
	CacheWriteLong *float64 `json:"cache_write_1h,omitempty" minimum:"0" maximum:"1000000" description:"Price of input that the cache keeps for an hour; that of cache_write by default."`
	Reasoning      *float64 `json:"reasoning,omitempty" minimum:"0" maximum:"1000000" description:"Price of the thinking part of the output; that of output by default."`
	BatchInput     *float64 `json:"batch_input,omitempty" minimum:"0" maximum:"1000000" description:"Price of input in a batch; that of input by default."`
	BatchOutput    *float64 `json:"batch_output,omitempty" minimum:"0" maximum:"1000000" description:"Price of output in a batch; that of output by default."`
}

// priceInput is a price as clients send it.
type priceInput struct {
	Provider  string     `json:"provider" required:"true" minLength:"1" maxLength:"100" description:"Name of the provider as in request logs; * for any."`
	Model     string     `json:"model" required:"true" minLength:"1" maxLength:"255" description:"Name of the model, which also stands for its dated releases, or a pattern in which * stands for any text."`
	ValidFrom *rest.Time `json:"valid_from,omitempty" description:"When the price begins to hold; always by default. It ends when a later one for the same provider and model begins."`
	Input     float64    `json:"input" required:"true" minimum:"0" maximum:"1000000" description:"US dollars per million input tokens."`
	Output    float64    `json:"output" required:"true" minimum:"0" maximum:"1000000" description:"US dollars per million output tokens."`
	rates
}

type createPriceRequest struct{ priceInput }

func (in *priceInput) content() pricing.Content {
	c := pricing.Content{Provider: in.Provider, Model: in.Model, ValidFrom: pricing.Always, Rates: pricing.Rates{
		Input: in.Input, Output: in.Output, CacheRead: in.CacheRead, CacheWrite: in.CacheWrite,
		CacheWriteLong: in.CacheWriteLong, Reasoning: in.Reasoning, BatchInput: in.BatchInput, BatchOutput: in.BatchOutput,
	}}
	if in.ValidFrom != nil {
		c.ValidFrom = time.UnixMicro(int64(*in.ValidFrom)).UTC()
	}
	return c
}

func wirePriceInput(p *pricing.Price) priceInput {
	return priceInput{
		Provider: p.Provider, Model: p.Model, ValidFrom: new(kit.Time(p.ValidFrom)), Input: p.Input, Output: p.Output,
		rates: rates{p.CacheRead, p.CacheWrite, p.CacheWriteLong, p.Reasoning, p.BatchInput, p.BatchOutput},
	}
}

type updatePriceRequest struct {
	pricePath
	Provider       *string           `json:"provider" minLength:"1" maxLength:"100" description:"New provider."`
	Model          *string           `json:"model" minLength:"1" maxLength:"255" description:"New model."`
	ValidFrom      *rest.Time        `json:"valid_from" description:"New start."`
	Input          *float64          `json:"input" minimum:"0" maximum:"1000000" description:"New price of input."`
	Output         *float64          `json:"output" minimum:"0" maximum:"1000000" description:"New price of output."`
	CacheRead      rest.Opt[float64] `json:"cache_read" minimum:"0" maximum:"1000000" description:"New price of input read from the cache; null for the default."`
	CacheWrite     rest.Opt[float64] `json:"cache_write" minimum:"0" maximum:"1000000" description:"New price of input written to the cache; null for the default."`
	CacheWriteLong rest.Opt[float64] `json:"cache_write_1h" minimum:"0" maximum:"1000000" description:"New price of input that the cache keeps for an hour; null for the default."`
	Reasoning      rest.Opt[float64] `json:"reasoning" minimum:"0" maximum:"1000000" description:"New price of thinking; null for the default."`
	BatchInput     rest.Opt[float64] `json:"batch_input" minimum:"0" maximum:"1000000" description:"New price of input in a batch; null for the default."`
	BatchOutput    rest.Opt[float64] `json:"batch_output" minimum:"0" maximum:"1000000" description:"New price of output in a batch; null for the default."`
}

// apply makes the change.
func (in *updatePriceRequest) apply(c *pricing.Content) {
	c.Provider, c.Model = *cmp.Or(in.Provider, &c.Provider), *cmp.Or(in.Model, &c.Model)
	c.Input, c.Output = *cmp.Or(in.Input, &c.Input), *cmp.Or(in.Output, &c.Output)
	if from := kit.Instant(in.ValidFrom); from != nil {
		c.ValidFrom = *from
	}
	for _, rate := range []struct {
		target **float64
		given  *rest.Opt[float64]
	}{
		{&c.CacheRead, &in.CacheRead}, {&c.CacheWrite, &in.CacheWrite}, {&c.CacheWriteLong, &in.CacheWriteLong},
		{&c.Reasoning, &in.Reasoning}, {&c.BatchInput, &in.BatchInput}, {&c.BatchOutput, &in.BatchOutput},
	} {
		switch {
		case rate.given.Null:
			*rate.target = nil
		case rate.given.Set:
			*rate.target = &rate.given.Value
		}
	}
}

type priceItem struct {
	ID     *int64 `json:"id" required:"true" description:"The id of a custom price; null for a list price."`
	Source string `json:"source" required:"true" enum:"builtin,custom" description:"Whether it is a list price of the program or a custom price."`
	priceInput
	CreatedBy *string    `json:"created_by" required:"true" description:"Email address of the creator; null for a key without an owner and for list prices."`
	UpdatedAt *rest.Time `json:"updated_at" required:"true" description:"When it was last changed; null for list prices."`
}

func wirePrice(p *pricing.Price) priceItem {
	item := priceItem{Source: string(p.Source), priceInput: wirePriceInput(p), CreatedBy: p.CreatedBy}
	if p.Source == pricing.Custom {
		item.ID, item.UpdatedAt = &p.ID, new(kit.Time(p.UpdatedAt))
	}
	return item
}

type priceResponse struct {
	Success bool      `json:"success" required:"true" description:"Always true."`
	Price   priceItem `json:"price" required:"true" description:"The price."`
}

func answerPrice(p pricing.Price, err error) (*priceResponse, error) {
	return &priceResponse{Success: true, Price: wirePrice(&p)}, err
}

type importPricesRequest struct {
	Prices []priceInput `json:"prices" maxItems:"10000" description:"The prices."`
	CSV    *string      `json:"csv" maxLength:"4000000" description:"The text of a CSV file instead of prices. The first line names the columns, which have the names of the members of a price."`
}

// contents returns the prices in either form.
func (in *importPricesRequest) contents() ([]pricing.Content, error) {
	switch {
	case (in.CSV == nil) == (in.Prices == nil):
		return nil, fault.BadRequestf("Either prices or csv is required")
	case in.CSV != nil:
		return pricing.ReadCSV(*in.CSV)
	default:
		return kit.EachRef(in.Prices, (*priceInput).content), nil
	}
}

type importPricesResponse struct {
	Success  bool `json:"success" required:"true" description:"Always true."`
	Imported int  `json:"imported" required:"true" description:"Number of prices."`
}

type priceFile struct {
	Prices []priceInput `json:"prices" required:"true" description:"The prices."`
}

type unpricedModel struct {
	Provider     string `json:"provider" required:"true" description:"The provider."`
	Model        string `json:"model" required:"true" description:"The model."`
	Requests     int64  `json:"requests" required:"true" description:"Number of request logs without a price."`
	InputTokens  int64  `json:"input_tokens" required:"true" description:"Sum of their input tokens."`
	OutputTokens int64  `json:"output_tokens" required:"true" description:"Sum of their output tokens."`
}

type unpricedResponse struct {
	Success bool            `json:"success" required:"true" description:"Always true."`
	Models  []unpricedModel `json:"models" required:"true" description:"The models, those with the most request logs first."`
}
