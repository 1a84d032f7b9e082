import { expect, it, vi } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

const CALCULATED_WITHIN_MS = 300_000;

const tenant = ownTenant();

it('a facility shows why its pool changed between two certificates', async () => {
  const { tapes, transaction } = await createTwoNotes(tenant.manager);
  const screens = await screensOf(tenant.emails.manager);
  const overview = async () => {
    const page = await screens.get(paths.transaction(transaction));
    expect(page.status).toBe(200);
    return read(page);
  };
  // The first certificate has none before it, and nothing was drawn that the chart could show.
  const first = await overview();
  expect(first).toContain('Not enough to draw yet');
  expect(first).not.toContain('Pool since');

  const row = (id: string, balance: number) =>
    tapes.loan({ 'Loan ID': id, 'Borrower ID': id, 'Original Amount': 1000, 'Principal Balance': balance });
  // Of the four loans of the first tape, L-1 has paid, L-2 is gone, and L-9 is new.
  const next = await tapes.publish([row('L-1', 400), row('L-3', 500), row('L-4', 500), row('L-9', 250.5)], {
    cutOffDate: '2017-04-30',
    name: 'a-month-later.xlsx',
  });
  expect((await tenant.manager.post('/LTP/calculateBB', { loanTapeId: next })).status).toBe(201);
  await vi.waitFor(async () => expect(await overview()).toContain('Pool since 31 Mar'), {
    timeout: CALCULATED_WITHIN_MS,
    interval: 500,
  });
  const text = await overview();
  expect(text).toContain('Opening pool, 31 Mar 4 2,200.00');
  expect(text).toMatch(
    /(Added late|Originated) \+1 250\.50 Principal collected 1 −100\.00 No longer reported, unexplained −1 −700\.00/,
  );
  expect(text).toContain('Closing pool, 30 Apr 4 1,650.50');
});
