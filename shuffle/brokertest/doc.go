// Package brokertest holds implementations of broker.Broker to the contract of
// package broker. Each has a test here, which gives its harness to the suite.
package brokertest
