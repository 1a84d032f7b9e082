import { writeFile } from 'node:fs/promises';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { IncompleteFile, ThreadEnded } from '@tapeline/sheets/faults.ts';
import { messageOf } from '@tapeline/workflows/failure-message.ts';
import { ACTIVITY_FAILURES, dataFaultMessage, FAILURES } from '@tapeline/workflows/failures.ts';
import { describe, expect, test } from 'vitest';
import { onSecondThread } from './borrowing-base/second-thread.ts';
import { type FailedActivity, failureTypeOf, withFailures } from './failures.ts';

const reported: FailedActivity[] = [];
const withCode = (code: string | number, message = 'it failed') => Object.assign(new Error(message), { code });
const activities = withFailures(
  {
    full: () => writeFile('/dev/full', 'x'),
    refused: () => Promise.reject(new Refusal('badRequest', 'The sheet is empty')),
    unreachable: () => Promise.reject(withCode('ECONNREFUSED')),
    sendDueMail: () => Promise.reject(new Error('the query failed', { cause: withCode('22012', 'division by zero') })),
  },
  async (failed) => void reported.push(failed),
);
const failureOf = async (activity: keyof typeof activities) => {
  reported.length = 0;
  const failure = await activities[activity]().catch((error: unknown) => error);
  return {
    failure,
    said: messageOf(failure, 'The tape could not be processed'),
    reported: reported.map(({ type }) => type),
  };
};

test.runIf(process.platform === 'linux')(
  'a full disk is reported, retried, and named in the final message',
  async () => {
    const { failure, said, reported } = await failureOf('full');
    expect(failure).toMatchObject({ type: 'DiskFull', nonRetryable: false, message: expect.stringContaining('full') });
    expect(said).toBe(
      'The tape could not be processed because a disk or the object storage is full. Nothing half done was kept; free space, and try again.',
    );
    expect(reported).toEqual(['DiskFull']);
  },
);

test('a refusal keeps its message and is not retried', async () => {
  const { failure, said } = await failureOf('refused');
  expect(failure).toMatchObject({ type: 'Refusal', nonRetryable: true, details: [{ code: 'badRequest' }] });
  expect(said).toBe('The sheet is empty');
});

test('a service that does not answer is retried, and said to be a problem on our side', async () => {
  const { failure, said } = await failureOf('unreachable');
  expect(failure).toMatchObject({ type: 'ServiceFault', nonRetryable: false });
  expect(said).toContain('a problem on our side');
});

test('any other error ends the activity with what failed, why, and what to do', async () => {
  const { failure, said, reported } = await failureOf('sendDueMail');
  expect(failure).toMatchObject({ type: 'DataFault', nonRetryable: true });
  expect(said).toBe(
    'Waiting emails could not be sent (division by zero). Retrying does not help. Read the log of the workers, or send this text to support. The next scheduled run tries again.',
  );
  expect(reported).toEqual(['DataFault']);
});

describe('only faults of services and of the machine are tried again', () => {
  test.each([
    ['PostgreSQL closes the connection', withCode('57P01')],
    ['PostgreSQL finds a deadlock', withCode('40P01')],
    ['PostgreSQL has no connection left', withCode('53300')],
    ['the connection to PostgreSQL ends', new Error('Connection terminated unexpectedly')],
    [
      'PostgreSQL is not there, in the words of a client',
      new Error('query failed', { cause: withCode('ECONNREFUSED') }),
    ],
    ['a stream ends before its last byte', withCode('ERR_STREAM_PREMATURE_CLOSE', 'Premature close')],
    ['a stream is written after it was closed', withCode('ERR_STREAM_DESTROYED')],
    ['the object storage has an error', Object.assign(new Error(), { $metadata: { httpStatusCode: 503 } })],
    ['the object storage asks to slow down', Object.assign(new Error(), { name: 'SlowDown' })],
    ['Temporal is unavailable', Object.assign(withCode(14), { name: 'ServiceError' })],
    ['a service does not answer in time', Object.assign(new Error(), { name: 'TimeoutError' })],
    ['a file was evicted', withCode('ENOENT')],
    ['DuckDB cannot read a file', new Error('IO Error: Could not read from file')],
    ['DuckDB has too little memory', new Error('Out of Memory Error: failed to allocate data')],
    ['V8 has too little memory', new RangeError('Array buffer allocation failed')],
  ])('%s', (_, error) => {
    expect(FAILURES[failureTypeOf(error)!].isRetried).toBe(true);
  });

  test.each([
    ['PostgreSQL divides by zero', withCode('22012')],
    ['PostgreSQL gets a number that is too large', withCode('22003')],
    ['a check of a table fails', withCode('23514')],
    ['SQL is wrong', withCode('42703')],
    ['DuckDB overflows', new Error('Out of Range Error: Overflow in multiplication of DECIMAL(18)')],
    ['figures do not add up', new Error('The borrowing base does not add up: 0 is not 1')],
    ['the program has a bug', new TypeError("Cannot read properties of undefined (reading 'x')")],
    ['the storage does not know the request', Object.assign(new Error(), { $metadata: { httpStatusCode: 400 } })],
    ['something is thrown that is no error', 'a text'],
  ])('not if %s', (_, error) => {
    expect(failureTypeOf(error)).toBe('DataFault');
  });

  test('a file cut short until a dead worker has been noticed and replaced', () => {
    const error = new IncompleteFile('a Parquet file is cut off');
    expect([1, 6, 7].map((attempt) => failureTypeOf(error, attempt))).toEqual([
      'ServiceFault',
      'ServiceFault',
      'DataFault',
    ]);
  });

  test('a row that exists a few times: another attempt may have been the reason', () => {
    for (const error of [withCode('23505'), new ThreadEnded('the thread that unpacks ended before it was done')])
      expect([1, 2, 3].map((attempt) => failureTypeOf(error, attempt))).toEqual([
        'ServiceFault',
        'ServiceFault',
        'DataFault',
      ]);
  });

  test('what a second thread meets, as if this thread had met it', async () => {
    const job = { kind: 'texts', files: ['/no/such.parquet'], column: 'id', positions: [0], length: 1 } as const;
    const error: unknown = await onSecondThread(job).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Error', code: 'ENOENT' });
    expect(failureTypeOf(error)).toBe('ServiceFault');
  });

  test('a cancellation is no failure at all', () => {
    expect(failureTypeOf(Object.assign(new Error('aborted'), { name: 'AbortError' }))).toBeNull();
  });
});

test.each(Object.keys(ACTIVITY_FAILURES))('%s: what failed, why and what to do are whole sentences', (activity) => {
  expect(dataFaultMessage(activity, 'it broke')).toMatch(
    /^[A-Z][^.()]+ \(it broke\)\. Retrying does not help\. [A-Z].*(support|support\. The next scheduled run tries again)\.$/,
  );
});
