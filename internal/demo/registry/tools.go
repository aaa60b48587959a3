package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/tool"
)

// demoTool is a tool with its versions, oldest first.
type demoTool struct {
	name, description, folder string
	versions                  []toolVersion
}

type toolVersion struct {
	// parameters are the properties of the arguments, as JSON.
	parameters string
	code       string
	commit     string
	labels     []string
}

var demoTools = []demoTool{
	{
		name: "order_status", description: "Looks up where an order is.", folder: support,
		versions: []toolVersion{
			{
				parameters: `{"order_id":{"type":"string"}}`,
				code:       "return {order_id: args.order_id, status: 'shipped'};",
				commit:     "Answers the same for every order", labels: []string{"dev"},
			},
			{
				parameters: `{"order_id":{"type":"string","description":"As printed on the invoice"}}`,
				code: "const steps = ['received', 'packed', 'shipped', 'delivered'];\n" +
					"const digits = String(args.order_id).replace(/\\D/g, '');\n" +
					"return {order_id: args.order_id, status: steps[Number(digits || 0) % steps.length]};",
				commit: "The status depends on the order", labels: []string{"staging"},
			},
			{
				parameters: `{"order_id":{"type":"string","description":"As printed on the invoice"},"language":{"type":"string","enum":["en","de"]}}`,
				code: "const steps = {\n" +
					"  en: ['received', 'packed', 'shipped', 'delivered'],\n" +
					"  de: ['eingegangen', 'gepackt', 'versandt', 'zugestellt'],\n" +
					"};\n" +
					"const names = steps[args.language] || steps.en;\n" +
					"const digits = String(args.order_id).replace(/\\D/g, '');\n" +
					"return {order_id: args.order_id, status: names[Number(digits || 0) % names.length]};",
				commit: "In German, too", labels: []string{"prod"},
			},
		},
	},
	{
		name: "shipping_cost", description: "Tells what it costs to send a parcel.", folder: support,
		versions: []toolVersion{
			{
				parameters: `{"grams":{"type":"number"}}`,
				code:       "return {euros: args.grams <= 1000 ? 4.5 : 7.5};",
				commit:     "Two prices",
			},
			{
				parameters: `{"grams":{"type":"number"},"country":{"type":"string","description":"Two letters"}}`,
				code: "const base = args.country === 'DE' ? 4.5 : 12;\n" +
					"const kilos = Math.max(1, Math.ceil(args.grams / 1000));\n" +
					"console.log('kilos', kilos);\n" +
					"return {euros: base + (kilos - 1) * 1.5};",
				commit: "By country and kilogram", labels: []string{"prod", "staging"},
			},
		},
	},
	{
		name: "business_days", description: "Counts the working days between two dates.", folder: tools,
		versions: []toolVersion{
			{
				parameters: `{"from":{"type":"string","format":"date"},"to":{"type":"string","format":"date"}}`,
				code:       "return {days: Math.round((new Date(args.to) - new Date(args.from)) / 86400000)};",
				commit:     "All days, for now",
			},
			{
				parameters: `{"from":{"type":"string","format":"date"},"to":{"type":"string","format":"date"}}`,
				code: "let days = 0;\n" +
					"const end = new Date(args.to);\n" +
					"for (let at = new Date(args.from); at < end && days < 10000; at.setUTCDate(at.getUTCDate() + 1)) {\n" +
					"  const weekday = at.getUTCDay();\n" +
					"  if (weekday !== 0 && weekday !== 6) days++;\n" +
					"}\n" +
					"return {days};",
				commit: "Without Saturdays and Sundays", labels: []string{"prod"},
			},
		},
	},
}

func (f *Filler) addTools(ctx context.Context) error {
	for i := range demoTools {
		if err := f.addTool(ctx, &demoTools[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *Filler) addTool(ctx context.Context, t *demoTool) error {
	_, have, err := f.Tools.ListVersions(ctx, f.Workspace, t.name, entity.Page{Limit: 1})
	if fault.Is(err, fault.NotFound) {
		have, err = 1, f.createTool(ctx, t)
	}
	for i := int(have); i < len(t.versions) && err == nil; i++ {
		_, err = f.Tools.AddVersion(ctx, f.Workspace, t.name, t.content(i), t.release(i))
	}
	return err
}

func (f *Filler) createTool(ctx context.Context, t *demoTool) error {
	_, err := f.Tools.Create(ctx, f.Workspace, registry.CreateInput[tool.Content]{
		Name: t.name, FolderID: f.FolderID(t.folder), Content: new(t.content(0)), Release: t.release(0),
	})
	return err
}

func (t *demoTool) content(version int) tool.Content {
	v := &t.versions[version]
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("type").String("function")
		w.Key("function").Object(func() {
			w.Key("name").String(t.name)
			w.Key("description").String(t.description)
			w.Key("parameters").Object(func() {
				w.Key("type").String("object")
				w.Key("properties").Raw([]byte(v.parameters))
			})
		})
	})
	return tool.Content{
		Description: &t.description, Definition: w.Bytes(),
		Execution: tool.Execution{Language: "javascript", Code: v.code},
	}
}

func (t *demoTool) release(version int) registry.Release {
	v := &t.versions[version]
	return registry.Release{CommitMessage: &v.commit, Labels: v.labels, Author: authorOf(version)}
}
