package session_test

import (
	"bytes"
	"fmt"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/session"
)

// jsonFiles returns a file system with JSON in all of its forms.
func jsonFiles(t *testing.T) vfs.FS {
	t.Helper()
	var lines, late, nested bytes.Buffer
	for i := range 20_000 { // the last rows are beyond any sample
		fmt.Fprintf(&late, "{\"n\":%d%100s}\n", i, "")
	}
	late.WriteString("{\"n\":0.5,\"late\":true}\n")
	for i := range 20_000 {
		fmt.Fprintf(&nested, "{\"n\":[%d],\"of\":[{\"a\":\"%90s\"}]}\n", i, "")
	}
	nested.WriteString("{\"n\":[1.5,null],\"of\":[{\"z\":[true],\"at\":\"2024-02-29\"},{\"b\":{\"c\":7}}],\"more\":[]}\n")
	lines.WriteString(`{"id": 1, "at": {"city": "Oslo", "day": "2024-02-29"}, "tags": ["a", "b\u0021"], "no": "007", "x": "12"}
{"id": 2.5, "at": {"city": ""}, "tags": [], "no": "008", "x": "13"}

{"at": null, "id": -3, "no": null, "ok": true, "x": "", "list": [1, [2]]}
`)
	fs := memory("/t.jsonl", lines.String())
	for name, content := range map[string]string{
		"/late.ndjson": late.String(), "/nested.ndjson": nested.String(), "/array.json": "[\n{\"id\": 7,\n\"ok\": false}, {\"new\": \"\\ud83d\\ude00\"}]",
	} {
		if err := vfs.Replace(fs, name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	return fs
}

func TestJSON(t *testing.T) {
	fs := jsonFiles(t)
	gateway, stop := startCluster()
	defer stop()
	c, err := client.New(client.Config{Gateways: []string{gateway}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for text, want := range map[string]string{
		"FROM '/t.jsonl'": "id,at.city,at.day,tags,no,x,ok,list\n" +
			"1,Oslo,2024-02-29,\"[\"\"a\"\", \"\"b!\"\"]\",007,12,,\n2.5,\"\",,[],008,13,,\n-3,,,,,\"\",true,\"[\"\"1\"\", \"\"[2]\"\"]\"\n",
		`SELECT sum(id) AS s, min("at.day") AS d, count("at.city") AS n, count(x) AS x FROM read_ndjson('/t.jsonl')`:                          "s,d,n,x\n0.5,2024-02-29,2,3\n",
		`SELECT "at.city" || no AS c, len(tags) AS l FROM '/t.jsonl' WHERE "at.day" >= DATE '2024-01-01'`:                                     "c,l\nOslo007,2\n",
		"SELECT t.at.city, at.day FROM '/t.jsonl' t WHERE at.day IS NOT NULL AND EXISTS (SELECT 1 FROM '/array.json' WHERE at.city = 'Oslo')": "city,day\nOslo,2024-02-29\n",
		"SELECT count(*) AS n, sum(n) AS s FROM '/late.ndjson'":                                                                               "n,s\n20001,199990000.5\n",
		"FROM '/late.ndjson' WHERE n < 1":                                       "n,late\n0,\n0.5,true\n",
		"SELECT n FROM '/late.ndjson' WHERE late":                               "n\n0.5\n",
		"SELECT sum(x) AS s FROM (SELECT unnest(n) AS x FROM '/nested.ndjson')": "s\n199990001.5\n",
		"SELECT of, n FROM '/nested.ndjson' WHERE len(n) > 1":                   "of,n\n\"[{\"\"a\"\": null, \"\"at\"\": \"\"2024-02-29\"\", \"\"b\"\": null, \"\"z\"\": [true]}, {\"\"a\"\": null, \"\"at\"\": null, \"\"b\"\": {\"\"c\"\": 7}, \"\"z\"\": null}]\",\"[1.5, null]\"\n",
		"SELECT id, at, t.at AS too FROM '/t.jsonl' t WHERE at IS NOT NULL": "id,at,too\n" +
			"1,\"{\"\"city\"\": \"\"Oslo\"\", \"\"day\"\": \"\"2024-02-29\"\"}\",\"{\"\"city\"\": \"\"Oslo\"\", \"\"day\"\": \"\"2024-02-29\"\"}\"\n2.5,\"{\"\"city\"\": \"\"\"\", \"\"day\"\": null}\",\"{\"\"city\"\": \"\"\"\", \"\"day\"\": null}\"\n",
		"SELECT at, count(*) AS n FROM '/t.jsonl' GROUP BY at ORDER BY at.city NULLS LAST":                    "at,n\n\"{\"\"city\"\": \"\"\"\", \"\"day\"\": null}\",1\n\"{\"\"city\"\": \"\"Oslo\"\", \"\"day\"\": \"\"2024-02-29\"\"}\",1\n,1\n",
		"SELECT * EXCLUDE (at, tags, list) FROM '/t.jsonl' WHERE id = 1":                                      "id,no,x,ok\n1,007,12,\n",
		"SELECT at.* FROM '/t.jsonl' WHERE id = 1":                                                            "city,day\nOslo,2024-02-29\n",
		"SELECT max(t) AS m FROM '/late.ndjson' t WHERE t.late":                                               "m\n\"{\"\"n\"\": 0.5, \"\"late\"\": true}\"\n",
		"SELECT more, of[1].z AS z FROM '/nested.ndjson' WHERE of[2].b.c = 7 AND year(of[1].at) = 2024":       "more,z\n[],[true]\n",
		"FROM read_json('/t.jsonl', columns = {at: 'STRUCT(day DATE)', list: 'BIGINT[]', tags: 'VARCHAR[]'})": "at,list,tags\n\"{\"\"day\"\": \"\"2024-02-29\"\"}\",,\"[\"\"a\"\", \"\"b!\"\"]\"\n\"{\"\"day\"\": null}\",,[]\n,\"[1, null]\",\n",
		"SELECT id, new, ok FROM read_json(['/t.jsonl', '/array.json']) ORDER BY id NULLS LAST":               "id,new,ok\n-3,,true\n1,,\n2.5,,\n7,,false\n,😀,\n",
		"FROM read_json('/t.jsonl', columns = {no: 'BIGINT', \"at.city\": 'VARCHAR'})":                        "no,at.city\n7,Oslo\n8,\"\"\n,\n",
	} {
		for i, o := range []session.Config{{Memory: 16 << 20, Replicas: 3}, {Memory: 256 << 20, Replicas: 1}} {
			if testing.Short() && i > 0 {
				break
			}
			o.FS, o.Own, o.SpillDir, o.MaxRejects = fs, fs, "/spill", -1
			ses := session.New(o)
			if got, err := answer(t, ses, text); err != nil || got != want {
				t.Errorf("%s is %q, want %q; error %v", text, got, want, err)
			}
			if o.Replicas == 1 {
				continue
			}
			asked, err := ses.Prepare(t.Context(), text, nil)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			stream, err := answers.NewStream(&out, answers.Options{Format: answers.CSV, Queries: 1})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := asked.RunOn(t.Context(), c, stream); err != nil {
				t.Errorf("%s on a cluster: %v", text, err)
			} else if err := stream.Finish(); err != nil || out.String() != want {
				t.Errorf("%s on a cluster is %q, want %q; error %v", text, out.String(), want, err)
			}
			if err := asked.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
