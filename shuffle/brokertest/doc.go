// Package brokertest holds implementations of broker.Broker to the contract of
// package broker.
package brokertest
