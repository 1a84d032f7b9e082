#!/bin/sh
# Creates the namespace if it is not there. Its workflows are kept for RETENTION after they end.
set -eu
temporal operator cluster health --address "$TEMPORAL_ADDRESS"
if ! temporal operator namespace describe --namespace "$NAMESPACE" --address "$TEMPORAL_ADDRESS" >/dev/null 2>&1; then
  temporal operator namespace create --namespace "$NAMESPACE" --retention "$RETENTION" --address "$TEMPORAL_ADDRESS"
fi
