package deploy

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"analyzer/compose/cluster/supervisor"
	"analyzer/shuffle/broker"
)

func example() Cluster {
	return Cluster{
		Name: "demo", Workers: 3, Gateways: 2, Supervisors: 3, Brokers: 3, Clients: 4, Queues: broker.Quorum,
		Image: "analyzer:1", BrokerImage: "rabbitmq:4", Memory: 512 << 20, Publish: "127.0.0.1", Port: 9000, Datasets: []string{"movies", "steam"},
	}
}

// composeFile is what the tests look at of a Compose file.
type composeFile struct {
	Services map[string]struct {
		Command, Volumes, Secrets, Ports []string
		User, Restart                    string
		ReadOnly                         bool     `yaml:"read_only"`
		CapDrop                          []string `yaml:"cap_drop"`
		Labels                           map[string]string
		Networks                         map[string]struct{ Aliases []string }
	}
	Volumes, Networks map[string]any
	Secrets           map[string]struct{ File string }
}

func readCompose(t *testing.T, c Cluster) (f composeFile) {
	t.Helper()
	text, err := Compose(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &f); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

func TestComposeNamesOnlyWhatThereIs(t *testing.T) {
	c := example()
	f, secrets := readCompose(t, c), makeSecrets(t, c, nil)
	if want := 3 + 2 + 3 + 3 + 4; len(f.Services) != want {
		t.Errorf("%d services, want %d", len(f.Services), want)
	}
	for name, s := range f.Services {
		for _, secret := range s.Secrets {
			if _, ok := f.Secrets[secret]; !ok || secrets[secret] == "" {
				t.Errorf("%s has a secret %q that nobody makes", name, secret)
			}
		}
		for _, v := range s.Volumes {
			volume, _, _ := strings.Cut(v, ":")
			if _, ok := f.Volumes[volume]; !ok && !strings.HasPrefix(volume, "./") && !strings.HasPrefix(volume, "/") {
				t.Errorf("%s has a volume %q that is not there", name, volume)
			}
		}
		if ours := !strings.HasPrefix(name, "broker-"); !s.ReadOnly || ours && s.User != "65532:65532" {
			t.Errorf("%s may write to %v as %q", name, !s.ReadOnly, s.User)
		}
		if !slices.Equal(s.CapDrop, []string{"ALL"}) {
			t.Errorf("%s drops the capabilities %v", name, s.CapDrop)
		}
		if published := len(s.Ports) > 0; published != strings.HasPrefix(name, "gateway-") {
			t.Errorf("%s publishes %v", name, s.Ports)
		}
		if s.Labels["analyzer.cluster"] != c.Name || s.Labels["analyzer.node"] != name {
			t.Errorf("%s has labels %v", name, s.Labels)
		}
	}
	if inside, ok := f.Networks["inside"].(map[string]any); !ok || inside["internal"] != true {
		t.Errorf("the inner network is %v", f.Networks["inside"])
	}
}

// TestSources has gateways, and nobody else, read below directories of the host and buckets.
func TestSources(t *testing.T) {
	c := example()
	c.Directories, c.Buckets = []string{"/data/my files"}, []string{"s3://bucket/2026"}
	text, err := Compose(c)
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Services map[string]struct {
			Command     []string
			Environment any
			Volumes     []any
		}
	}
	if err := yaml.Unmarshal(text, &f); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for name, s := range f.Services {
		if !strings.HasPrefix(name, "gateway-") {
			if slices.Contains(s.Command, "--source") || strings.Contains(fmt.Sprint(s.Environment), "AWS_") {
				t.Errorf("%s runs %q with %v", name, s.Command, s.Environment)
			}
			continue
		}
		for _, source := range []string{"/data/my files", "s3://bucket/2026"} {
			if at := slices.Index(s.Command, source); at < 1 || s.Command[at-1] != "--source" {
				t.Errorf("%s runs %q", name, s.Command)
			}
		}
		mount, ok := s.Volumes[0].(map[string]any)
		if !ok || mount["type"] != "bind" || mount["source"] != "/data/my files" || mount["target"] != "/data/my files" || mount["read_only"] != true {
			t.Errorf("%s mounts %v", name, s.Volumes)
		}
		if fmt.Sprint(s.Environment) != fmt.Sprint(BucketVariables()) {
			t.Errorf("%s has the variables %v", name, s.Environment)
		}
	}
}

