//go:build !amd64

package number

func (*Cells) plain([]int64, int, int, *form) int { return 0 }

func (*Cells) plainFloats([]float64, int) int { return 0 }

func (*Cells) dates([]int64, int, int) int { return 0 }
