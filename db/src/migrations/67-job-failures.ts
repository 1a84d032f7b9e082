import { Migration } from '@mikro-orm/migrations';
import { EVERYTHING, SYSTEM_ONLY, table } from './tenant-table.ts';

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

/** Steps of jobs that failed and are not tried again, for administrators and for whoever waits for the job. */
export class JobFailures extends Migration {
  override up(): void {
    this.addSql(failures);
  }
}
