package deploy

import (
	"slices"
	"testing"

	"analyzer/columnar/vfs"
)

// Secrets that are there stay, since a broker keeps the password that it was first started with.
func TestWriteKeepsSecrets(t *testing.T) {
	disk := vfs.NewMem()
	c := Cluster{Name: "c", Image: "analyzer", BrokerImage: "rabbitmq:4", Workers: 1, Gateways: 1, Brokers: 1, Publish: "127.0.0.1", Port: 8815, Memory: 1 << 30}
	secrets := make(map[string]string)
	for range 2 {
		file, err := Write(disk, disk, "/here", c)
		if err != nil || file != "/here/compose.yaml" {
			t.Fatalf("%q, %v", file, err)
		}
		names, err := disk.List("/here/secrets")
		if err != nil || !slices.Contains(names, secretBroker) {
			t.Fatalf("the secrets are %q, %v", names, err)
		}
		for _, name := range names {
			text, err := vfs.ReadFile(disk, "/here/secrets/"+name)
			if before, there := secrets[name]; err != nil || there && before != string(text) {
				t.Errorf("%s was %q and is %q, %v", name, before, text, err)
			}
			secrets[name] = string(text)
		}
	}
	if names, err := disk.List("/here"); err != nil || !slices.Equal(names, []string{"compose.yaml", "secrets", "topology.json"}) {
		t.Errorf("written were %q, %v", names, err)
	}
}
