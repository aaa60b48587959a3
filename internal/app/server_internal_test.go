package app

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/edge"
)

// TestConnectionsLeaveDescriptors adds up the connections of all addresses.
func TestConnectionsLeaveDescriptors(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.OTLPAddr, cfg.MetricsAddr = "127.0.0.1:4317", "127.0.0.1:9090"
	limits := check.Must(connectionLimits(cfg))(t)
	descriptors := check.Must(edge.Descriptors())(t)
	for _, descriptors := range []int{256, 512, 1024, descriptors} {
		grpc, metrics := sideConnections(cfg, descriptors)
		if rest := edge.Available(descriptors) - grpc - metrics; grpc < 1 || metrics < 1 || rest < grpc/2 {
			t.Errorf("%d descriptors: %d for gRPC, %d for metrics, %d for the rest", descriptors, grpc, metrics, rest)
		}
	}
	if grpc, metrics := sideConnections(cfg, descriptors); limits.Total+grpc+metrics > edge.Available(descriptors) {
		t.Errorf("%d connections, %d for gRPC, %d for metrics, of %d", limits.Total, grpc, metrics, edge.Available(descriptors))
	}
}
