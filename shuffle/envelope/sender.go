package envelope

import "fmt"

// SenderKind says what kind of task sent a message.
type SenderKind uint8

// The kinds of senders.
const (
	// Scan is a scan of a table that a client uploads; ids are the numbers of its
	// batches, whichever gateway sends them.
	Scan SenderKind = 1
	// Stage is a replica of a stage; ids are the numbers of its pages.
	Stage SenderKind = 2
)

// Sender identifies who numbers messages. It is comparable, so it can be a map key.
type Sender struct {
	Kind    SenderKind
	Number  int // of the scan's node or of the stage in the plan
	Replica int // of the stage; 0 for a scan
}

// ScanSender is the sender of the batches of a scan node's table.
func ScanSender(node int) Sender { return Sender{Kind: Scan, Number: node} }

// StageSender is one replica of a stage.
func StageSender(stage, replica int) Sender {
	return Sender{Kind: Stage, Number: stage, Replica: replica}
}

// String returns scan3, or stage2.1 for replica 1 of stage 2.
func (s Sender) String() string {
	switch s.Kind {
	case Scan:
		return fmt.Sprintf("scan%d", s.Number)
	case Stage:
		return fmt.Sprintf("stage%d.%d", s.Number, s.Replica)
	}
	return fmt.Sprintf("sender(%d)%d.%d", s.Kind, s.Number, s.Replica)
}
