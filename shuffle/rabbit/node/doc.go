// Package node runs a RabbitMQ server of its own: for a cluster on one
// machine, and for tests. It uses the server that is installed, which install.sh
// does on Debian and Ubuntu, but nothing of that server's own configuration.
//
// A node listens on the loopback interface only, keeps everything in one
// directory, needs no rights beyond that directory, has a password of its own,
// and has an Erlang port mapper (epmd) of its own, so that nodes do not see each
// other. It dies with the process that started it.
package node
