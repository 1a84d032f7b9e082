import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { filtered } from './request-draws.ts';

/** The amendments of one note of the demonstration. */
interface NoteAmendments {
  facility: string;
  noteTitle: string;
  amendments: { title: string }[];
}

/** Amends the terms of the facilities, unless an earlier run has already done so. */
export async function enterAmendments(manager: Caller): Promise<void> {
  for (const { facility, noteTitle, amendments } of readData<NoteAmendments[]>('amendments')) {
    const [found] = await manager.get<{ id: string; notes: { id: string; title: string }[] }[]>(
      filtered('/crud/transactions', { title: facility }),
    );
    const note = found?.notes.find(({ title }) => title === noteTitle)?.id;
    if (!found || !note) throw new Error(`there is no note ${noteTitle} of ${facility}`);
    const stored = await manager.get<{ title: string }[]>(filtered('/crud/amendments', { note }));
    for (const amendment of amendments) {
      if (stored.some(({ title }) => title === amendment.title)) continue;
      await manager.post('/crud/amendments', { ...amendment, transaction: found.id, note });
    }
  }
}
