#!/bin/bash
# Creates the passwords and keys of this installation once, in volumes that are mounted only by the services that need
# them. A value set in the environment (or in .env) is used instead of a generated one.
set -euo pipefail
folder=${SECRETS_FOLDER:-/secrets}

generate() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }

write() { # FILE VALUE
  mkdir -p "$(dirname "$folder/$1")"
  printf '%s' "$2" >"$folder/$1.new"
  chmod 444 "$folder/$1.new"
  mv -f "$folder/$1.new" "$folder/$1"
}

secret() { # NAME FILE: the value given as NAME, or the one the file already has, or a new one
  local given=${!1:-}
  if [ -n "$given" ]; then
    # These characters do not need escaping in a URL or in JSON.
    if ! [[ $given =~ ^[A-Za-z0-9_-]{16,}$ ]]; then
      echo "$1: use at least 16 letters, digits, - and _. \`openssl rand -hex 32\` makes one." >&2
      exit 1
    fi
    write "$2" "$given"
  elif [ ! -s "$folder/$2" ]; then
    write "$2" "$(generate)"
  fi
}
value() { cat "$folder/$1"; }

secret POSTGRES_PASSWORD postgres/password
secret TAPELINE_OWNER_PASSWORD postgres/owner-password
secret TAPELINE_APP_PASSWORD postgres/app-password
secret TEMPORAL_DATABASE_PASSWORD postgres/temporal-password
secret APP_SECRET app/app-secret
secret S3_SECRET_ACCESS_KEY app/s3-secret-access-key
# Other services issue these, so they are never generated. Empty if there are none.
write owner/backup-key "${BACKUP_KEY:-}"
write owner/backup-s3-secret-access-key "${BACKUP_S3_SECRET_ACCESS_KEY:-}"
write app/oidc-client-secret "${OIDC_CLIENT_SECRET:-}"
write app/temporal-api-key "${TEMPORAL_API_KEY:-}"
write app/chat-model-key "${CHAT_MODEL_KEY:-}"
write app/smtp-url "${SMTP_URL:-smtp://mail:1025}"

database=postgres:5432/tapeline
write app/database-url "${DATABASE_URL:-postgresql://tapeline_app:$(value postgres/app-password)@$database}"
write owner/database-admin-url "${DATABASE_ADMIN_URL:-${DATABASE_URL:-postgresql://tapeline_owner:$(value postgres/owner-password)@$database}}"
write temporal/password "$(value postgres/temporal-password)"
# What deploy/s3/policy.json allows: objects of one bucket, and nothing about buckets.
bucket=${S3_BUCKET:-tapeline}
write storage/s3.json "$(
  cat <<JSON
{
  "identities": [
    {
      "name": "tapeline",
      "credentials": [
        { "accessKey": "${S3_ACCESS_KEY_ID:-tapeline}", "secretKey": "$(value app/s3-secret-access-key)" }
      ],
      "actions": ["Read:$bucket", "Write:$bucket", "List:$bucket"]
    }
  ]
}
JSON
)"
