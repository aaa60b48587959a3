package registry

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/view"
)

// demoView is a saved view, or a dashboard if it has charts.
type demoView struct {
	name string
	// state is the state of the web app: the query, the time range, and for a
	// view the columns and the order. The default range is the last week.
	state string
	// charts is the file with the charts of a dashboard.
	charts string
}

func (v *demoView) kind() view.Kind {
	if v.charts != "" {
		return view.KindDashboard
	}
	return view.KindView
}

var demoViews = []demoView{
	{
		name:  "Errors today",
		state: `{"q":"status:ERROR","range":"24h","columns":"time,model,prompt,error,input,latency"}`,
	},
	{
		name: "Slow and dear",
		state: `{"q":"latency>5s cost>0.01","sort":"cost","order":"desc",` +
			`"columns":"time,status,model,prompt,input,input_tokens,output_tokens,cost,latency"}`,
	},
	{
		name:   "Support at a glance",
		state:  `{"q":"prompt:support-reply,refund-helper,ticket-summary,classify-ticket,order-agent","range":"7d"}`,
		charts: "data/dashboards/support.json",
	},
}

func (f *Filler) addViews(ctx context.Context) error {
	for i := range demoViews {
		if err := f.addView(ctx, &demoViews[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *Filler) addView(ctx context.Context, v *demoView) error {
	scope := view.Scope{Workspace: f.Workspace, Kind: v.kind()}
	known, err := f.Views.List(ctx, scope)
	if err != nil || slices.ContainsFunc(known, func(saved view.View) bool { return saved.Name == v.name }) {
		return err
	}
	content, err := v.content()
	if err != nil {
		return err
	}
	_, err = f.Views.Create(ctx, scope, content, &ada)
	return err
}

func (v *demoView) content() (view.Content, error) {
	content := view.Content{Name: v.name, State: []byte(v.state)}
	if v.kind() == view.KindView {
		content.Page = view.PageRequests
		return content, nil
	}
	charts, err := data.ReadFile(v.charts)
	content.Charts = charts
	return content, err
}
