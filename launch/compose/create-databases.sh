#!/bin/bash
# Run once by the PostgreSQL image on an empty data folder: the owner who migrates, the program's role (neither owner nor
# superuser, so that row-level security holds for it) and Temporal's own user.
set -euo pipefail
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" \
  --set owner_password="$TAPELINE_OWNER_PASSWORD" \
  --set app_password="$TAPELINE_APP_PASSWORD" \
  --set temporal_password="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
create role tapeline_owner login nosuperuser password :'owner_password';
create role tapeline_app login nosuperuser nobypassrls password :'app_password';
create role temporal login createdb password :'temporal_password';
create database tapeline owner tapeline_owner;
SQL
