package deploy

import (
	"fmt"
	"maps"
)

// Kubernetes writes the objects of a cluster, for Kubernetes 1.28 or newer with the
// operator of RabbitMQ (https://www.rabbitmq.com/kubernetes/operator/operator-overview).
// Who starts a process again is Kubernetes; there are no clients among them.
func Kubernetes(c Cluster) ([]byte, error) {
	return document(fmt.Sprintf(kubernetesComment, c.tokens()),
		c.rabbitmq(),
		c.service("worker", object{"clusterIP": "None", "ports": ports("monitor", monitorPort)}),
		c.workers(),
		c.service("gateway", object{"ports": ports("flight", listenPort)}),
		c.gateways(),
		c.budget("worker"), c.budget("gateway"),
		c.policy("worker", nil),
		c.policy("gateway", []object{{"ports": []object{{"port": "flight"}}}}),
	)
}

const kubernetesComment = `# A cluster of analyzer, written by "analyzer compose --format kubernetes"; edit the
# command, not this file. Who may call the gateways is a secret of your own, a file of
# lines of a name and a token of 16 characters or more:
#
#   kubectl create secret generic %s --from-file=tokens
`

// monitor is where probes ask, at the address of the pod.
func monitor() string { return fmt.Sprintf(":%d", monitorPort) }

func (c *Cluster) tokens() string { return c.Name + "-tokens" }

// rabbitmq is the broker, of which the operator makes a stateful set, a service and
// a secret that holds its user.
func (c *Cluster) rabbitmq() object {
	return object{
		"apiVersion": "rabbitmq.com/v1beta1", "kind": "RabbitmqCluster", "metadata": c.metadata("broker"),
		"spec": object{
			"replicas":  c.Brokers,
			"resources": resources(brokerMemory),
			"rabbitmq": object{"additionalConfig": "cluster_partition_handling = pause_minority\n" +
				"vm_memory_high_watermark.relative = 0.6\ndisk_free_limit.absolute = 1GB\n"},
		},
	}
}

