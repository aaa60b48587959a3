package api_test

import "github.com/promptuary/promptuary/internal/access"

const (
	countColumn = `"column_type":"COUNT","configuration":{"source":"a","type":"chars"}`
	// ofARun is why changes of runs are not audited.
	ofARun = "a run belongs to an evaluation, which is audited"
)

func evaluationSamples() []sample {
	create, edit, remove, run := all(access.ReportCreate), all(access.ReportEdit), all(access.ReportDelete), all(access.ReportRun)
	const one, ran = "/reports/$evaluation", "/reports/$evaluationRun"
	const public = "/api/public/v2/evaluations/$evaluationRun"
	return []sample{
		{op: "createReport", may: create, body: `{"dataset_group_id":$filled}`, status: 201, audit: "create report"},
		{op: "createReport", name: "in a folder", may: create, body: `{"dataset_group_id":$filled,"folder_id":$folder,"columns":[{"name":"n",` + countColumn + `}]}`, status: 201, audit: "create report"},
		{op: "getReport", may: anyone, path: one},
		{op: "getReport", name: "of a run", may: anyone, path: ran},
		{op: "getReportScore", may: anyone, path: ran + "/score"},
		{op: "renameReport", may: edit, path: one + "/rename", body: `{"name":"$new"}`, audit: "rename report"},
		{op: "renameReport", name: "tags", may: edit, path: one + "/rename", body: `{"tags":["t"]}`, audit: "tag report"},
		{op: "renameReport", name: "of a run", may: edit, path: ran + "/rename", body: `{"name":"$new"}`, silent: ofARun},
		{op: "setReportScoreCard", may: edit, path: one + "/score-card", body: `{"column_names":["n"]}`, audit: "change report"},
		{op: "setReportScoreCard", name: "of a run", may: edit, path: ran + "/score-card", body: `{"column_names":["n"]}`, silent: ofARun},
		{op: "deleteReport", may: remove, path: one, audit: "delete report"},
		{op: "deleteReport", name: "of a run", may: remove, path: ran, silent: ofARun},
		{op: "deleteReportsByName", may: remove, path: "/reports/name/$evaluationName?x=$evaluation", audit: "delete report"},
		{op: "createReportColumn", may: edit, body: `{"report_id":$evaluation,"name":"$new",` + countColumn + `}`, status: 201, audit: "change report"},
		{op: "patchReportColumn", may: edit, path: "/report-columns/$column", body: `{"report_id":$evaluation,` + countColumn + `}`, audit: "change report"},
		{op: "deleteReportColumn", may: edit, path: "/report-columns/$column", status: 204, audit: "change report"},
		{op: "runReport", may: run, path: one + "/run", body: `{"name":"$new"}`, status: 201, silent: ranAlready},
		{op: "runReport", name: "over another dataset", may: run, path: one + "/run", body: `{"name":"$new","dataset_id":$filledDataset}`, status: 201, silent: ranAlready},
		{op: "cancelEvaluationRun", may: run, path: public + "/cancel", status: 202, silent: ranAlready},
		{op: "listEvaluations", may: anyone},
		{op: "exportEvaluation", may: anyone, path: public + "/export", audit: "export report"},
		{op: "listEvaluationRows", may: anyone, path: public + "/rows"},
		{op: "listOpenEvaluationCells", may: anyone},
		{op: "answerEvaluationCell", may: edit, path: "/api/public/v2/evaluations/$waitingRun/answers", body: `{"position":0,"column_id":$waitingColumn,"value":"x"}`, silent: ofARun},
		{op: "compareEvaluationRuns", may: anyone, path: public + "/compare?with=$evaluationRun"},
		{op: "getEvaluationRunUsage", may: anyone, path: public + "/usage"},
		{op: "getEvaluationRunAgreement", may: anyone, path: public + "/agreement"},
		{op: "reportAttachExternalID", may: edit, path: one + "/external-ids", body: `{"source":"s","external_id":"$new"}`, status: 201, audit: "attach external id report"},
		{op: "reportListExternalIDs", may: anyone, path: one + "/external-ids"},
		{op: "reportDeleteExternalID", may: edit, path: one + "/external-ids/seen/$evaluationName", audit: "detach external id report"},
	}
}

// makeEvaluation creates the subjects of samples about evaluations.
func (s *subjects) makeEvaluation(name string) {
	switch name {
	case "$evaluationName":
		s.known[name] = s.unique()
	case "$filled", "$filledDataset":
		s.post("$filled", "/api/public/v2/dataset-groups", `{"name":"`+s.unique()+`"}`, "dataset_group", "id")
		s.post("$filledDataset", "/api/public/v2/dataset-versions/from-file",
			`{"dataset_group_id":$filled,"file_name":"a.csv","file_content_base64":"YQox"}`, "dataset_id")
	case "$evaluation":
		s.post(name, "/reports", `{"dataset_group_id":$filled,"name":"$evaluationName","columns":[{"name":"n",`+countColumn+`}],`+
			`"external_ids":[{"source":"seen","external_id":"$evaluationName"}]}`, "report_id")
	case "$column":
		s.post(name, "/report-columns", `{"report_id":$evaluation,"name":"`+s.unique()+`",`+countColumn+`}`, "report_column", "id")
	case "$waitingRun":
		const asks = `"column_type":"HUMAN","configuration":{"wait":true}`
		s.post("$asking", "/reports", `{"dataset_group_id":$filled,"columns":[{"name":"n",`+asks+`},{"name":"m",`+asks+`}]}`, "report_id")
		s.post(name, "/reports/$asking/run", `{"name":"`+s.unique()+`"}`, "report_id")
		s.awaitRuns()
	case "$waitingColumn":
		s.known[name] = s.rows.column(s.t, `SELECT MIN(column_id) FROM person_cell WHERE run_id = `+s.id("waitingRun"))[0]
	case "$evaluationRun":
		s.post(name, "/reports/$evaluation/run", `{"name":"`+s.unique()+`"}`, "report_id")
		s.awaitRuns()
	}
}
