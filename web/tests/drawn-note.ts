import { systemActor } from '@tapeline/db/store.ts';
import type { ApiClient } from './api-client.ts';
import { northwindLoan, northwindTapes } from './northwind-tapes.ts';
import { productStore } from './product-store.ts';

/** Northwind's senior note with a net borrowing base of 31 October 2026. */
export interface DrawnNote {
  transaction: string;
  noteId: string;
  noteTitle: string;
}

/**
 * Publishes a tape for the tenant's facility, and sets the net base of its borrowing base, which may be 500 days old.
 *
 * The tape goes through the product, because administrators of other tests read the assets and bases of all managers.
 *
 * @param netBB in US dollars
 */
export async function drawnNote(manager: ApiClient, netBB: string): Promise<DrawnNote> {
  const tapes = await northwindTapes(manager);
  const tapeId = await tapes.publish([northwindLoan({})], { cutOffDate: '2026-10-31', calculateBB: true });
  const [facility] = (await manager.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } }))
    .json;
  const note = facility.notes[0];
  const store = await productStore();
  await store.as(systemActor('Test fixture'), async (session) => {
    const bases = await session.query(
      'update borrowing_bases set net_bb = $1 where tape_id = $2 and contract_id = $3 returning id',
      [netBB, tapeId, note.contracts[0].id],
    );
    if (bases.length !== 1) throw new Error(`the tape has ${bases.length} borrowing bases of the note, not 1`);
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
