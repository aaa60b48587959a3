package skill_test

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/skill"
)

// withMode returns the header of an entry from a Unix system.
func withMode(mode fs.FileMode) zip.FileHeader {
	var h zip.FileHeader
	h.SetMode(mode)
	return h
}

var deflated = zip.FileHeader{Method: zip.Deflate}

func TestUnpack(t *testing.T) {
	t.Parallel()
	packed := archive(t,
		entry{name: "triage/", header: withMode(fs.ModeDir | 0o755)},
		entry{name: "triage/SKILL.md", text: "größe\x00\xff", header: deflated},
		entry{name: `run\日本.sh`, text: "#!", header: withMode(0o755)},
		entry{name: "__MACOSX/x", text: "x"},
		entry{name: "triage/.DS_Store", text: "x"},
		entry{name: "./empty"},
	)
	var got []string
	for _, one := range check.Must(skill.Unpack(packed))(t) {
		got = append(got, one.Path+" "+fs.FileMode(one.Mode).String()+" "+string(check.Must(one.Read())(t)))
	}
	check.Equal(t, "files", got, []string{"triage/SKILL.md ---------- größe\x00\xff", "run/日本.sh -rwxr-xr-x #!", "empty ---------- "})
}

// unpackAll reads all files of an archive.
func unpackAll(packed []byte) error {
	all, err := skill.Unpack(packed)
	for _, one := range all {
		if _, broken := one.Read(); broken != nil {
			return broken
		}
	}
	return err
}

func TestUnpackRejects(t *testing.T) {
	t.Parallel()
	good := archive(t, entry{name: "a", text: strings.Repeat("text", 100)})
	encrypted := bytes.Clone(good)
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	broken := bytes.Clone(good)
	broken[40] ^= 1
	lying := archive(t, entry{name: "a", text: strings.Repeat("x", 5000), header: deflated})
	copy(lying[bytes.Index(lying, []byte("PK\x01\x02"))+24:], []byte{10, 0, 0, 0})
	unknown := bytes.Clone(good)
	unknown[bytes.Index(unknown, []byte("PK\x01\x02"))+10] = 12
	large := strings.Repeat("random enough? no", skill.MaxFile/17+1)
	many := make([]entry, 21)
	for i := range many {
		many[i] = entry{name: strings.Repeat("a", i+1), text: large[:skill.MaxFile]}
	}
	tests := []struct {
		name   string
		packed []byte
		says   string
	}{
		{"no archive", []byte("hello"), "not a valid zip"},
		{"nothing", nil, "not a valid zip"},
		{"truncated", good[:len(good)-10], "not a valid zip"},
		{"damaged", broken, "not a valid zip"},
		{"encrypted", encrypted, "is encrypted"},
		{"unknown method", unknown, "not supported"},
		{"wrong size", lying, "zip"},
		{"absolute", archive(t, entry{name: "/etc/passwd"}), "absolute"},
		{"up", archive(t, entry{name: "a/../../b"}), ".."},
		{"parent folder", archive(t, entry{name: "../"}), ".."},
		{"parent by backslashes", archive(t, entry{name: `..\x`}), ".."},
		{"link", archive(t, entry{name: "a", text: "/etc/passwd", header: withMode(fs.ModeSymlink | 0o777)}), "link"},
		{"device", archive(t, entry{name: "a", header: withMode(fs.ModeDevice | 0o600)}), "special"},
		{"twice", archive(t, entry{name: "a"}, entry{name: "./a"}), "twice"},
		{"invalid UTF-8", archive(t, entry{name: "a\xff"}), "UTF-8"},
		{"too large", archive(t, entry{name: "a", text: large}), "larger than 5 MiB"},
		{"too large in total", archive(t, many...), "100 MiB"},
		{"bomb", archive(t, entry{name: "a", text: strings.Repeat("\x00", skill.MaxFile), header: deflated}), "times as large"},
		{"many entries", bytes.Repeat([]byte("PK\x01\x02"), 20_001), "too many"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := unpackAll(tt.packed)
			check.Fault(t, err, fault.BadRequest)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("it says %v, want something with %q", err, tt.says)
			}
		})
	}
}

// TestPackedArchives reads archives as clients do that rely on the local
// headers of the files.
func TestPackedArchives(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	packed := archive(t, entry{name: "größe/run.sh", text: "#!/bin/sh\n", header: withMode(0o755)}, entry{name: "CLAUDE.md", text: strings.Repeat("long ", 1000)})
	in := skill.CreateInput{Name: "c", Archive: check.Must(skill.Unpack(packed))(t)}
	record := check.Must(r.Create(r.ctx, r.workspace, in))(t)
	var out bytes.Buffer
	if err := r.WriteArchive(r.ctx, r.workspace, record.Version, &out); err != nil {
		t.Fatal(err)
	}
	read := check.Must(zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
	got := map[string]string{}
	for _, file := range read.File {
		from := check.Must(file.Open())(t)
		got[file.Name+" "+file.Mode().String()] = string(check.Must(io.ReadAll(from))(t))
		if file.Flags&0x8 != 0 || file.Flags&0x800 == 0 || file.CreatorVersion>>8 != 3 {
			t.Errorf("%s has the flags %x of the system %d", file.Name, file.Flags, file.CreatorVersion>>8)
		}
		if year := file.Modified.Year(); year < 2020 {
			t.Errorf("%s is of the year %d", file.Name, year)
		}
		at := check.Must(file.DataOffset())(t)
		if at < 30 || out.Len() < int(at)+int(file.CompressedSize64) {
			t.Errorf("%s is at offset %d", file.Name, at)
		}
	}
	check.Equal(t, "files", got, map[string]string{
		".claude/skills/größe/run.sh -rwxr-xr-x": "#!/bin/sh\n", ".claude/CLAUDE.md -rw-r--r--": strings.Repeat("long ", 1000),
	})
	again := check.Must(skill.Unpack(out.Bytes()))(t)
	second := check.Must(r.Save(r.ctx, r.workspace, "c", skill.SaveInput{Archive: again}))(t)
	check.Equal(t, "pushed again", second.Version.Files, []skill.File{
		{Path: "CLAUDE.md", Hash: record.Version.Files[0].Hash, Size: 5000, Mode: 0o644},
		{Path: "größe/run.sh", Hash: record.Version.Files[1].Hash, Size: 10, Mode: 0o755},
	})
}

// FuzzUnpack reads any text as an archive: it is rejected, or its files are
// small and their paths are clean.
func FuzzUnpack(f *testing.F) {
	f.Add(archive(f, entry{name: "a/b", text: "text"}))
	f.Add(archive(f, entry{name: "../b", text: "text", header: deflated}, entry{name: "l", header: withMode(fs.ModeSymlink)}))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, packed []byte) {
		all, err := skill.Unpack(packed)
		if err != nil {
			check.Fault(t, err, fault.BadRequest)
			return
		}
		for _, one := range all {
			check.Equal(t, "path", check.Must(skill.CleanPath(one.Path))(t), one.Path)
			text, err := one.Read()
			if err != nil {
				check.Fault(t, err, fault.BadRequest)
			}
			if len(text) > skill.MaxFile {
				t.Errorf("%s has %d bytes", one.Path, len(text))
			}
		}
	})
}
