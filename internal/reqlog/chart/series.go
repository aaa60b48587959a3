package chart

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// timeSeries returns a row per non-empty bucket, earliest first.
func (b chartBuilder) timeSeries(ctx context.Context, c Chart) ([]Row, error) {
	bucket := b.bucket(c)
	rows, err := b.rows(ctx, c, 0, Dimension{Bucket: &bucket})
	if err != nil {
		return nil, err
	}
	starts, byStart, err := byBucket(rows)
	if err != nil {
		return nil, err
	}
	data := make([]Row, 0, len(starts))
	for _, start := range starts {
		data = append(data, c.row(byStart[start][0].Values, bucketCells(bucket, start)...))
	}
	return data, nil
}

// groupedTimeSeries returns one series per group, for the groups that are
// highest over the whole time. A group without logs in a bucket counts as 0
// there.
func (b chartBuilder) groupedTimeSeries(ctx context.Context, c Chart) ([]SeriesInfo, []Row, error) {
	top, labels, err := b.ranked(ctx, c, c.By...)
	if err != nil || len(top) == 0 {
		return []SeriesInfo{}, []Row{}, err
	}
	group := c.By[0]
	group.Only = firstKeys(top)
	bucket := b.bucket(c)
	rows, err := b.rows(ctx, c, 0, Dimension{Bucket: &bucket}, group)
	if err != nil {
		return nil, nil, err
	}
	starts, byStart, err := byBucket(rows)
	if err != nil {
		return nil, nil, err
	}
	keys := seriesKeys(group.Only)
	infos := make([]SeriesInfo, len(keys))
	for i, key := range keys {
		infos[i] = SeriesInfo{Key: key, Label: labels.of(group, group.Only[i]), Unit: c.Series[0].Measure.unit()}
	}
	data := make([]Row, 0, len(starts))
	for _, start := range starts {
		row := bucketCells(bucket, start)
		data = append(data, append(row, groupCells(keys, group.Only, byStart[start])...))
	}
	return infos, data, nil
}

// groupCells returns a number for each group, in order.
func groupCells(keys, groups []string, rows []AggregateRow) []Cell {
	values := make(map[string]float64, len(rows))
	for _, row := range rows {
		if v := row.Values[0]; v != nil {
			values[row.Keys[1]] = *v
		}
	}
	cells := make([]Cell, len(keys))
	for i, key := range keys {
		cells[i] = Cell{key, values[groups[i]]}
	}
	return cells
}

// seriesKeys returns the row keys for groups: the groups themselves, except
// those that are also names of other cells.
func seriesKeys(groups []string) []string {
	keys := slices.Clone(groups)
	for i := range keys {
		for slices.Contains(reservedCells, keys[i]) || slices.Contains(groups, keys[i]) && keys[i] != groups[i] {
			keys[i] = "group:" + keys[i]
		}
	}
	return keys
}

func (b chartBuilder) bucket(c Chart) Bucket {
	if c.Bucket != nil {
		return *c.Bucket
	}
	return ChooseBucket(b.query.Filter, b.now)
}

func bucketCells(bucket Bucket, start reqlog.Micros) []Cell {
	return []Cell{{cellBucket, bucket.Key(start)}, {cellLabel, bucket.Label(start)}}
}

// byBucket groups rows whose first key is a bucket by bucket.
func byBucket(rows []AggregateRow) (starts []reqlog.Micros, byStart map[reqlog.Micros][]AggregateRow, err error) {
	byStart = make(map[reqlog.Micros][]AggregateRow)
	for _, row := range rows {
		start, err := strconv.ParseInt(row.Keys[0], 10, 64)
		if err != nil {
			return nil, nil, fmt.Errorf("read the start of a bucket: %w", err)
		}
		if _, seen := byStart[reqlog.Micros(start)]; !seen {
			starts = append(starts, reqlog.Micros(start))
		}
		byStart[reqlog.Micros(start)] = append(byStart[reqlog.Micros(start)], row)
	}
	slices.Sort(starts)
	return starts, byStart, nil
}