func (c *Cluster) workers() object {
	spec := c.controller("worker", c.Workers, object{
		"args":         append(c.flags("worker"), "--http", monitor(), "--replica=$(REPLICA)"),
		"volumeMounts": []object{{"name": "state", "mountPath": "/state"}, {"name": "tmp", "mountPath": "/tmp"}},
	}, object{"name": "tmp", "emptyDir": object{}})
	spec["serviceName"] = c.Name + "-worker"
	spec["podManagementPolicy"] = "Parallel" // no worker waits for another one
	spec["volumeClaimTemplates"] = []object{{
		"metadata": object{"name": "state"},
		"spec": object{
			"accessModes": []string{"ReadWriteOnce"},
			"resources":   object{"requests": object{"storage": "20Gi"}},
		},
	}}
	return object{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": c.metadata("worker"), "spec": spec}
}

func (c *Cluster) gateways() object {
	spec := c.controller("gateway", c.Gateways, object{
		"args":         append(c.flags("gateway"), "--http", monitor(), "--token-file", "/etc/analyzer/tokens"),
		"volumeMounts": []object{{"name": "tokens", "mountPath": "/etc/analyzer", "readOnly": true}, {"name": "tmp", "mountPath": "/tmp"}},
	}, object{"name": "tmp", "emptyDir": object{}}, object{"name": "tokens", "secret": object{"secretName": c.tokens()}})
	return object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": c.metadata("gateway"), "spec": spec}
}

// controller is the specification of a set of pods of one container each. own is
// what only this role's container has.
func (c *Cluster) controller(role string, replicas int, own object, volumes ...object) object {
	ports := []object{{"name": "monitor", "containerPort": monitorPort}}
	if role == "gateway" {
		ports = append(ports, object{"name": "flight", "containerPort": listenPort})
	}
	container := object{
		"name": role, "image": c.Image, "env": c.environment(role), "ports": ports,
		"resources":     resources(c.Memory + beside),
		"livenessProbe": probe("/healthz"), "readinessProbe": probe("/readyz"),
		"securityContext": object{
			"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true,
			"capabilities": object{"drop": []string{"ALL"}},
		},
	}
	maps.Copy(container, own)
	return object{
		"replicas": replicas,
		"selector": object{"matchLabels": c.labels(role)},
		"template": object{
			"metadata": object{"labels": c.labels(role)},
			"spec": object{
				"automountServiceAccountToken":  false, // nothing here asks Kubernetes anything
				"terminationGracePeriodSeconds": 15,
				"securityContext": object{
					"runAsNonRoot": true, "runAsUser": nobody, "runAsGroup": nobody, "fsGroup": nobody,
					"seccompProfile": object{"type": "RuntimeDefault"},
				},
				"topologySpreadConstraints": []object{{
					"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway",
					"labelSelector": object{"matchLabels": c.labels(role)},
				}},
				"containers": []object{container},
				"volumes":    volumes,
			},
		},
	}
}

// environment tells a process where the broker is, whose user the operator has made,
// and a worker which replica it is.
func (c *Cluster) environment(role string) []object {
	ofBroker := func(key string) object {
		return object{"secretKeyRef": object{"name": c.Name + "-broker-default-user", "key": key}}
	}
	env := []object{
		{"name": "BROKER_USER", "valueFrom": ofBroker("username")},
		{"name": "BROKER_PASSWORD", "valueFrom": ofBroker("password")},
		{"name": "ANALYZER_BROKER", "value": fmt.Sprintf("amqp://$(BROKER_USER):$(BROKER_PASSWORD)@%s-broker:%d", c.Name, brokerPort)},
	}
	if role == "worker" {
		index := object{"fieldRef": object{"fieldPath": "metadata.labels['apps.kubernetes.io/pod-index']"}}
		env = append(env, object{"name": "REPLICA", "valueFrom": index})
	}
	return env
}

// service gives the pods of a role a name.
func (c *Cluster) service(role string, spec object) object {
	spec["selector"] = c.labels(role)
	return object{"apiVersion": "v1", "kind": "Service", "metadata": c.metadata(role), "spec": spec}
}

// budget lets those who maintain machines take one pod of a role away at a time.
func (c *Cluster) budget(role string) object {
	return object{
		"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": c.metadata(role),
		"spec": object{"maxUnavailable": 1, "selector": object{"matchLabels": c.labels(role)}},
	}
}

// policy lets the pods of a role be called as said, by probes of their own machine,
// which no policy keeps out, and by nobody else; and lets them call the broker and
// the service of names alone.
func (c *Cluster) policy(role string, ingress []object) object {
	broker := object{"podSelector": object{"matchLabels": object{"app.kubernetes.io/name": c.Name + "-broker"}}}
	names := []object{{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}}
	if ingress == nil {
		ingress = []object{}
	}
	return object{
		"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": c.metadata(role),
		"spec": object{
			"podSelector": object{"matchLabels": c.labels(role)},
			"policyTypes": []string{"Ingress", "Egress"},
			"ingress":     ingress,
			"egress":      []object{{"to": []object{broker}, "ports": []object{{"port": brokerPort}}}, {"ports": names}},
		},
	}
}

func (c *Cluster) metadata(role string) object {
	return object{"name": c.Name + "-" + role, "labels": c.labels(role)}
}

func (c *Cluster) labels(role string) object {
	return object{"app.kubernetes.io/name": "analyzer", "app.kubernetes.io/instance": c.Name, "app.kubernetes.io/component": role}
}

func ports(name string, port int) []object {
	return []object{{"name": name, "port": port, "targetPort": name}}
}

func probe(path string) object {
	return object{"httpGet": object{"path": path, "port": "monitor"}, "periodSeconds": 5, "timeoutSeconds": 5, "failureThreshold": 3}
}

// resources asks for all the memory that may be taken: state is not given back when
// a machine runs short.
func resources(memory int64) object {
	m := object{"memory": mebibytes(memory, "Mi")}
	return object{"requests": m, "limits": m}
}
