package envelope

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJobNames(t *testing.T) {
	const name = "00112233445566778899aabbccddeeff"
	job, err := ParseJobID(name)
	if err != nil || job.String() != name || job[1] != 0x11 || job[15] != 0xff {
		t.Errorf("parsed %v, %v", job, err)
	}
	for _, bad := range []string{
		"", name[1:], name + "0", strings.ToUpper(name), "../" + name[3:], name[:31] + "g",
		name[:31] + "\x00", name[:30] + "é", " " + name[1:], "0x" + name[2:],
	} {
		if got, err := ParseJobID(bad); err == nil || got != (JobID{}) {
			t.Errorf("%q is taken for job %s, %v", bad, got, err)
		}
	}
}

func TestJobNamesInJSON(t *testing.T) {
	want := JobID{3: 4}
	text, err := json.Marshal(want)
	if err != nil || string(text) != `"00000004000000000000000000000000"` {
		t.Errorf("%s, %v", text, err)
	}
	var got JobID
	if err := json.Unmarshal(text, &got); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	if err := json.Unmarshal([]byte(`"x"`), &got); err == nil {
		t.Error("a name that is none is taken")
	}
}
