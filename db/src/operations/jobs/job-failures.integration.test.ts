import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Session, SYSTEM } from '../../store.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { forgetJobFailures, listJobFailures, recordJobFailure } from './job-failures.ts';

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
  const reason = Array.from(randomBytes(1000), (byte, place) =>
    String.fromCodePoint(0x4e00 + byte * 64 + (place % 64)),
  ).join('');
  const failure = { activity: 'checkDraw', job: 'draw/3', reason };
  await asJobs((session) => recordJobFailure(session, failure));
  await asJobs((session) => recordJobFailure(session, failure));
  const listed = await asJobs(listJobFailures);
  expect(listed.filter(({ job }) => job === 'draw/3')).toMatchObject([{ reason, times: 2 }]);
});
