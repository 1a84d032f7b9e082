import { CANCELLED_CALCULATION } from '@tapeline/domain/tapes/calculation-state.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiAnswer, expectRefusal } from '../api-client.ts';
import { whileWorkersHalt } from '../halted-workers.ts';
import { ownTenant } from '../tenant.ts';
import { createTwoNotes, isOpen, type TwoNotes } from '../two-notes.ts';
import { isRunning } from '../workflows.ts';

const tenant = ownTenant();
let notes: TwoNotes;
beforeAll(async () => {
  notes = await createTwoNotes(tenant.manager);
});

describe('a running calculation', () => {
  const cancel = () =>
    tenant.manager.call('DELETE', '/LTP/assets/deleteProcess', {
      body: { loanTapeId: notes.tape, removePublished: false },
    });

  /**
   * Cancels the calculation while the workers are paused. Null if it had already finished, or if a worker was paused
   * within a transaction that locks the tape.
   */
  async function cancelInTime(): Promise<{ answer: Promise<ApiAnswer> } | null> {
    expect((await tenant.manager.post('/LTP/calculateBB', { loanTapeId: notes.tape })).status).toBe(201);
    const hasBegun = async () =>
      (await notes.statuses()).some(isOpen) || !(await isRunning(`borrowing-bases/${notes.tape}`));
    await expect.poll(hasBegun, { interval: 5 }).toBe(true);
    const cancelled = await whileWorkersHalt(async () => {
      const open = (await notes.statuses()).filter(isOpen);
      if (open.length === 0) return null;
      const answer = cancel();
      const isEnded = await vi
        .waitFor(async () => expect((await notes.statuses()).some(isOpen)).toBe(false), { timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
      if (!isEnded) return { answer, isEnded };
      const ended = (await notes.statuses()).filter(({ noteTitle }) =>
        open.some((entry) => entry.noteTitle === noteTitle),
      );
      for (const { failure, status } of ended) expect([status, failure]).toEqual(['Pending', CANCELLED_CALCULATION]);
      return { answer, isEnded };
    });
    if (!cancelled || cancelled.isEnded) return cancelled;
    await cancelled.answer;
    await expect.poll(async () => (await notes.statuses()).some(isOpen)).toBe(false);
    return null;
  }

  it('is cancelled by the process call, which leaves the tape as it is', async () => {
    let cancelled = await cancelInTime();
    for (let tries = 0; !cancelled && tries < 20; tries += 1) cancelled = await cancelInTime();
    const answer = await cancelled?.answer;
    expect([answer?.status, answer?.json]).toEqual([200, { ids: [notes.tape] }]);
    expect(await notes.tapes.finished(notes.tape)).toMatchObject({ processStatus: 'Completed', failure: null });
    expect((await tenant.manager.post('/LTP/calculateBB', { loanTapeId: notes.tape })).status).toBe(201);
    await expect
      .poll(async () => (await notes.statuses()).map(({ status }) => status))
      .toEqual(['Completed', 'Completed']);
    // Its workflow ends a moment after the last note.
    await expect.poll(() => isRunning(`borrowing-bases/${notes.tape}`)).toBe(false);
    expectRefusal(await cancel(), 400, /This tape is published/);
  });
});
