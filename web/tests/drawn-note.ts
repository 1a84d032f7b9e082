import { systemActor } from '@tapeline/db/store.ts';
import { addCalculatedTape } from '@tapeline/db/testing/calculated-tape.ts';
import type { ApiClient } from './api-client.ts';
import { productStore } from './product-store.ts';

/** Northwind's senior note with a net borrowing base of 31 October 2026. */
export interface DrawnNote {
  transaction: string;
  noteId: string;
  noteTitle: string;
}

/** Gives the tenant's facility a borrowing base, which may be 500 days old. @param netBB in US dollars */
export async function drawnNote(manager: ApiClient, netBB: string): Promise<DrawnNote> {
  const [facility] = (await manager.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } }))
    .json;
  const note = facility.notes[0];
  const store = await productStore();
  await store.as(systemActor('Test fixture'), async (session) => {
    const { tape } = await addCalculatedTape(session, {
      managerId: facility.assoc.manager.id,
      companyId: facility.company,
      contractId: note.contracts[0].id,
    });
    await session.em.flush();
    await session.query('update borrowing_bases set net_bb = $1 where tape_id = $2', [netBB, tape.id]);
    // The tests draw in several months on this one base.
    await session.query(
      `update transactions set notes = jsonb_set(notes, '{0,tranches,0,terms,maxBaseAgeDays}', '500') where id = $1`,
      [facility.id],
    );
  });
  return { transaction: facility.id, noteId: note.id, noteTitle: note.title };
}

/** A request within the limits of the facility. */
export const drawBody = (note: DrawnNote, sum: number, more: object = {}) => ({
  transaction: note.transaction,
  noteTitle: note.noteTitle,
  cutOffDate: '2026-11-02',
  dueDate: '2026-11-09',
  draws: [{ type: 'Regular', amounts: [{ sum, currency: 'USD' }] }],
  ...more,
});
