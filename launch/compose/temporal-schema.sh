#!/bin/sh
# Creates Temporal's two databases if they are not there, and brings their tables to the version of this image.
set -eu
SQL_PASSWORD=$(cat "${SECRETS_FOLDER:-/secrets}/password")
export SQL_PASSWORD

for database in temporal:temporal temporal_visibility:visibility; do
  tool() {
    temporal-sql-tool --plugin postgres12 --endpoint "$POSTGRES_HOST" --port 5432 --user temporal --database "${database%:*}" "$@"
  }
  tool create-database
  tool setup-schema --version 0.0
  tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/${database#*:}/versioned"
done
