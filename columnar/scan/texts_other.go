//go:build !amd64

package scan

import "analyzer/columnar/number"

const copiesTexts = false

func copyTexts([]byte, []int32, *number.Cells, int) int { return 0 }
