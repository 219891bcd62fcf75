package main

import (
	"cmp"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/vfs/remote"
	"analyzer/compose/cluster/deploy"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/fault"
	"analyzer/datasets/catalog"
	"analyzer/process"
	"analyzer/shuffle/broker"
)

// Names of flags that messages are about.
const (
	flagPublish  = "publish"
	flagInsecure = "insecure"
	flagHosts    = "hosts"
)

// Defaults of a written deployment.
const (
	usualDeployment = "worker=2,gateway=1,supervisor=0,broker=1,client=0"
	usualDeployed   = 1 << 30

	usualDockerGroup = 999
)

func composeCommand(p *program) *cli.Command {
	cluster := deploy.Cluster{Name: "analyzer", Image: "analyzer", BrokerImage: "rabbitmq:4", Publish: process.Loopback, Port: 8815, Queues: broker.Classic}
	format, insecure := "compose", false
	var replicas, sources, hosts []string
	return &cli.Command{
		Name: "compose", Usage: "write what Docker Compose, Kubernetes or computers run",
		Description: "Prints them. With --output it writes the Compose file into a directory, together with the secrets\n" +
			"that the file refers to; passwords that are there already are kept. With --hosts it writes the topology\n" +
			"of these computers and their secrets, for “cluster start”.",
		Flags: []cli.Flag{
			settings.List(&replicas, flagReplicas, "how many nodes of each role: `ROLE=N`", usualDeployment),
			settings.OneOf(&format, "format", []string{"compose", "kubernetes"}, flagFormat, "write `FORMAT`: compose or kubernetes", format),
			settings.List(&hosts, flagHosts, "run on these computers, each with supervisor=N supervisors: `NAME=ADDRESS`", ""),
			queueTypeFlag(&cluster.Queues),
			p.memoryFlag("each worker and gateway", "1GiB"),
			settings.Text(&cluster.Name, "name", "call the cluster `NAME`", cluster.Name),
			settings.Into(&cluster.Port, strconv.Atoi, "port", "publish gateways on port `N` and those after it", strconv.Itoa(cluster.Port)),
			settings.Text(&cluster.Publish, flagPublish, "publish gateways on the address `IP` of the host; others than its own need --tls-cert", cluster.Publish),
			settings.Plain(flagTLSCert, "gateways encrypt, with the certificate chain in the PEM `FILE`, for the names gateway-0 and so on, if there are clients", ""),
			settings.Plain(flagTLSKey, "and with the key of the certificate in the PEM `FILE`", ""),
			sourceFlag(&sources),
			settings.Switch(&insecure, flagInsecure, "let other machines call gateways that do not encrypt"),
			settings.Text(&cluster.Image, "image", "run `IMAGE`, which “make image” makes", cluster.Image),
			settings.Text(&cluster.BrokerImage, "broker-image", "run `IMAGE` as the broker", cluster.BrokerImage),
			settings.Text(&p.output, flagOutput, "write into `DIR`", ""), p.quietFlag(),
			settings.ConfigFlag(),
		},
		Action: p.action(func(*cli.Context, []string) error {
			cluster.Memory = cmp.Or(p.memory, usualDeployed)
			cluster.Datasets, cluster.DockerGroup = catalog.Names(), dockerGroup()
			d := deployment{p, cluster, format == "kubernetes"}
			if err := d.countRoles(replicas); err != nil {
				return err
			}
			on, err := d.parseHosts(hosts, replicas)
			if err != nil {
				return err
			}
			if i := slices.IndexFunc(on, func(h deploy.Host) bool { return !net.ParseIP(h.Address).IsLoopback() }); i >= 0 {
				d.Publish = on[i].Address
			}
			if err := d.encrypt(insecure); err != nil {
				return err
			}
			if err := d.place(sources); err != nil {
				return err
			}
			if on != nil {
				return d.writeHosts(on)
			}
			return d.write()
		}, 0),
	}
}

// deployment writes what starts a cluster elsewhere.
type deployment struct {
	*program
	deploy.Cluster
	kubernetes bool
}

// place sets below what gateways read files for clients.
func (d *deployment) place(sources []string) error {
	for _, source := range sources {
		switch {
		case remote.Is(source):
			d.Buckets = append(d.Buckets, source)
			continue
		case d.kubernetes:
			return d.settings.Wrong(flagSource, "%s is a directory of this machine, and Kubernetes runs gateways on others: name a bucket, s3://bucket/prefix", source)
		}
		full, err := filepath.Abs(source)
		if err != nil {
			return err
		}
		d.Directories = append(d.Directories, full)
	}
	return nil
}

