package budget

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX of the system.
type memoryStatus struct {
	length, load uint32
	total        uint64 // of the machine
	_            [6]uint64
}

// installed returns the bytes of memory that the machine has; 0: unknown.
func installed() int64 {
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	ask := windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := ask.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return 0
	}
	return int64(s.total)
}
