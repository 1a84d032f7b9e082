import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { filtered } from './request-draws.ts';

/** The amendments of one note of the demonstration. */
interface NoteAmendments {
  facility: string;
  noteTitle: string;
  amendments: { title: string; terms: Terms }[];
}
/** Terms, whose pricing grid names its covenant by its title. */
interface Terms {
  interest?: { pricingGrid?: { test?: { covenant: string } } };
}

/** Amends the terms of a facility, unless an earlier run has already done so. */
export async function enterAmendments(manager: Caller, of: string): Promise<void> {
  for (const { facility, noteTitle, amendments } of readData<NoteAmendments[]>('amendments')) {
    if (facility !== of) continue;
    const [found] = await manager.get<{ id: string; notes: { id: string; title: string }[] }[]>(
      filtered('/crud/transactions', { title: facility }),
    );
    const note = found?.notes.find(({ title }) => title === noteTitle)?.id;
    if (!found || !note) throw new Error(`there is no note ${noteTitle} of ${facility}`);
    const stored = await manager.get<{ title: string }[]>(filtered('/crud/amendments', { note }));
    for (const amendment of amendments) {
      if (stored.some(({ title }) => title === amendment.title)) continue;
      const test = amendment.terms.interest?.pricingGrid?.test;
      if (test) test.covenant = await covenantNamed(manager, note, test.covenant);
      await manager.post('/crud/amendments', { ...amendment, transaction: found.id, note });
    }
  }
}

async function covenantNamed(manager: Caller, note: string, title: string): Promise<string> {
  const [covenant] = await manager.get<{ id: string }[]>(filtered('/crud/covenants', { note, title }));
  if (!covenant) throw new Error(`there is no covenant ${title}`);
  return covenant.id;
}
