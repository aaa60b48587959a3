package storetest

import (
	"github.com/promptuary/promptuary/internal/catalog/installation"
	"github.com/promptuary/promptuary/internal/check"
)

var backupCases = []testCase{
	{"a new catalog has no backup", func(s *store) {
		s.equal(check.Must(s.Installation.LastBackup(s.ctx, false))(s.t) == nil, true)
	}},
	{"the last backup, and the last that succeeded", func(s *store) {
		note := func(b installation.Backup) { s.ok(s.Installation.NoteBackup(s.ctx, b)) }
		note(installation.Backup{Target: "/a", Point: "1", Written: 7, Key: true, Logs: 9, Damage: 2, Problems: 3})
		note(installation.Backup{Target: "/b", Error: "the disk is full", Elsewhere: "ClickHouse"})
		last := check.Must(s.Installation.LastBackup(s.ctx, false))(s.t)
		s.equal(*last, installation.Backup{At: last.At, Target: "/b", Error: "the disk is full", Elsewhere: "ClickHouse"})
		good := check.Must(s.Installation.LastBackup(s.ctx, true))(s.t)
		s.equal(*good, installation.Backup{At: good.At, Target: "/a", Point: "1", Written: 7, Key: true, Logs: 9, Damage: 2, Problems: 3})
		s.equal(good.At.IsZero(), false)
	}},
}
