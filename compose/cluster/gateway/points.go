package gateway

// The named points at which a test can end the process: the moments between which
// what client, broker and gateway know differ.
const (
	PointOpened      = "gateway-opened"       // every worker takes part in a job, the client was not told
	PointAccept      = "gateway-accept"       // a batch was read, nothing of it was forwarded
	PointHalfForward = "gateway-half-forward" // some of its messages were handed over, not all
	PointPreAck      = "gateway-pre-ack"      // all were confirmed, the client was not told
)

// Points returns all points.
func Points() []string { return []string{PointOpened, PointAccept, PointHalfForward, PointPreAck} }
