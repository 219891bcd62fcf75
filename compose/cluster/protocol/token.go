package protocol

import (
	"context"

	"google.golang.org/grpc/metadata"
)

// AuthorizationKey is the metadata key that a token is sent under.
const AuthorizationKey = "authorization"

// BearerPrefix goes before the token.
const BearerPrefix = "Bearer "

// Anyone is the owner of the jobs at a gateway that asks for no token.
const Anyone = "anyone"

// WithToken returns a context whose outgoing calls show a token; none if it is "".
func WithToken(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, AuthorizationKey, BearerPrefix+token)
}
