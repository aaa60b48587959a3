package api_test

import "github.com/promptuary/promptuary/internal/access"

const deletionsPath = "/api/public/v2/deletions"

func redactionSamples() []sample {
	const rules = `{"rules":[{"name":"mail","detector":"email","action":"mask"}]}`
	manage := all(access.ManageData)
	return []sample{
		{op: "exportRequests", may: anyone, audit: "export REQUESTS"},
		{op: "exportTraces", may: anyone, audit: "export TRACES"},
		{op: "getRedaction", may: anyone},
		{op: "setRedaction", may: manage, body: rules, audit: "change REDACTION"},
		{op: "previewRedaction", may: manage, body: rules},
		{op: "previewDeletion", may: manage, body: `{"request_ids":[1]}`},
		{op: "createDeletion", may: manage, body: `{"request_ids":[1]}`, status: 201, audit: "create DELETION"},
		{op: "listDeletions", may: manage},
		{op: "getDeletion", may: manage, path: deletionsPath + "/$deletion"},
		{op: "cancelDeletion", may: manage, path: deletionsPath + "/$deletion/cancel", status: 202, silent: "it has ended"},
		{op: "getRetention", may: anyone},
		{op: "setRetention", may: manage, body: `{"days":0}`, audit: "change RETENTION"},
		{op: "previewRetention", may: manage, body: `{"days":30}`},
	}
}
