package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// suggestionQueries are queries of a filter editor while a user types.
func suggestionQueries() []url.Values {
	filter := `{"logic":"AND","filters":[{"field":"engine","operator":"is","value":"gpt-4o"}]}`
	return []url.Values{
		{"field": {"engine"}},
		{"field": {"provider_type"}},
		{"field": {"status"}},
		{"field": {"tags"}},
		{"field": {"tags"}, "prefix": {"ex"}},
		{"field": {"metadata_keys"}},
		{"field": {"tool_names"}},
		{"field": {"output_keys"}, "prefix": {"tool"}},
		{"field": {"metadata_values"}, "metadata_key": {"env"}},
		{"field": {"metadata_values"}, "metadata_key": {"user_id"}, "prefix": {"user_12"}},
		{"field": {"output_values"}, "metadata_key": {"category"}},
		{"field": {"tags"}, "filter_group": {filter}},
	}
}

// measureSuggestions measures suggestions of several fields.
func (b *bench) measureSuggestions() error {
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	var all []time.Duration
	for _, query := range suggestionQueries() {
		path := "/api/public/v2/requests/suggestions?" + query.Encode()
		var answer struct{ Values []string }
		times, err := timed(20, func() error {
			body, err := c.expect(http.StatusOK, "GET", path, nil)
			if err != nil {
				return err
			}
			return json.Unmarshal(body, &answer)
		})
		if err != nil {
			return err
		}
		if len(answer.Values) == 0 {
			return fmt.Errorf("no suggestions for %s", path)
		}
		b.progress("%s: median %v", query.Encode(), median(times).Round(10*time.Microsecond))
		all = append(all, times...)
	}
	b.report.below("suggestions, p95", milliseconds(percentile(all, 0.95)), 50)
	return nil
}