// encrypt sets how gateways encrypt, which they must if other machines can call them.
func (d *deployment) encrypt(insecure bool) error {
	if d.kubernetes {
		if d.settings.Has(flagTLSCert) {
			return d.settings.Wrong(flagTLSCert, "Kubernetes has secrets of its own: kubectl create secret tls %s-tls", d.Name)
		}
		d.TLS = !insecure
		return nil
	}
	ip := net.ParseIP(d.Publish)
	if ip == nil {
		return fault.WrongUsage("Next: --"+flagPublish+" 127.0.0.1, or 0.0.0.0 for all of its addresses.", "--%s: %q is no IP address of the host", flagPublish, d.Publish)
	}
	checked, err := d.serverTLS()
	if err != nil {
		return err
	}
	if d.TLS = checked != nil; !d.TLS {
		if ip.IsLoopback() || insecure {
			return nil
		}
		return fault.WrongUsage("Next: --"+flagTLSCert+" FILE --"+flagTLSKey+" FILE, or --"+flagInsecure+" where nobody listens in.",
			"other machines can call at %s, and tokens and tables would not be encrypted", d.Publish)
	}
	for flag, to := range map[string]*string{flagTLSCert: &d.Certificate, flagTLSKey: &d.Key} {
		_, text, err := d.fileOf(flag)
		if err != nil {
			return err
		}
		*to = string(text)
	}
	return nil
}

// write writes a description of a cluster.
func (d *deployment) write() error {
	text := deploy.Compose
	if d.kubernetes {
		text = deploy.Kubernetes
	}
	switch {
	case d.output == "":
		all, err := text(d.Cluster)
		if err != nil {
			return err
		}
		return d.printf("%s", all)
	case d.kubernetes:
		return d.settings.Wrong(flagOutput, "Kubernetes has secrets of its own: print the objects, | kubectl apply -f -")
	}
	file, err := deploy.Write(d.fs, d.own, d.output, d.Cluster)
	if err == nil {
		d.tellf("Wrote %s and its secrets.\nNext: docker compose -f %s up -d", file, file)
	}
	return err
}

// parseHosts reads names and addresses of computers, and refuses what does not go together with them.
func (d *deployment) parseHosts(named, replicas []string) (hosts []deploy.Host, err error) {
	v, given := d.settings.One(flagHosts)
	if !given {
		return nil, nil
	}
	if d.kubernetes {
		return nil, v.Wrong("Kubernetes places processes by itself")
	}
	if publish, given := d.settings.One(flagPublish); given {
		return nil, publish.Wrong("gateways of --%s listen at the addresses of their computers", flagHosts)
	}
	for _, pair := range replicas {
		if role, _, _ := strings.Cut(pair, "="); role == "broker" || role == "client" {
			return nil, d.settings.Wrong(flagReplicas, "%q: with --%s the broker is one that runs already, and clients are commands", pair, flagHosts)
		}
	}
	for _, pair := range named {
		name, address, _ := strings.Cut(pair, "=")
		if net.ParseIP(address) == nil {
			return nil, v.Wrong("%q: expected NAME=ADDRESS, with an IP address at which the other computers reach it", pair)
		}
		hosts = append(hosts, deploy.Host{Name: name, Address: address})
	}
	return hosts, nil
}

// writeHosts writes what several computers need.
func (d *deployment) writeHosts(hosts []deploy.Host) error {
	if d.output == "" {
		return fault.WrongUsage("Next: add --"+flagOutput+" DIR.", "--%s: the topology and its secrets are files, and no directory is named", flagHosts)
	}
	d.Brokers, d.Supervisors = 0, cmp.Or(d.Supervisors, 2)
	file, err := deploy.WriteHosts(d.fs, d.own, d.output, d.Cluster, hosts)
	if err == nil {
		d.tellf("Wrote %s and its secrets.\nNext: copy %s to each of the computers, and start what is theirs with ANALYZER_BROKER set, as here on %s:\n  %s cluster start --%s %s --%s %s",
			file, d.output, hosts[0].Name, name, flagTopology, file, flagHost, hosts[0].Name)
	}
	return err
}

// countRoles sets how many processes each role has.
func (d *deployment) countRoles(replicas []string) error {
	counts := []roleCount{
		{"worker", &d.Workers, 1, protocol.MaxReplicas},
		{"gateway", &d.Gateways, 1, 64},
		{"supervisor", &d.Supervisors, 0, 9},
		{"broker", &d.Brokers, 1, 9},
		{"client", &d.Clients, 0, 64},
	}
	given, _ := d.settings.One(flagReplicas)
	for _, pair := range append(strings.Split(usualDeployment, ","), replicas...) {
		role, number, _ := strings.Cut(pair, "=")
		i := slices.IndexFunc(counts, func(c roleCount) bool { return c.role == role })
		if i < 0 {
			return given.Wrong("%q is not ROLE=N of a role that there is: worker, gateway, supervisor, broker, client", pair)
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < counts[i].least || n > counts[i].most {
			return given.Wrong("%q: expected %d to %d", pair, counts[i].least, counts[i].most)
		}
		*counts[i].n = n
	}
	return nil
}

// roleCount is the number of processes of a role, with its bounds.
type roleCount struct {
	role        string
	n           *int
	least, most int
}