// TestEncryption has gateways and clients use the certificate, and nobody else have it.
func TestEncryption(t *testing.T) {
	c := example()
	c.TLS, c.Certificate, c.Key, c.Publish = true, "certificate", "key", "::"
	secrets := makeSecrets(t, c, map[string]string{secretBroker: passwordKey + "x", secretCert: "old"})
	if secrets[secretCert] != c.Certificate || secrets[secretKey] != c.Key {
		t.Errorf("the secrets are %v", secrets)
	}
	for name, s := range readCompose(t, c).Services {
		role, _, _ := strings.Cut(name, "-")
		if got := slices.Contains(s.Command, "--tls-key"); got != (role == "gateway") || got != slices.Contains(s.Secrets, secretKey) {
			t.Errorf("%s runs %q with %v", name, s.Command, s.Secrets)
		}
		if got := slices.Contains(s.Command, "--tls-ca"); got != (role == "client") || got && !slices.Contains(s.Secrets, secretCert) {
			t.Errorf("%s runs %q with %v", name, s.Command, s.Secrets)
		}
		if name == "gateway-1" && !slices.Equal(s.Ports, []string{"[::]:9001:8815"}) {
			t.Errorf("%s publishes %q", name, s.Ports)
		}
	}
}

func TestTopologyIsWhatComposeRuns(t *testing.T) {
	c := example()
	text, err := Topology(c)
	if err != nil {
		t.Fatal(err)
	}
	topology, err := supervisor.ParseTopology(text)
	if err != nil {
		t.Fatal(err)
	}
	f := readCompose(t, c)
	for _, n := range topology.Nodes {
		s, ok := f.Services[n.Name]
		if !ok || s.Labels[supervisor.LabelNode] != n.Name || s.Labels[supervisor.LabelCluster] != topology.Cluster {
			t.Errorf("%s is no service, or has labels %v", n.Name, s.Labels)
		}
		if n.HTTP != "" && !slices.Contains(s.Command, n.HTTP) {
			t.Errorf("%s is asked at %s, but runs %q", n.Name, n.HTTP, s.Command)
		}
	}
	if want := len(f.Services) - c.Clients; len(topology.Nodes) != want {
		t.Errorf("%d nodes are kept alive, want %d", len(topology.Nodes), want)
	}
}

// TestWhatIsInsideStaysInside holds what processes serve for one another to names that
// are of the inner network alone.
func TestWhatIsInsideStaysInside(t *testing.T) {
	for name, s := range readCompose(t, example()).Services {
		for i, arg := range s.Command {
			if arg != "--http" && arg != "--gossip" {
				continue
			}
			host, _, _ := strings.Cut(s.Command[i+1], ":")
			if !slices.Contains(s.Networks["inside"].Aliases, host) || slices.Contains(s.Networks["outside"].Aliases, host) || host == name {
				t.Errorf("%s serves %s %s, on networks %v", name, arg, s.Command[i+1], s.Networks)
			}
		}
	}
}

// TestWhoStartsAgain has Docker start supervisors, which are gone all at once when the host is
// rebooted, and supervisors start the others.
func TestWhoStartsAgain(t *testing.T) {
	c := example()
	for supervisors, want := range map[int]string{0: "unless-stopped", 3: "no"} {
		c.Supervisors = supervisors
		services := readCompose(t, c).Services
		if got := services["worker-1"].Restart; got != want {
			t.Errorf("with %d supervisors a worker is restarted %q by Docker, want %q", supervisors, got, want)
		}
		if s, ok := services["supervisor-0"]; ok && s.Restart != "unless-stopped" {
			t.Errorf("a supervisor is restarted %q by Docker", s.Restart)
		}
	}
}

