// Command kubernetes reads Kubernetes objects from its input and holds them to the types that
// Kubernetes has for them, and to what the tests of package deploy want. It is a module of its
// own, so that analyzer does not require those of Kubernetes.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = check(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// rabbitmqCluster holds the fields of the operator's resource that are used:
// https://www.rabbitmq.com/kubernetes/operator/using-operator.
type rabbitmqCluster struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   map[string]any `json:"metadata"`
	Spec       struct {
		Replicas  int32                       `json:"replicas"`
		Resources corev1.ResourceRequirements `json:"resources"`
		Rabbitmq  struct {
			AdditionalConfig string `json:"additionalConfig"`
		} `json:"rabbitmq"`
	} `json:"spec"`
}

// typed returns a value of the type of an object.
func typed(of metav1.TypeMeta) (any, error) {
	switch kind := of.APIVersion + " " + of.Kind; kind {
	case "apps/v1 StatefulSet":
		return new(appsv1.StatefulSet), nil
	case "apps/v1 Deployment":
		return new(appsv1.Deployment), nil
	case "v1 Service":
		return new(corev1.Service), nil
	case "policy/v1 PodDisruptionBudget":
		return new(policyv1.PodDisruptionBudget), nil
	case "networking.k8s.io/v1 NetworkPolicy":
		return new(networkingv1.NetworkPolicy), nil
	case "rabbitmq.com/v1beta1 RabbitmqCluster":
		return new(rabbitmqCluster), nil
	default:
		return nil, fmt.Errorf("no type is known for %q", kind)
	}
}

// check reads every object into its type, which refuses fields that it does not have and
// values of another type, and looks at the pods.
func check(text []byte) error {
	var found []error
	pods := 0
	for one := range bytes.SplitSeq(text, []byte("\n---\n")) {
		object, err := read(one)
		found = append(found, err)
		switch v := object.(type) {
		case *appsv1.StatefulSet:
			found, pods = append(found, checkPod(v.Spec.Template.Spec)), pods+1
		case *appsv1.Deployment:
			found, pods = append(found, checkPod(v.Spec.Template.Spec)), pods+1
		}
	}
	if pods != 2 {
		found = append(found, fmt.Errorf("%d kinds of pods, want those of workers and gateways", pods))
	}
	return errors.Join(found...)
}

func read(text []byte) (any, error) {
	var of metav1.TypeMeta
	if err := yaml.Unmarshal(text, &of); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	object, err := typed(of)
	if err != nil {
		return nil, err
	}
	if err := yaml.UnmarshalStrict(text, object); err != nil {
		return nil, fmt.Errorf("%s: %w", of.Kind, err)
	}
	return object, nil
}

// checkPod holds a pod to naming only what it has, and to rights that it needs.
func checkPod(pod corev1.PodSpec) error {
	var found []error
	wrong := func(format string, args ...any) { found = append(found, fmt.Errorf(format, args...)) }
	container := pod.Containers[0]
	for _, p := range []*corev1.Probe{container.LivenessProbe, container.ReadinessProbe} {
		if !slices.ContainsFunc(container.Ports, func(c corev1.ContainerPort) bool { return c.Name == p.HTTPGet.Port.StrVal }) {
			wrong("%s is probed at port %s, which it does not have", container.Name, p.HTTPGet.Port.StrVal)
		}
	}
	for _, m := range container.VolumeMounts {
		ofPod := slices.ContainsFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name })
		if !ofPod && m.Name != "state" {
			wrong("%s mounts %s, which is not there", container.Name, m.Name)
		}
	}
	if sc := container.SecurityContext; sc == nil || !*sc.ReadOnlyRootFilesystem || *sc.AllowPrivilegeEscalation {
		wrong("%s may do what it need not", container.Name)
	}
	reads := slices.Contains(container.Args, "s3://bucket/2026") && len(container.EnvFrom) == 1
	if reads != (container.Name == "gateway") {
		wrong("%s runs %q with %v", container.Name, container.Args, container.EnvFrom)
	}
	return errors.Join(found...)
}
