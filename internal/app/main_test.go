package app_test

import (
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
