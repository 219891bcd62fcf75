// Package brokertest holds implementations of broker.Broker to the contract of
// package broker. Each implementation has a test here that runs the suite with its harness.
package brokertest
