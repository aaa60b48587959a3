package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// evaluatedRows and evaluatedColumns are the size of the run.
	evaluatedRows    = 50_000
	evaluatedColumns = 10
	// listedEvaluations is the number of evaluations when lists are measured.
	listedEvaluations = 10_000
)

// measureEvaluations measures a run with deterministic columns, from its start
// to its score, and lists of many evaluations.
func (b *bench) measureEvaluations() error {
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	group, err := evaluatedDataset(c)
	if err != nil {
		return err
	}
	report, err := postForReport(c, "/reports", evaluationBody(group))
	if err != nil {
		return err
	}
	began := time.Now()
	run, err := postForReport(c, fmt.Sprintf("/reports/%d/run", report), []byte(`{"name":"bench"}`))
	if err != nil {
		return err
	}
	if err := awaitEvaluation(c, run); err != nil {
		return err
	}
	cells := quantity{evaluatedRows * evaluatedColumns / time.Since(began).Seconds(), "cells/s"}
	b.report.above("evaluation of 50,000 rows and 10 columns", cells, 5000)
	return b.measureEvaluationLists(c, group)
}

// evaluatedDataset creates a dataset and returns its group.
func evaluatedDataset(c *client) (int64, error) {
	answer, err := c.expect(http.StatusCreated, "POST", "/api/public/v2/dataset-groups", []byte(`{"name":"bench rows"}`))
	if err != nil {
		return 0, err
	}
	var made struct {
		Group struct {
			ID int64 `json:"id"`
		} `json:"dataset_group"`
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return 0, err
	}
	var csv bytes.Buffer
	csv.WriteString("n,text\n")
	for i := range evaluatedRows {
		fmt.Fprintf(&csv, "%d,the text of row %d which is as long as a question to a model\n", i, i)
	}
	body := fmt.Appendf(nil, `{"dataset_group_id":%d,"file_name":"rows.csv","file_content_base64":%q}`,
		made.Group.ID, base64.StdEncoding.EncodeToString(csv.Bytes()))
	_, err = c.expect(http.StatusCreated, "POST", "/api/public/v2/dataset-versions/from-file", body)
	return made.Group.ID, err
}

// evaluationBody is an evaluation of ten columns.
func evaluationBody(group int64) []byte {
	type column struct {
		Type          string         `json:"column_type"`
		Name          string         `json:"name"`
		Configuration map[string]any `json:"configuration"`
	}
	columns := []column{
		{"COUNT", "words", map[string]any{"source": "text", "type": "words"}},
		{"COUNT", "chars", map[string]any{"source": "text", "type": "chars"}},
		{"CONTAINS", "has", map[string]any{"source": "text", "value": "ROW"}},
		{"REGEX", "matches", map[string]any{"source": "text", "regex_pattern": "row [0-9]+"}},
		{"REGEX_EXTRACTION", "extracted", map[string]any{"source": "text", "regex_pattern": "[0-9]+"}},
		{"COMPARE", "same", map[string]any{"sources": []string{"text", "n"}}},
		{"MATH_OPERATOR", "large", map[string]any{"sources": []string{"n"}, "operator": "ge", "value": 100}},
		{"ABSOLUTE_NUMERIC_DISTANCE", "distance", map[string]any{"sources": []string{"n", "words"}}},
		{"COMBINE_COLUMNS", "combined", map[string]any{"sources": []string{"n", "words", "large"}}},
		{"JSON_PATH", "path", map[string]any{"source": "combined", "json_path": "$.words"}},
	}
	text, _ := json.Marshal(map[string]any{"dataset_group_id": group, "name": "bench run", "columns": columns}) // cannot fail
	return text
}

// postForReport creates an evaluation or a run and returns its ID.
func postForReport(c *client, path string, body []byte) (int64, error) {
	answer, err := c.expect(http.StatusCreated, "POST", path, body)
	if err != nil {
		return 0, err
	}
	var made struct {
		ID int64 `json:"report_id"`
	}
	return made.ID, json.Unmarshal(answer, &made)
}

// awaitEvaluation polls a run until it has ended.
func awaitEvaluation(c *client, run int64) error {
	for end := time.Now().Add(requestTimeout); ; {
		answer, err := c.expect(http.StatusOK, "GET", fmt.Sprintf("/reports/%d", run), nil)
		if err != nil {
			return err
		}
		var report struct {
			Status string `json:"status"`
			Stats  struct {
				Counts map[string]int64 `json:"status_counts"`
			} `json:"stats"`
		}
		if err := json.Unmarshal(answer, &report); err != nil {
			return err
		}
		if report.Status == "COMPLETED" && report.Stats.Counts["COMPLETED"] != evaluatedRows*evaluatedColumns {
			return fmt.Errorf("run %d ended with %v", run, report.Stats.Counts)
		}
		if report.Status == "COMPLETED" {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("run %d has not ended: %v", run, report.Stats.Counts)
		}
		time.Sleep(20 * time.Millisecond) // polling must not affect the measurement
	}
}

// measureEvaluationLists lists pages of many evaluations.
func (b *bench) measureEvaluationLists(c *client, group int64) error {
	clients, err := dialAll(b.clients, b.server.address)
	if err != nil {
		return err
	}
	defer closeAll(clients)
	var making errgroup.Group
	for n, c := range clients {
		making.Go(func() error {
			for i := n; i < listedEvaluations; i += len(clients) {
				body := fmt.Appendf(nil, `{"dataset_group_id":%d,"name":"bench list %d"}`, group, i)
				if _, err := postForReport(c, "/reports", body); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := making.Wait(); err != nil {
		return err
	}
	slowest := time.Duration(0)
	for _, query := range []string{
		"", "?name=LIST%2077", "?status=all&sort_by=name&sort_order=asc", "?page=900&include_runs=true", "?sort_by=updated_at&created_after=2020-01-01",
	} {
		took, err := medianOf(func() error {
			_, err := c.expect(http.StatusOK, "GET", "/api/public/v2/evaluations"+query, nil)
			return err
		})
		if err != nil {
			return err
		}
		slowest = max(slowest, took)
	}
	b.report.below("slowest list of 10,000 evaluations", milliseconds(slowest), 50)
	return nil
}