func makeSecrets(t *testing.T, c Cluster, before map[string]string) map[string]string {
	t.Helper()
	secrets, err := c.Secrets(before)
	if err != nil {
		t.Fatal(err)
	}
	return secrets
}

// TestSecretsStay changes how many brokers there are: they are told so, and all else is
// what it was.
func TestSecretsStay(t *testing.T) {
	c := example()
	c.Brokers = 1
	before := makeSecrets(t, c, nil)
	if again := makeSecrets(t, c, before); !maps.Equal(again, before) {
		t.Error("the same cluster has other secrets the second time")
	}
	c.Brokers = 3
	after := makeSecrets(t, c, before)
	for name, content := range before {
		if (after[name] == content) == (name == secretBroker) {
			t.Errorf("%s was\n%sand is\n%s", name, content, after[name])
		}
	}
	if passwordIn(after[secretBroker]) != passwordIn(before[secretBroker]) || !strings.Contains(after[secretBroker], "nodes.3 = rabbit@broker-2") {
		t.Errorf("the settings of brokers were\n%sand are\n%s", before[secretBroker], after[secretBroker])
	}
	if _, err := c.Secrets(map[string]string{secretBroker: "log.console = true\n"}); err == nil {
		t.Error("settings without a password were taken")
	}
}

func TestSecretsAreSecret(t *testing.T) {
	c := example()
	one, other := makeSecrets(t, c, nil), makeSecrets(t, c, nil)
	for name, content := range one {
		if content == other[name] {
			t.Errorf("%s is the same twice:\n%s", name, content)
		}
	}
	text, err := Compose(c)
	if err != nil {
		t.Fatal(err)
	}
	password := passwordIn(one[secretBroker])
	if len(password) < 16 || bytes.Contains(text, []byte(password)) || !strings.Contains(one[secretSettings], password) {
		t.Errorf("the password of the broker, %q, is short, in the Compose file, or not in the settings", password)
	}
}

// TestKubernetesTypes has a program of a module of its own hold every object to the type that
// its schema is made of, which refuses fields that it does not have and values of another type.
func TestKubernetesTypes(t *testing.T) {
	c := example()
	c.TLS, c.Buckets = true, []string{"s3://bucket/2026"}
	text, err := Kubernetes(c)
	if err != nil {
		t.Fatal(err)
	}
	check := exec.CommandContext(t.Context(), "go", "run", ".")
	check.Dir, check.Stdin = filepath.Join("testdata", "kubernetes"), bytes.NewReader(text)
	if said, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestTrialOnPage holds the lines that docs/operate.md shows of “make compose-test”, which needs Docker, to
// what its script says.
func TestTrialOnPage(t *testing.T) {
	script, err := os.ReadFile("try.sh")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, s := range regexp.MustCompile(`say "(.*)"\n`).FindAllStringSubmatch(strings.ReplaceAll(string(script), " &&", "\n"), -1) {
		said = append(said, regexp.MustCompile(`\\\$(\w+|\\\(.*\\\))`).ReplaceAllString(regexp.QuoteMeta(s[1]), `\S+`))
	}
	page, err := os.ReadFile("../../../docs/operate.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "`make compose-test`")
	_, shown, _ = strings.Cut(shown, "```\n")
	shown, _, _ = strings.Cut(shown, "```")
	says := regexp.MustCompile(`^ *\d+s  (` + strings.Join(said, "|") + `)\n$`)
	if len(said) < 5 || strings.Count(shown, "\n") < 5 {
		t.Fatalf("the script says %q, the page shows\n%s", said, shown)
	}
	for line := range strings.Lines(shown) {
		if line != "…\n" && !says.MatchString(line) {
			t.Errorf("the script does not say %q", line)
		}
	}
}
