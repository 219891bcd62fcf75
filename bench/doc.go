// Package bench measures runs of workloads over replica counts and memory
// limits.
//
// A Workload is plans and tables, like a data set's queries; some of them exist
// for their state alone, which is several times the memory they are given. Each
// run of a sweep is a Task in a process of its own, so that its peak memory is
// its own, and its time is that of everything from start to exit. The process
// hashes the answers it gets: whatever the replicas and the limit, they must be
// the same bytes, and a Report says whether they were.
package bench
