//go:build !race

package clustertest

const race = false
