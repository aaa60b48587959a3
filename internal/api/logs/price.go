package logs

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	priceTag  = "Prices"
	priceBase = "/api/public/v2/prices"
	priceOne  = priceBase + "/{price_id}"
)

// prices has the handlers of prices.
type prices struct {
	service *pricing.Service
	logs    *requests.Service
}

func (h prices) operations() []rest.Op {
	return kit.Tagged(priceTag, []rest.Op{
		{
			Method: http.MethodGet, Path: priceBase, ID: "listPrices", Handler: rest.Handle(h.list), Summary: "List prices",
			Description: "Returns the custom prices of the workspace, then the list prices of the program, both by provider, model and start.",
		},
		{
			Method: http.MethodPost, Path: priceBase, ID: "createPrice", Handler: rest.Handle(h.create), Summary: "Set a custom price",
			Description: "Adds a price that holds in this workspace instead of list prices. A price with the same provider, model and start is rejected with 409. " +
				"A workspace can have up to 10,000. Requires the permission MANAGE_PRICES.",
			Status: http.StatusCreated, Also: []int{http.StatusConflict},
		},
		{
			Method: http.MethodPost, Path: priceBase + "/import", ID: "importPrices", Handler: rest.Handle(h.load), Summary: "Import custom prices",
			Description: "Adds up to 10,000 prices, all or none, as a list or as the text of a CSV file. Prices with the same provider, model and start are replaced.",
			Also:        []int{http.StatusConflict},
		},
		{
			Method: http.MethodGet, Path: priceBase + "/export", ID: "exportPrices", Handler: rest.RawBound(priceFile{}, h.export), Summary: "Export prices",
			Description: "Returns all custom prices, or the list prices, in a form that can be imported.", Produces: []string{"text/csv"},
		},
		{
			Method: http.MethodGet, Path: priceBase + "/unpriced", ID: "listUnpricedModels", Handler: rest.Handle(h.unpriced), Summary: "List models without a price",
			Description: "Returns up to 1,000 models whose request logs have tokens and no price, those with the most request logs first.",
			Also:        []int{http.StatusServiceUnavailable},
		},
		{
			Method: http.MethodPatch, Path: priceOne, ID: "updatePrice", Handler: rest.Handle(h.change), Summary: "Change a custom price",
			Description: "Replaces the given members and keeps the others. Logs keep the prices that they have.",
			Also:        []int{http.StatusNotFound, http.StatusConflict},
		},
		{
			Method: http.MethodDelete, Path: priceOne, ID: "deletePrice", Handler: rest.Handle(h.remove), Summary: "Delete a custom price",
			Description: "Deletes a custom price. Logs keep the prices that they have.", Also: []int{http.StatusNotFound},
		},
	})
}

func (h prices) list(ctx context.Context, in *listPricesQuery) (*kit.Page[priceItem], error) {
	all, err := h.service.List(ctx, kit.Workspace(ctx), pricing.Query{Source: pricing.Source(in.Source), Provider: in.Provider})
	if err != nil {
		return nil, err
	}
	page, total := in.Slice(), len(all)
	first := min(page.Offset, total)
	return kit.NewPage(in.Paging, int64(total), all[first:min(first+page.Limit, total)], wirePrice), nil
}

func (h prices) create(ctx context.Context, in *createPriceRequest) (*priceResponse, error) {
	return answerPrice(h.service.Create(ctx, kit.Workspace(ctx), in.content(), kit.Author(ctx)))
}

func (h prices) change(ctx context.Context, in *updatePriceRequest) (*priceResponse, error) {
	return answerPrice(h.service.Update(ctx, kit.Workspace(ctx), in.ID, in.apply))
}

func (h prices) remove(ctx context.Context, in *pricePath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, kit.Workspace(ctx), in.ID))
}

func (h prices) load(ctx context.Context, in *importPricesRequest) (*importPricesResponse, error) {
	contents, err := in.contents()
	if err != nil {
		return nil, err
	}
	if err := h.service.Import(ctx, kit.Workspace(ctx), contents, kit.Author(ctx)); err != nil {
		return nil, err
	}
	return &importPricesResponse{Success: true, Imported: len(contents)}, nil
}

func (h prices) export(w http.ResponseWriter, r *rest.Request, in *exportPricesQuery) error {
	all, err := h.service.List(r.Context(), kit.Workspace(r.Context()), pricing.Query{Source: pricing.Source(in.Source)})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="prices.`+in.Format+`"`)
	if in.Format == "csv" {
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		return pricing.WriteCSV(w, all)
	}
	return rest.WriteJSON(w, http.StatusOK, priceFile{Prices: kit.EachRef(all, wirePriceInput)})
}

func (h prices) unpriced(ctx context.Context, _ *struct{}) (*unpricedResponse, error) {
	found, err := h.logs.Unpriced(ctx, kit.Workspace(ctx))
	return &unpricedResponse{Success: true, Models: kit.Each(found, func(m requests.Unpriced) unpricedModel { return unpricedModel(m) })}, err
}
