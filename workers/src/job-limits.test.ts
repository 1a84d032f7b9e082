import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { openLake } from '@tapeline/lake/lake.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withinLimits } from './job-limits.ts';

const ENDLESS = 'SELECT count(*) FROM range(100000000000000) r(i) WHERE i % 7 = 3';
const HELD = 'CREATE TABLE held AS SELECT md5(i::VARCHAR) || md5((i + 1)::VARCHAR) AS t FROM range(3000000) r(i)';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limits-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function failureOf(statement: string, options: { seconds?: number; signal?: AbortSignal; spill?: string } = {}) {
  const { seconds = 60, signal = new AbortController().signal, spill = 'nothing' } = options;
  const lake = await openLake({ threads: 1, memoryLimit: '64MiB', spillLimit: spill, spillFolder: folder });
  try {
    return await withinLimits({ what: 'The preview', seconds, signal }, (watch) =>
      lake.connected(async (connection) => {
        const unwatch = watch(connection);
        await connection.run(statement).finally(unwatch);
        return null;
      }),
    ).catch((error: unknown) => error);
  } finally {
    lake.close();
  }
}

describe('a job', () => {
  test('that is cancelled interrupts DuckDB and fails as cancelled', async () => {
    const controller = new AbortController();
    const failing = failureOf(ENDLESS, { signal: controller.signal });
    controller.abort(new Error('cancelled by a person'));
    expect(await failing).toEqual(new Error('cancelled by a person'));
  });

  test('that exceeds its time is refused with a message', async () => {
    const failure = await failureOf(ENDLESS, { seconds: 0.2 });
    expect(isRefusal(failure) && failure.message).toBe(
      'The preview took longer than 0.2 seconds and was stopped. Use fewer rules or shorter texts, or split the file.',
    );
  });

  test.each([['nothing'], ['32MiB']])('that needs more than its memory and %s of disk is refused', async (spill) => {
    const failure = await failureOf(HELD, { spill });
    expect(isRefusal(failure) && failure.message).toBe(
      'The preview needs more memory than a job can use. Use fewer rules or shorter texts, or split the file.',
    );
  });

  test('that fits its memory and disk completes', async () => {
    expect(await failureOf(HELD, { spill: '2GiB' })).toBeNull();
  });

  test('that fails for another reason keeps its error', async () => {
    expect(await failureOf('SELECT nonsense')).toMatchObject({ message: expect.stringContaining('Binder Error') });
  });
});
