package envelope

import (
	"encoding/hex"
	"fmt"
)

// String returns the job's name, 32 lower-case hexadecimal digits.
func (j JobID) String() string { return hex.EncodeToString(j[:]) }

// ParseJobID reads the name of a job. It takes what String returns and nothing
// else, so that a name that was parsed may be a part of a path or a queue.
func ParseJobID(name string) (JobID, error) {
	var j JobID
	if len(name) != 2*len(j) {
		return JobID{}, fmt.Errorf("job name of %d characters, %d expected", len(name), 2*len(j))
	}
	for i := range len(name) {
		if c := name[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return JobID{}, fmt.Errorf("job name %q is not of the digits 0-9 and a-f", name)
		}
	}
	_, err := hex.Decode(j[:], []byte(name))
	return j, err
}

// MarshalText writes the job's name.
func (j JobID) MarshalText() ([]byte, error) { return []byte(j.String()), nil }

// UnmarshalText reads a job's name as ParseJobID does.
func (j *JobID) UnmarshalText(text []byte) (err error) {
	*j, err = ParseJobID(string(text))
	return err
}
