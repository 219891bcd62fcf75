package stored

import "fmt"

// xzHeadBytes is how long the header of an xz file and that of its first block are at most.
const xzHeadBytes = 12 + 1024

// checkXZ returns an error if the first block of an xz file refers further back than maxWindow.
// Decompression needs as much memory.
func checkXZ(head []byte) error {
	const streamHeader, lzma2 = 12, 0x21
	if len(head) < streamHeader+2 {
		return nil // it ends too early
	}
	at, flags := streamHeader+2, head[streamHeader+1]
	for _, size := range []byte{0x40, 0x80} { // of the block, compressed and not
		if flags&size == 0 {
			continue
		}
		for at < len(head) && head[at]&0x80 != 0 {
			at++
		}
		at++
	}
	if at+2 >= len(head) || head[at] != lzma2 {
		return nil // the decoder refuses other filters
	}
	if bits := head[at+2]; bits > 40 || (2|int64(bits&1))<<(bits/2+11) > maxWindow {
		return fmt.Errorf("it refers back by more than %d bytes: compress the file with xz -9 or less", maxWindow)
	}
	return nil
}
