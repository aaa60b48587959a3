package script

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOrdinaryPython runs what people use, with all restrictions in force.
func TestOrdinaryPython(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ code, want string }{
		"json":       {"import json\njson.loads(json.dumps({'a': [1, 2.5, None]}))", `{"a":[1,2.5,null]}`},
		"re":         {"import re\nre.findall(r'\\w+', 'a bc')", `["a","bc"]`},
		"math":       {"import math, statistics, fractions\n[math.isqrt(17), statistics.mean([1, 2, 3]), str(fractions.Fraction(1, 3))]", `[4,2,"1/3"]`},
		"decimal":    {"from decimal import Decimal\nstr(Decimal('0.1') + Decimal('0.2'))", `"0.3"`},
		"datetime":   {"import datetime, calendar\n[datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone.utc).isoformat(), calendar.isleap(2024)]", `["2024-02-29T00:00:00+00:00",true]`},
		"now":        {"import datetime, time\n[datetime.datetime.now().year > 2020, time.time() > 0, time.monotonic() > 0, time.localtime().tm_year > 2020]", `[true,true,true,true]`},
		"sleep":      {"import time\ntime.sleep(0.01)\n1", "1"},
		"hashes":     {"import hashlib, hmac, base64, zlib\n[hashlib.sha256(b'a').hexdigest()[:8], base64.b64encode(b'a').decode(), zlib.crc32(b'a')]", `["ca978112","YQ==",3904355907]`},
		"random":     {"import random, secrets, uuid\n[random.random() < 1, len(secrets.token_hex(4)), len(str(uuid.uuid4()))]", `[true,8,36]`},
		"text":       {"import textwrap, difflib, string, unicodedata, html\n[textwrap.shorten('a b c d', 6), unicodedata.name('a'), html.escape('<')]", `["[...]","LATIN SMALL LETTER A","&lt;"]`},
		"tables":     {"import csv, io\nlist(csv.reader(io.StringIO('a,b\\n1,2')))", `[["a","b"],["1","2"]]`},
		"xml":        {"import xml.etree.ElementTree as e\ne.fromstring('<a><b>x</b></a>').find('b').text", `"x"`},
		"urls":       {"from urllib.parse import urlparse, quote\n[urlparse('http://a/b').path, quote('a b')]", `["/b","a%20b"]`},
		"classes":    {"import dataclasses, enum, typing, functools, itertools, collections, heapq, copy\n@dataclasses.dataclass\nclass P:\n    x: int\ndataclasses.asdict(P(1))", `{"x":1}`},
		"logging":    {"import logging, warnings, traceback, inspect\nlogging.getLogger().warning('x')\n1", "1"},
		"asyncio":    {"import asyncio\nasync def f(x):\n    await asyncio.sleep(0.01)\n    return x\nreturn await asyncio.gather(f(1), f(2))", "[1,2]"},
		"timeout":    {"import asyncio\ntry:\n    await asyncio.wait_for(asyncio.sleep(60), 0.01)\nexcept asyncio.TimeoutError:\n    return 'late'", `"late"`},
		"alarm":      {"import signal\ndef late(*_): raise TimeoutError\nsignal.signal(signal.SIGALRM, late)\ntry:\n    signal.setitimer(signal.ITIMER_REAL, 0.01)\n    while True: pass\nexcept TimeoutError:\n    return 'late'", `"late"`},
		"memory":     {"a = bytearray(80 << 20)\nb = [i for i in range(100000)]\n[len(a), len(b)]", "[83886080,100000]"},
		"collection": {"import gc\nfor i in range(30): a = [object() for _ in range(100000)]\ngc.collect() >= 0", "true"},
		"database":   {"import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('select 1 + 1').fetchone()[0]", "2"},
		"pickle":     {"import pickle, struct\n[pickle.loads(pickle.dumps({'a': 1})), struct.pack('<H', 1).hex()]", `[{"a":1},"0100"]`},
		"zip":        {"import zipfile, gzip, io\nb = io.BytesIO()\nwith zipfile.ZipFile(b, 'w') as z: z.writestr('a', 'x')\n[zipfile.ZipFile(b).read('a').decode(), gzip.decompress(gzip.compress(b'x')).decode()]", `["x","x"]`},
		"system":     {"import os, sys, platform, locale\n[os.cpu_count() > 0, len(os.urandom(4)), os.path.exists('/nowhere'), platform.python_implementation()]", `[true,4,false,"CPython"]`},
		"pipe":       {"import os\nr, w = os.pipe()\nos.write(w, b'x')\nos.read(r, 1).decode()", `"x"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []*Runner{newPython(t, Options{}), newRunner(t, Options{Python: "/usr/bin/python3"})} {
				if diff := cmp.Diff(test.want, value(t, r, py(test.code))); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
