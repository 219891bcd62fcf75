package monitor

import "github.com/prometheus/procfs"

// machine tells how busy the machine of this process is, where that has a /proc:
// processes that share processors each have fewer than they may use.
func machine(show func(Metric)) {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return
	}
	stat, err := fs.Stat()
	if err != nil {
		return
	}
	cpu := stat.CPUTotal
	show(Metric{
		Name: "cpu_seconds_total", Help: "Time for which processors of the machine were busy, whoever kept them so.",
		Value: cpu.User + cpu.Nice + cpu.System + cpu.IRQ + cpu.SoftIRQ + cpu.Steal,
	})
	show(Metric{Name: "cpus", Help: "Processors of the machine.", Value: float64(len(stat.CPU))})
	show(Metric{Name: "boot_time_seconds", Help: "When the machine began, as Unix time: processes that share it say the same.", Value: float64(stat.BootTime)})
}
