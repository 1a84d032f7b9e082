import pg from 'pg';
import { vi } from 'vitest';

/** How many statements this process sends to PostgreSQL while the work runs. @throws Error if it sends none */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    if (sent.mock.calls.length === 0) throw new Error('no statement was counted');
    return sent.mock.calls.length;
  } finally {
    sent.mockRestore();
  }
}
