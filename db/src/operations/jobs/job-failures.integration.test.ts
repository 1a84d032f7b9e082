import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import {
  countRecentFailures,
  forgetJobFailures,
  jobFailureOf,
  listJobFailures,
  recordJobFailure,
} from './job-failures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const asJobs = <Result>(work: (session: Session) => Promise<Result>) => database.store.as(SYSTEM, work);

test('a step that succeeds forgets its own failures, and no other of the job', async () => {
  const failures = ['checkDraw', 'restartUnwatchedDraws', 'remindOfDraw'].map((activity) => ({
    activity,
    job: 'draw/1',
    reason: 'It broke',
  }));
  const listed = await asJobs(async (session) => {
    for (const failure of [...failures, { ...failures[0]!, job: 'draw/2' }]) await recordJobFailure(session, failure);
    await forgetJobFailures(session, 'draw/1', ['checkDraw', 'restartUnwatchedDraws']);
    return listJobFailures(session);
  });
  expect(listed.map(({ activity, job }) => `${activity} of ${job}`).sort()).toEqual([
    'checkDraw of draw/2',
    'remindOfDraw of draw/1',
  ]);
});

test('a long reason that does not compress is recorded, and counted when it comes again', async () => {
  // Of three bytes each: more than an entry of an index can have.
  const reason = Array.from(randomBytes(1000), (byte, index) =>
    String.fromCodePoint(0x4e00 + byte * 64 + (index % 64)),
  ).join('');
  const failure = { activity: 'checkDraw', job: 'draw/3', reason };
  await asJobs((session) => recordJobFailure(session, failure));
  await asJobs((session) => recordJobFailure(session, failure));
  const listed = await asJobs(listJobFailures);
  expect(listed.filter(({ job }) => job === 'draw/3')).toMatchObject([{ reason, times: 2 }]);
});

test('of several jobs the latest failure is found, of all steps or of some', async () => {
  const failure = (activity: string, job: string) => ({ activity, job, reason: `${activity} broke` });
  await asJobs((session) => recordJobFailure(session, failure('rerunFollowUp', 'loan-tape/1/rerun/2')));
  await asJobs((session) => recordJobFailure(session, failure('endRerun', 'loan-tape/1/rerun/2')));
  await asJobs((session) => recordJobFailure(session, failure('rerunFollowUp', 'loan-tape/2/rerun/2')));
  const found = (jobs: string[], activities?: string[]) =>
    asJobs((session) => jobFailureOf(session, jobs, activities)).then((one) => one?.reason ?? null);
  const jobs = ['loan-tape/1', 'loan-tape/1/rerun/2'];
  expect(await found(jobs)).toBe('endRerun broke');
  expect(await found(jobs, ['rerunFollowUp'])).toBe('rerunFollowUp broke');
  expect(await found(jobs, ['notesToCompute'])).toBeNull();
  expect(await found(['loan-tape/3'])).toBeNull();
});

test('steps that failed within the last hour are counted, and no older ones', async () => {
  const before = await asJobs(countRecentFailures);
  const after = await asJobs(async (session) => {
    for (const job of ['draw/20', 'draw/21', 'draw/22'])
      await recordJobFailure(session, { activity: 'checkDraw', job, reason: 'It broke' });
    const age = (job: string, minutes: number) =>
      session.query(`update job_failures set last_at = $1::timestamptz - $2 * interval '1 minute' where job = $3`, [
        session.now,
        minutes,
        job,
      ]);
    await age('draw/21', 59);
    await age('draw/22', 60);
    return countRecentFailures(session);
  });
  expect(after - before).toBe(2);
});
