//go:build oldest_protocol

package protocol

// Version is that of the release before. A program that is built with this tag does what that
// one did in a cluster, as far as the two differ by the version of the protocol.
const Version = Oldest
