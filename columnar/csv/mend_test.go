package csv

import "testing"

// Records that begin within one another, since their quotes are not closed, are as many as there are lines,
// and blank lines behind them are counted once.
func TestMended(t *testing.T) {
	for _, data := range []string{
		"h1,h2\n1,\"x\n2,\"y\"\n3,4\n",
		"h1,h2\n1,\"x\n2,\"y\n3,4\n",
		"h1,h2,h3\n1,\"x,u\n2,y,u\n3,\"z,u\n4,w,u\n",
		"h1,h2\n1,\"x\n2,\"y\"\n\n3,4\n",
		"h1,h2\r\n1,\"x\r\n2,\"y\r\n\r\n\r\n3,4\r\n",
		"h1,h2\n,\",\n\n\"a\n\n\n\",a\n\"a,aa,\n\n,",
		"h1,h2\n1,\"x\n2,\"y \"\"z\n3,\"w\"\n4,5\n",
		"h1,h2\n1,\"x\n2,y\n3,4\n",
		"h1,h2\n1,\"x\n2,y\n3,4",
		"h1,h2\r\n1,\"x\r\n2,y\r\n3,4\r\n",
		"h1,h2\n\"1,x\n2,y\n3,4\n\n\n",
		"h1,h2\n1,\"x\n2,\"y\n3,4\n5,\"z\n6,7\n",
		"h1,h2\n1,\"x\n2,y,z\n3,4\n",
	} {
		for _, skip := range []bool{false, true} {
			check(t, []byte(data), newFile([]byte(data)), Options{BlockSize: 1000, SkipBlank: skip}, 1)
		}
	}
}
