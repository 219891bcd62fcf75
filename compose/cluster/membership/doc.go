// Package membership lets the processes of a cluster know each other: who lives,
// where its page is, and who leads. Workers, gateways and supervisors gossip; each
// asks others again and again whether they live, so that all know within about two
// seconds that one has died, and nobody needs a list of all.
//
// The leader is the live supervisor of the highest rank. Everybody works that out for
// himself from who lives; nothing is voted on, and for as long as news travel two may
// take themselves for it. That is harmless: leaders do nothing but start processes
// again, and a worker that has a double is refused. A supervisor that comes
// joins the leader it finds, and takes over from one of a lower rank once it has
// lived for a while (Newcomer), so that one that dies at each start never leads while
// another one can.
//
// Any process tells on its page what all of a cluster is like (Page).
package membership
