//go:build !amd64

package number

func plain([]int64, int, []byte, []int32, int, *form) int { return 0 }

func plainFloats([]float64, []byte, []int32, int) int { return 0 }

func dates([]int64, int, []byte, []int32, int) int { return 0 }