// ranked returns the highest rows up to the limit of the chart, with their
// labels.
func (b chartBuilder) ranked(ctx context.Context, c Chart, by ...Dimension) ([]AggregateRow, chartLabels, error) {
	rows, err := b.rows(ctx, c, c.Limit, by...)
	if err != nil {
		return nil, nil, err
	}
	labels, err := b.rank(ctx, rows, by)
	return rows, labels, err
}

// rank sorts the rows by their first value in descending order, then by labels.
func (b chartBuilder) rank(ctx context.Context, rows []AggregateRow, by []Dimension) (chartLabels, error) {
	labels, err := b.labels(ctx, rows, by)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(x, y AggregateRow) int {
		return cmp.Or(
			compareValues(y.Values[0], x.Values[0]),
			slices.Compare(labels.path(by, x.Keys), labels.path(by, y.Keys)),
			slices.Compare(x.Keys, y.Keys))
	})
	return labels, nil
}

// compareValues sorts missing values below all others.
func compareValues(x, y *float64) int {
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return -1
	case y == nil:
		return 1
	}
	return cmp.Compare(*x, *y)
}

// chartLabels maps the keys of groups to names, by field.
type chartLabels map[query.Field]map[string]string

func (b chartBuilder) labels(ctx context.Context, rows []AggregateRow, by []Dimension) (chartLabels, error) {
	labels := chartLabels{}
	for i, d := range by {
		keys := make([]string, len(rows))
		for j, row := range rows {
			keys[j] = row.Keys[i]
		}
		var err error
		switch {
		case len(keys) == 0:
		case d.Field == query.FieldPromptID, d.Field == query.FieldPromptRef:
			labels[d.Field], err = b.promptLabels(ctx, keys)
		case d.Field == query.FieldAPIKeyID:
			labels[d.Field], err = b.keyLabels(ctx)
		}
		if err != nil {
			return nil, err
		}
	}
	return labels, nil
}

// promptLabels returns the names of prompts, with the version for keys that have
// one.
func (b chartBuilder) promptLabels(ctx context.Context, keys []string) (map[string]string, error) {
	ids := make([]int64, len(keys))
	for i, key := range keys {
		text, _, _ := strings.Cut(key, ":")
		var err error
		if ids[i], err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, fmt.Errorf("read a prompt id: %w", err)
		}
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(ids)))
	names, err := b.names.Prompts(ctx, distinct)
	if err != nil {
		return nil, fmt.Errorf("look up prompt names: %w", err)
	}
	labels := make(map[string]string, len(names))
	for i, key := range keys {
		name, ok := names[ids[i]]
		if !ok {
			continue
		}
		if _, version, ok := strings.Cut(key, ":"); ok {
			name += " v" + version
		}
		labels[key] = name
	}
	return labels, nil
}

func (b chartBuilder) keyLabels(ctx context.Context) (map[string]string, error) {
	names, err := b.names.Keys(ctx)
	if err != nil {
		return nil, fmt.Errorf("look up names of API keys: %w", err)
	}
	labels := make(map[string]string, len(names))
	for id, name := range names {
		labels[strconv.FormatInt(id, 10)] = name
	}
	return labels, nil
}

// of returns the label for a key of the dimension.
func (l chartLabels) of(d Dimension, key string) string {
	if name, ok := l[d.Field][key]; ok {
		return name
	}
	return key
}

func (l chartLabels) path(by []Dimension, keys []string) []string {
	path := make([]string, len(keys))
	for i, key := range keys {
		path[i] = l.of(by[i], key)
	}
	return path
}

// cells returns the label of a key and, for prompts and API keys, whose names may
// be equal, also the key.
func (l chartLabels) cells(d Dimension, key, labelCell, keyCell string) []Cell {
	cells := []Cell{{labelCell, l.of(d, key)}}
	if d.Field == query.FieldPromptID || d.Field == query.FieldPromptRef || d.Field == query.FieldAPIKeyID {
		cells = append(cells, Cell{keyCell, key})
	}
	return cells
}
