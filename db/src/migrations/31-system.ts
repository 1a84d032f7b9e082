import { Migration } from '@mikro-orm/migrations';
import { EVERYTHING, oneOf, SYSTEM_ONLY, table } from './tenant-table.ts';

/** Which worker processes are running, and what kinds of work they take. */
const heartbeats = table({
  name: 'worker_heartbeats',
  history: { exempt: 'It belongs to the program; no tenant has rows in it.' },
  columns: {
    id: 'text primary key check (length({column}) between 1 and 200)',
    queues: 'text[] not null check (cardinality({column}) between 1 and 8)',
    seen_at: 'timestamptz not null',
  },
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
});

/** Steps of jobs that failed and are not tried again, for administrators and for whoever waits for the job. */
const failures = table({
  name: 'job_failures',
  history: { exempt: 'It is a log of the program; no tenant has rows in it.' },
  columns: {
    id: 'object_id primary key',
    activity: 'text not null check (char_length({column}) between 1 and 100)',
    job: 'text not null check (char_length({column}) between 1 and 300)',
    reason: 'text not null check (char_length({column}) between 1 and 1000)',
    times: 'integer not null default 1 check ({column} > 0)',
    first_at: 'timestamptz not null',
    last_at: 'timestamptz not null',
  },
  // A reason can be longer than an entry of an index.
  indexes: ['unique (activity, job, md5(reason))', '(last_at desc)', '(job)'],
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

/** When backups were last made, and when restoring one was last tried. */
const runs = table({
  name: 'backup_runs',
  history: { exempt: 'It is a record of the system; no tenant has rows in it.' },
  columns: {
    kind: `${oneOf(['backup', 'restoreTest'])} primary key`,
    succeeded_at: 'timestamptz',
    failed_at: 'timestamptz',
    failure: 'text check (char_length({column}) between 1 and 1000)',
  },
  read: EVERYTHING,
  write: SYSTEM_ONLY,
});

/** What was sent a moment ago, and the answers to requests with a key, so that none is carried out twice. */
const requests = table({
  name: 'sent_requests',
  history: { exempt: 'It is a memory of the program, for a day.' },
  columns: {
    id: `text primary key check ({column} ~ '^[0-9a-f]{64}$')`,
    request: `text not null check ({column} ~ '^[0-9a-f]{64}$')`,
    status: 'integer check ({column} between 200 and 299)',
    answer: 'text',
    transaction: 'xid8 not null default pg_current_xact_id()',
    sent_at: 'timestamptz not null default clock_timestamp()',
  },
  indexes: ['(sent_at)'],
  read: SYSTEM_ONLY,
  write: SYSTEM_ONLY,
});

/** What the system remembers of its own work. No tenant has rows in these tables. */
export class System extends Migration {
  override up(): void {
    this.addSql([heartbeats, failures, runs, requests].join('\n'));
  }
}
