package envelope

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// String returns the job's name, 32 lower-case hexadecimal digits.
func (j JobID) String() string { return hex.EncodeToString(j[:]) }

// ParseJobID parses the name of a job. It accepts only what String returns, so that a
// parsed name is safe as part of a path or of a queue's name.
func ParseJobID(name string) (JobID, error) {
	if want := 2 * len(JobID{}); len(name) != want {
		return JobID{}, fmt.Errorf("job name of %d characters, %d expected", len(name), want)
	}
	j, err := hex.DecodeString(name)
	if err != nil || name != strings.ToLower(name) {
		return JobID{}, fmt.Errorf("job name %q is not of the digits 0-9 and a-f", name)
	}
	return JobID(j), nil
}

// MarshalText writes the job's name.
func (j JobID) MarshalText() ([]byte, error) { return []byte(j.String()), nil }

// UnmarshalText reads a job's name as ParseJobID does.
func (j *JobID) UnmarshalText(text []byte) (err error) {
	*j, err = ParseJobID(string(text))
	return err
}
