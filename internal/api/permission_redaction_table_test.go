package api_test

import "github.com/promptuary/promptuary/internal/access"

func redactionSamples() []sample {
	const rules = `{"rules":[{"name":"mail","detector":"email","action":"mask"}]}`
	manage := all(access.ManageData)
	return []sample{
		{op: "getRedaction", may: anyone},
		{op: "setRedaction", may: manage, body: rules, audit: "change REDACTION"},
		{op: "previewRedaction", may: manage, body: rules},
	}
}
