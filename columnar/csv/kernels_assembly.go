//go:build amd64 || arm64

package csv

// classifyBy wraps a loop in assembly as a classifier.
func classifyBy(loop func(dst *word, src *byte, n int, s *summary)) classifier {
	return func(dst []word, src []byte, s *summary) {
		if len(dst) > 0 {
			_ = src[len(dst)*wordBytes]
			loop(&dst[0], &src[0], len(dst), s)
		}
	}
}

// extractBy wraps a loop in assembly as an extractor.
func extractBy(loop func(dst *int32, words *word, n int, flip uint64, base int32) (ends, newlines int)) extractor {
	return func(dst []int32, words []word, flip uint64, base int32) (ends, newlines int) {
		if len(words) == 0 {
			return 0, 0
		}
		_ = dst[len(words)*wordBytes+extractSlack-1]
		return loop(&dst[0], &words[0], len(words), flip, base)
	}
}
