package fault

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
)

// publishStep publishes a version, or moves the label of the publisher and
// fetches the version it points to.
func (l *load) publishStep(p *publisher, random *rand.Rand) error {
	if p.pending != nil {
		return l.settleLabel(p)
	}
	template := templates[random.IntN(len(templates))]
	switch chance := random.IntN(10); {
	case chance < 3 && p.at[template] != 0:
		return l.moveLabel(p, template, random)
	case chance < 5 && p.at[template] != 0:
		return l.fetchLabel(p, template, random)
	case chance < 7:
		return l.publish(p, template)
	default:
		return l.publish(p, template, p.label)
	}
}

// settleLabel finds out whether the last move of the label was executed, which
// got no response before a fault.
func (l *load) settleLabel(p *publisher) error {
	move := p.pending
	labels, err := l.labels(move.template)
	if e, ok := errors.AsType[*statusError](err); err != nil && (!ok || e.status != http.StatusNotFound) {
		return l.uncertain(err)
	}
	got := labels[p.label].Version
	if got != p.at[move.template] && move.text != "" {
		stored, err := l.version(move.template, got)
		if err != nil {
			return l.uncertain(err)
		}
		if err := l.model.foundVersion(move.template, stored.text(), got); err != nil {
			return err
		}
	}
	l.model.mu.Lock()
	defer l.model.mu.Unlock()
	if !p.mayBeAt(move.template, got) {
		return fmt.Errorf("label %s points to version %d, want %d (or the interrupted move %+v)", p.label, got, p.at[move.template], move)
	}
	p.at[move.template], p.pending = got, nil
	return nil
}

func (l *load) publish(p *publisher, template string, labels ...string) error {
	text := l.model.drawText(template)
	if labels != nil {
		p.pending = &labelMove{template: template, text: text}
	}
	got, err := ask[struct {
		Version int64 `json:"version_number"`
	}](l.client, http.MethodPost, publishPath, object{
		"prompt_template": object{"prompt_name": template},
		"prompt_version":  object{"prompt_template": object{"type": "chat", "messages": []any{message("user", text)}}},
		"release_labels":  labels,
	})
	if err != nil {
		return l.uncertain(err)
	}
	if labels != nil {
		p.at[template], p.pending = got.Version, nil
	}
	return l.model.keepVersion(template, text, got.Version)
}

// moveLabel moves the label to any known version.
func (l *load) moveLabel(p *publisher, template string, random *rand.Rand) error {
	labels, err := l.labels(template)
	if err != nil {
		return l.uncertain(err)
	}
	l.model.mu.Lock()
	known := slices.Sorted(maps.Keys(l.model.texts[template]))
	l.model.mu.Unlock()
	version := known[random.IntN(len(known))]
	p.pending = &labelMove{template: template, version: version}
	path := fmt.Sprint("/prompt-labels/", labels[p.label].ID)
	if _, err := ask[any](l.client, http.MethodPatch, path, object{"prompt_version_number": version}); err != nil {
		return l.uncertain(err)
	}
	p.at[template], p.pending = version, nil
	return nil
}

// fetchLabel returns an error unless the label points to the version of its last
// move.
func (l *load) fetchLabel(p *publisher, template string, random *rand.Rand) error {
	got, err := ask[prompt](l.reader(random), http.MethodPost, templatePath(template), object{"label": p.label})
	if err != nil {
		return l.uncertain(err)
	}
	if got.Version != p.at[template] {
		return fmt.Errorf("label %s of %s points to version %d, want %d", p.label, template, got.Version, p.at[template])
	}
	return nil
}

// sheetWriter is a client that adds rows to a dataset.
type sheetWriter struct {
	*load
	random *rand.Rand
	sheet  *sheet
}

func (w *sheetWriter) step() error {
	if w.sheet == nil {
		return w.create()
	}
	count := 1 + w.random.Int64N(3)
	var rows []any
	for n := range count {
		rows = append(rows, object{"n": w.sheet.rows + n + 1})
	}
	w.sheet.pending = count
	body := object{"dataset_group_id": w.sheet.group, "add": rows}
	if w.sheet.rows == 0 {
		body["add_columns"] = []string{"n"}
	}
	if _, err := ask[any](w.client, http.MethodPost, "/api/public/v2/dataset-versions/draft-rows", body); err != nil {
		return w.uncertain(err)
	}
	w.sheet.rows, w.sheet.pending = w.sheet.rows+count, 0
	w.model.mu.Lock()
	w.model.figures.rows += int(count)
	w.model.mu.Unlock()
	return nil
}

func (w *sheetWriter) create() error {
	got, err := ask[struct {
		Group   created `json:"dataset_group"`
		Dataset created `json:"dataset"`
	}](w.client, http.MethodPost, "/api/public/v2/dataset-groups", object{"name": "sheet " + w.tag})
	if err != nil {
		return w.uncertain(err)
	}
	w.sheet = &sheet{group: got.Group.ID, draft: got.Dataset.ID}
	w.model.mu.Lock()
	defer w.model.mu.Unlock()
	w.model.sheets = append(w.model.sheets, w.sheet)
	return nil
}
