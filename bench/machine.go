package bench

import (
	"fmt"
	"runtime"

	"analyzer/columnar/budget"
)

// Machine describes the machine that measurements were taken on.
type Machine struct {
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Memory    int64  `json:"memory"`   // bytes
	Platform  string `json:"platform"` // such as linux/amd64
}

// String describes the machine in one line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, %d GiB, %s", m.Processor, m.Cores, (m.Memory+1<<29)>>30, m.Platform)
}

// Same reports whether times of two machines may be compared. Their memory is compared in
// whole GiB, since a system may keep some for itself.
func (m Machine) Same(o Machine) bool {
	return m.Processor == o.Processor && m.Cores == o.Cores && m.Platform == o.Platform && (m.Memory+1<<29)>>30 == (o.Memory+1<<29)>>30
}

// ThisMachine describes the machine that this runs on.
func ThisMachine() Machine {
	return Machine{
		Processor: processor(), Cores: runtime.GOMAXPROCS(0), Memory: budget.MachineMemory(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}
