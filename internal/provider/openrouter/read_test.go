package openrouter_test

import (
	"testing"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestReadsRecordedCalls(t *testing.T) { pt.Golden(t) }
