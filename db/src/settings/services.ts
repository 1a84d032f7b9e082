import {
  ALL,
  choice,
  filePath,
  mailAddress,
  matching,
  number,
  onOff,
  PROGRAMS,
  postgresAddress,
  SERVING,
  setting,
  text,
  webAddress,
  words,
} from './kinds.ts';

/** The services that every installation needs. */
export const SERVICE_SETTINGS = {
  DATABASE_URL: setting(postgresAddress, {
    group: 'PostgreSQL',
    meaning:
      'The connection of the program: a role that is neither owner nor superuser. Required; `npm start` has its own.',
    usual: 'none',
    usedBy: ALL,
    isSecret: true,
    hasFile: true,
  }),
  DATABASE_ADMIN_URL: setting(postgresAddress, {
    group: 'PostgreSQL',
    meaning: 'The connection of the owner of the tables, for migrations, backups and restores.',
    usual: '`DATABASE_URL`',
    usedBy: ['commands', 'launcher'],
    isSecret: true,
    hasFile: true,
  }),
  DATABASE_POOL_SIZE: setting(number(1, 200), {
    group: 'PostgreSQL',
    meaning: 'Connections of one process. Each web process holds one more to listen for changes.',
    usual: '`10`',
    usedBy: PROGRAMS,
  }),

  TEMPORAL_ADDRESS: setting(
    words(
      'host:port',
      /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/,
      'a host and a port, such as temporal.example.com:7233',
    ),
    { group: 'Temporal', meaning: 'The Temporal server.', usual: '`127.0.0.1:7233`', usedBy: ALL },
  ),
  TEMPORAL_NAMESPACE: setting(words('name', /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, 'the name of a Temporal namespace'), {
    group: 'Temporal',
    meaning: 'The namespace. It must exist.',
    usual: '`default`',
    usedBy: ALL,
  }),
  TEMPORAL_TLS: setting(onOff, {
    group: 'Temporal',
    meaning: 'Whether to connect with TLS.',
    usual: '`on` with a certificate or an API key, else `off`',
    usedBy: SERVING,
  }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: setting(filePath, {
    group: 'Temporal',
    meaning: 'Certificates (PEM) of the authority that signed the server’s certificate.',
    usual: 'those of the system',
    usedBy: SERVING,
  }),
  TEMPORAL_TLS_SERVER_NAME: setting(text(253, 'host name'), {
    group: 'Temporal',
    meaning: 'The name in the server’s certificate, if it is not the host of `TEMPORAL_ADDRESS`.',
    usual: 'the host of `TEMPORAL_ADDRESS`',
    usedBy: SERVING,
  }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: setting(filePath, {
    group: 'Temporal',
    meaning: 'The client’s certificate (PEM), for mutual TLS. Set it with `TEMPORAL_TLS_CLIENT_KEY_PATH`.',
    usual: 'none',
    usedBy: SERVING,
  }),
  TEMPORAL_TLS_CLIENT_KEY_PATH: setting(filePath, {
    group: 'Temporal',
    meaning: 'The private key (PEM) of the client’s certificate.',
    usual: 'none',
    usedBy: SERVING,
  }),
  TEMPORAL_API_KEY: setting(text(5000), {
    group: 'Temporal',
    meaning: 'The API key, for example of Temporal Cloud. It is sent with TLS only.',
    usual: 'none',
    usedBy: SERVING,
    isSecret: true,
    hasFile: true,
  }),
  TEMPORAL_UI_URL: setting(webAddress(), {
    group: 'Temporal',
    meaning: 'The address of Temporal’s own UI, to which the page of a tape links.',
    usual: 'none',
    usedBy: ['web'],
  }),

  S3_ENDPOINT: setting(webAddress(), {
    group: 'Object storage',
    meaning:
      'The S3-compatible storage, such as `https://s3.eu-central-1.amazonaws.com`. Required in production; elsewhere objects are files in `TAPELINE_HOME` without it.',
    usual: 'none',
    usedBy: PROGRAMS,
  }),
  S3_PUBLIC_ENDPOINT: setting(webAddress(), {
    group: 'Object storage',
    meaning: 'The address at which browsers reach the storage, if it is another one.',
    usual: '`S3_ENDPOINT`',
    usedBy: PROGRAMS,
  }),
  S3_REGION: setting(words('name', /^[a-z0-9-]{1,50}$/, 'the name of a region, such as eu-central-1'), {
    group: 'Object storage',
    meaning: 'The region of the bucket.',
    usual: '`us-east-1`',
    usedBy: PROGRAMS,
  }),
  S3_BUCKET: setting(
    words(
      'name',
      /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/,
      'the name of a bucket: 3 to 63 lower-case letters, digits, dots and dashes',
    ),
    { group: 'Object storage', meaning: 'The bucket. It must exist.', usual: '`tapeline`', usedBy: PROGRAMS },
  ),
  S3_PREFIX: setting(
    matching(
      'path such as `production/`',
      (value) => value.length <= 200 && /^([A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\/)*$/.test(value),
      'empty or a path such as "production/": words, each followed by a slash',
    ),
    {
      group: 'Object storage',
      meaning: 'Prefix of all object keys. Instances that share a bucket need different prefixes.',
      usual: 'none',
      usedBy: PROGRAMS,
    },
  ),
  S3_ACCESS_KEY_ID: setting(text(200), {
    group: 'Object storage',
    meaning:
      'The access key. Without it and `S3_SECRET_ACCESS_KEY`, credentials come from the machine: the role of the instance, container or pod, or the `AWS_` variables.',
    usual: 'those of the machine',
    usedBy: PROGRAMS,
  }),
  S3_SECRET_ACCESS_KEY: setting(text(1000), {
    group: 'Object storage',
    meaning: 'The secret of the access key.',
    usual: 'those of the machine',
    usedBy: PROGRAMS,
    isSecret: true,
    hasFile: true,
  }),

  BACKUP_KEY: setting(
    words('64 hexadecimal digits', /^[0-9a-fA-F]{64}$/, '64 hexadecimal digits; openssl rand -hex 32 creates them'),
    {
      group: 'Backups',
      meaning:
        'Encrypts backups. Keep it apart from them: nothing opens a backup without it. Required with `BACKUP_S3_ENDPOINT`.',
      usual: 'none: backups are not encrypted',
      usedBy: ['commands'],
      isSecret: true,
      hasFile: true,
    },
  ),
  BACKUP_S3_ENDPOINT: setting(webAddress(), {
    group: 'Backups',
    meaning:
      'The S3-compatible storage that backups are stored in, at best of another provider or account than `S3_ENDPOINT`.',
    usual: 'none: backups are files',
    usedBy: ['commands'],
  }),
  BACKUP_S3_REGION: setting(words('name', /^[a-z0-9-]{1,50}$/, 'the name of a region, such as eu-central-1'), {
    group: 'Backups',
    meaning: 'The region of their bucket.',
    usual: '`us-east-1`',
    usedBy: ['commands'],
  }),
  BACKUP_S3_BUCKET: setting(
    words(
      'name',
      /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/,
      'the name of a bucket: 3 to 63 lower-case letters, digits, dots and dashes',
    ),
    { group: 'Backups', meaning: 'Their bucket. It must exist.', usual: '`tapeline-backups`', usedBy: ['commands'] },
  ),
  BACKUP_S3_ACCESS_KEY_ID: setting(text(200), {
    group: 'Backups',
    meaning: 'The access key for their bucket, which is not that of `S3_BUCKET`.',
    usual: 'those of the machine',
    usedBy: ['commands'],
  }),
  BACKUP_S3_SECRET_ACCESS_KEY: setting(text(1000), {
    group: 'Backups',
    meaning: 'The secret of the access key.',
    usual: 'those of the machine',
    usedBy: ['commands'],
    isSecret: true,
    hasFile: true,
  }),
  BACKUP_KEEP_DAILY: setting(number(1, 3650), {
    group: 'Backups',
    meaning: '`npm run backup -- --prune` keeps the latest backup of each of this many days.',
    usual: '`7`',
    usedBy: ['commands'],
  }),
  BACKUP_KEEP_WEEKLY: setting(number(0, 520), {
    group: 'Backups',
    meaning: 'It keeps the latest one of each of this many weeks, from Monday.',
    usual: '`4`',
    usedBy: ['commands'],
  }),
  BACKUP_KEEP_MONTHLY: setting(number(0, 600), {
    group: 'Backups',
    meaning: 'It keeps the latest one of each of this many months.',
    usual: '`12`',
    usedBy: ['commands'],
  }),

  SMTP_URL: setting(mailAddress, {
    group: 'Email',
    meaning:
      'The mail server: `smtps://` for TLS from the start (port 465), `smtp://` for STARTTLS (port 587). A password is sent without encryption to this machine only, unless the address ends with `?ignoreTLS=true`. Required in production; elsewhere emails are also kept in `TAPELINE_HOME/mail`.',
    usual: 'none',
    usedBy: SERVING,
    isSecret: true,
    hasFile: true,
  }),
  MAIL_FROM: setting(
    words(
      'email address',
      /^(?:[^<>\r\n]{1,100} )?<?[^\s<>@]+@[^\s<>@]+>?$/,
      'an address such as Tapeline <no-reply@example.com>',
    ),
    {
      group: 'Email',
      meaning: 'The sender of every email, such as `Tapeline <no-reply@example.com>`.',
      usual: '`Tapeline <no-reply@tapeline.test>`',
      usedBy: SERVING,
    },
  ),

  POSTGRES_PORT: setting(number(0, 65_535), {
    group: 'Embedded services',
    meaning: 'Port of the embedded PostgreSQL; 0 is any free one.',
    usual: '`54320`, or the next free one',
    usedBy: ['launcher'],
  }),
  TEMPORAL_PORT: setting(number(0, 65_535), {
    group: 'Embedded services',
    meaning: 'Port of the embedded Temporal server.',
    usual: '`7233`, or the next free one',
    usedBy: ['launcher'],
  }),
  TEMPORAL_UI_PORT: setting(number(0, 65_535), {
    group: 'Embedded services',
    meaning: 'Port of its UI.',
    usual: '`8233`, or the next free one',
    usedBy: ['launcher'],
  }),
  TEMPORAL_CLI: setting(filePath, {
    group: 'Embedded services',
    meaning: 'Temporal’s CLI, which contains the embedded server.',
    usual: 'found or fetched',
    usedBy: ['launcher'],
  }),
  DEMONSTRATION: setting(choice(['on', 'off', 'short']), {
    group: 'Embedded services',
    meaning:
      'Whether the first start loads the demonstration portfolio; `short` leaves out a year of tapes. Never in production.',
    usual: '`on`',
    usedBy: ['launcher'],
  }),
} as const;
