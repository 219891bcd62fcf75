package plan

import (
	"fmt"
	"strconv"
)

// Version is the version of the JSON form of plans. Marshalling always writes CurrentVersion,
// whatever the value. Unmarshalling rejects any other version.
type Version int

// CurrentVersion is the version that this program reads and writes. It must change when an
// older program would misread a plan.
const CurrentVersion Version = 4

// MarshalJSON writes the current version.
func (Version) MarshalJSON() ([]byte, error) {
	return strconv.AppendInt(nil, int64(CurrentVersion), 10), nil
}

// UnmarshalJSON reads the current version and refuses any other.
func (v *Version) UnmarshalJSON(text []byte) error {
	if string(text) != strconv.Itoa(int(CurrentVersion)) {
		return fmt.Errorf("a plan of version %s; this program reads version %d", text, CurrentVersion)
	}
	*v = CurrentVersion
	return nil
}
