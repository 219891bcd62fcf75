package envelope

import "fmt"

// SenderKind says what kind of task sent a message.
type SenderKind uint8

// The kinds of senders.
const (
	// Scan is a scan of a split of a table; ids are the numbers of the
	// split's batches, whichever gateway sends them.
	Scan SenderKind = 1
	// Stage is a replica of a stage; ids are the numbers of its pages.
	Stage SenderKind = 2
)

// Sender identifies who numbers messages. It is comparable, so it can be a map key.
type Sender struct {
	Kind    SenderKind
	Number  int // of the scan's node or of the stage in the plan
	Replica int // of the stage; for a scan, the split of its table
}

// ScanSender is the sender of the batches of a split of a scan node's table.
func ScanSender(node, split int) Sender { return Sender{Kind: Scan, Number: node, Replica: split} }

// StageSender is one replica of a stage.
func StageSender(stage, replica int) Sender {
	return Sender{Kind: Stage, Number: stage, Replica: replica}
}

// String returns scan3.0 for the first split of the table of scan 3, or stage2.1 for replica 1 of stage 2.
func (s Sender) String() string {
	switch s.Kind {
	case Scan:
		return fmt.Sprintf("scan%d.%d", s.Number, s.Replica)
	case Stage:
		return fmt.Sprintf("stage%d.%d", s.Number, s.Replica)
	}
	return fmt.Sprintf("sender(%d)%d.%d", s.Kind, s.Number, s.Replica)
}
