import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { filtered } from './request-draws.ts';

/** The scenarios of the latest certificate of a note of the demonstration. */
interface NoteScenarios {
  facility: string;
  noteTitle: string;
  scenarios: { title: string; changes: object[] }[];
}

/** Keeps scenarios of the latest certificates, unless an earlier run has already done so. */
export async function keepScenarios(manager: Caller): Promise<void> {
  for (const { facility, noteTitle, scenarios } of readData<NoteScenarios[]>('scenarios')) {
    const [found] = await manager.get<{ notes: { id: string; title: string }[] }[]>(
      filtered('/crud/transactions', { title: facility }),
    );
    const note = found?.notes.find(({ title }) => title === noteTitle)?.id;
    if (!note) throw new Error(`there is no note ${noteTitle} of ${facility}`);
    const bases = await manager.get<{ id: string; cutOffDate: string }[]>(filtered('/crud/borrowingBase', { note }));
    const latest = bases.toSorted((a, b) => (a.cutOffDate < b.cutOffDate ? 1 : -1))[0];
    if (!latest) throw new Error(`there is no borrowing base of ${noteTitle}`);
    const stored = await manager.get<{ title: string; borrowingBase: string | null }[]>(
      filtered('/crud/scenarios', { note }),
    );
    for (const scenario of scenarios) {
      if (stored.some(({ title, borrowingBase }) => title === scenario.title && borrowingBase === latest.id)) continue;
      await manager.post('/crud/scenarios', { ...scenario, borrowingBase: latest.id });
    }
  }
}
