#!/bin/bash
# Run by the PostgreSQL image on an empty data folder. Creates the owner that runs migrations, the program's role
# (neither owner nor superuser, so that row-level security applies to it), and Temporal's own user. Running it again
# resets their passwords. No other role connects to the database.
set -euo pipefail
folder=${SECRETS_FOLDER:-/secrets}
psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" \
  --set owner_password="$(cat "$folder/owner-password")" \
  --set app_password="$(cat "$folder/app-password")" \
  --set temporal_password="$(cat "$folder/temporal-password")" <<'SQL'
select format('create role %I', name) from unnest('{tapeline_owner,tapeline_app,temporal}'::text[]) as name
  where not exists (select from pg_roles where rolname = name) \gexec
alter role tapeline_owner login createdb nosuperuser password :'owner_password';
alter role tapeline_app login nosuperuser nobypassrls password :'app_password';
alter role temporal login createdb password :'temporal_password';
select 'create database tapeline owner tapeline_owner' where not exists (select from pg_database where datname = 'tapeline') \gexec
revoke connect on database tapeline from public;
grant connect on database tapeline to tapeline_app;
SQL
