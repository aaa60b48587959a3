package openai_test

import (
	"testing"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestReadsRecordedCalls(t *testing.T) { pt.Golden(t) }

func TestReadsUsage(t *testing.T) { pt.Usage(t) }
