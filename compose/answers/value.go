package answers

import (
	"fmt"

	"analyzer/columnar"
)

// checkWritable returns an error if a column is of a type that answers cannot
// have, such as a sum that is not complete.
func checkWritable(columns columnar.Schema) error {
	for _, c := range columns {
		if !c.Type.Writable() {
			return fmt.Errorf("column %q is %s, which cannot be written", c.Name, c.Type)
		}
	}
	return nil
}
