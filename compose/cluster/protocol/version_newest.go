//go:build !oldest_protocol

package protocol

// Version is the newest version of the protocol that this program speaks (see Oldest).
const Version = 20
