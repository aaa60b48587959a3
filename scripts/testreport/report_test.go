package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		events   string
		packages int
		flags    string
		ci       bool
		want     string
		good     bool
	}{
		{
			name: "all passed",
			events: `{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"noise\n"}
{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":0.5}
{"Action":"pass","Package":"m/a","Elapsed":0.75}
{"Action":"skip","Package":"m/b","Elapsed":0}`,
			want: `[1 0s] ok    m/a  0.75s
[2 0s] -     m/b  no tests
longest packages:
   0.75s  m/a
   0.00s  m/b
slowest tests:
   0.50s  m/a TestOne
1 passed, 0 failed, 0 skipped
`,
			good: true,
		},
		{
			name: "a subtest failed: it counts, its parent does not",
			events: `{"Action":"output","Package":"m/a","Test":"TestOne","Output":"=== RUN TestOne\n"}
{"Action":"output","Package":"m/a","Test":"TestOne/good","Output":"fine\n"}
{"Action":"pass","Package":"m/a","Test":"TestOne/good","Elapsed":0.1}
{"Action":"output","Package":"m/a","Test":"TestOne/bad","Output":"got 1, want 2\n"}
{"Action":"fail","Package":"m/a","Test":"TestOne/bad","Elapsed":0.2}
{"Action":"fail","Package":"m/a","Test":"TestOne","Elapsed":0.3}
{"Action":"fail","Package":"m/a","Elapsed":0.4}`,
			want: `
--- failed: m/a TestOne/bad
=== RUN TestOne
got 1, want 2
--- repeat: go test -count=1 -run '^TestOne$/^bad$' m/a

[1 0s] FAIL  m/a  0.40s

--- failed: m/a TestOne/bad
=== RUN TestOne
got 1, want 2
--- repeat: go test -count=1 -run '^TestOne$/^bad$' m/a

longest packages:
   0.40s  m/a
slowest tests:
   0.20s  m/a TestOne/bad
   0.10s  m/a TestOne/good
1 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "a test and its subtests failed",
			events: `{"Action":"pass","Package":"m/a","Test":"TestOne/good","Elapsed":0.1}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"after all\n"}
{"Action":"fail","Package":"m/a","Test":"TestOne","Elapsed":0.3}
{"Action":"fail","Package":"m/a","Elapsed":0.4}`,
			want: `
--- failed: m/a TestOne
after all
--- repeat: go test -count=1 -run '^TestOne$' m/a

[1 0s] FAIL  m/a  0.40s

--- failed: m/a TestOne
after all
--- repeat: go test -count=1 -run '^TestOne$' m/a

longest packages:
   0.40s  m/a
slowest tests:
   0.30s  m/a TestOne
   0.10s  m/a TestOne/good
1 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "a package that does not build",
			events: `{"ImportPath":"m/a [m/a.test]","Action":"build-output","Output":"a.go:1: undefined: x\n"}
{"ImportPath":"m/a [m/a.test]","Action":"build-fail"}
{"Action":"output","Package":"m/a","Output":"FAIL m/a [build failed]\n"}
{"Action":"fail","Package":"m/a","Elapsed":0,"FailedBuild":"m/a [m/a.test]"}`,
			want: `
--- failed: m/a
a.go:1: undefined: x
FAIL m/a [build failed]
--- repeat: go test -count=1 m/a

[1 0s] FAIL  m/a  0.00s

--- failed: m/a
a.go:1: undefined: x
FAIL m/a [build failed]
--- repeat: go test -count=1 m/a

longest packages:
   0.00s  m/a
slowest tests:
   0.00s  m/a
0 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "cut short",
			events: `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestOne"}
{"Action":"output","Package":"m/a","Test":"TestOne","Output":"working\n"}`,
			want: `
--- failed: m/a TestOne
working
--- repeat: go test -count=1 -run '^TestOne$' m/a

longest packages:
   0.00s  m/a
slowest tests:
   0.00s  m/a TestOne
0 passed, 1 failed, 0 skipped
`,
		},
		{
			name: "a skip at home",
			events: `{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":0.1}
{"Action":"skip","Package":"m/a","Test":"TestTwo","Elapsed":0}
{"Action":"pass","Package":"m/a","Elapsed":0.2}`,
			want: `[1 0s] ok    m/a  0.20s
longest packages:
   0.20s  m/a
slowest tests:
   0.10s  m/a TestOne
   0.00s  m/a TestTwo
skipped: m/a TestTwo
1 passed, 0 failed, 1 skipped
`,
			good: true,
		},
		{
			name: "a skip in CI",
			events: `{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":0.1}
{"Action":"skip","Package":"m/a","Test":"TestTwo","Elapsed":0}
{"Action":"pass","Package":"m/a","Elapsed":0.2}`,
			ci: true,
			want: `[1 0s] ok    m/a  0.20s
longest packages:
   0.20s  m/a
slowest tests:
   0.10s  m/a TestOne
   0.00s  m/a TestTwo
skipped: m/a TestTwo
1 passed, 0 failed, 1 skipped
`,
		},
		{
			name:     "progress, and flags of the commands that repeat failures",
			packages: 3,
			flags:    "-race",
			events: `{"Time":"2026-03-01T10:00:00Z","Action":"start","Package":"m/a"}
{"Time":"2026-03-01T10:00:20Z","Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":20}
{"Time":"2026-03-01T10:00:21Z","Action":"pass","Package":"m/a","Elapsed":21}
{"Time":"2026-03-01T10:01:00.4Z","Action":"fail","Package":"m/b","Test":"TestTwo/it's_one","Elapsed":1}
{"Time":"2026-03-01T10:01:01Z","Action":"fail","Package":"m/b","Test":"TestTwo","Elapsed":1}
{"Time":"2026-03-01T10:01:05Z","Action":"fail","Package":"m/b","Elapsed":44}`,
			want: `[1/3 21s] ok    m/a  21.00s

--- failed: m/b TestTwo/it's_one
--- repeat: go test -count=1 -race -run '^TestTwo$/^it'\''s_one$' m/b

[2/3 1m5s] FAIL  m/b  44.00s

--- failed: m/b TestTwo/it's_one
--- repeat: go test -count=1 -race -run '^TestTwo$/^it'\''s_one$' m/b

longest packages:
  44.00s  m/b
  21.00s  m/a
slowest tests:
  20.00s  m/a TestOne
   1.00s  m/b TestTwo/it's_one
1 passed, 1 failed, 0 skipped
`,
		},
		{
			name:   "nothing ran",
			events: "go: cannot find main module\n",
			want: `go: cannot find main module
longest packages:
slowest tests:
0 passed, 0 failed, 0 skipped
`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			r := newReport(&out, test.packages, test.flags)
			if err := r.read(strings.NewReader(test.events)); err != nil {
				t.Fatal(err)
			}
			good, err := r.write(test.ci)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out.String()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			if good != test.good {
				t.Errorf("good = %v, want %v", good, test.good)
			}
		})
	}
}
