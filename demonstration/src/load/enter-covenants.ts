import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { filtered } from './request-draws.ts';

interface Figure {
  title: string;
  date: string;
  value: number;
  currency?: string;
}

/** The covenants of one note of the demonstration, with the figures that they read and how a breach is waived. */
interface NoteCovenants {
  facility: string;
  noteTitle: string;
  figures: Figure[];
  covenants: { title: string }[];
  waivers?: { covenant: string; days: number; reason: string; isApproved: boolean }[];
}

interface Waiver {
  id: string;
  status: string;
}

/**
 * Enters the covenants of a facility, unless an earlier run has already done so. A colleague enters the figures and asks
 * for waivers; the manager reviews and approves them.
 */
export async function enterCovenants(
  { manager, colleague }: { manager: Caller; colleague: Caller },
  title: string,
): Promise<void> {
  const data = readData<NoteCovenants[]>('covenants').find(({ facility }) => facility === title);
  if (!data) throw new Error(`the demonstration has no covenants of ${title}`);
  const [found] = await manager.get<{ id: string }[]>(filtered('/crud/transactions', { title }));
  if (!found) throw new Error(`there is no transaction called ${title}`);
  const { company, notes } = await manager.get<{ company: string; notes: { id: string; title: string }[] }>(
    `/crud/transactions/${found.id}`,
  );
  const note = notes.find((one) => one.title === data.noteTitle)?.id;
  const entered = await manager.get<(Figure & { id: string; status: string })[]>(
    filtered('/crud/facilityFigures', { company }),
  );
  for (const figure of data.figures) {
    const known = entered.find((one) => one.title === figure.title && one.date.startsWith(figure.date));
    const { id, status } =
      known ?? (await colleague.post<(typeof entered)[number]>('/crud/facilityFigures', { ...figure, company }));
    if (status === 'Entered') await manager.post(`/crud/facilityFigures/${id}/review`, {});
  }
  const stored = await manager.get<{ id: string; title: string }[]>(
    filtered('/crud/covenants', { transaction: found.id }),
  );
  for (const covenant of data.covenants) {
    if (stored.some((one) => one.title === covenant.title)) continue;
    stored.push(await manager.post('/crud/covenants', { ...covenant, transaction: found.id, note }));
  }
  for (const { covenant, days, reason, isApproved } of data.waivers ?? []) {
    const id = stored.find((one) => one.title === covenant)?.id;
    const path = `/crud/covenants/${id}/waivers`;
    const [asked] = await manager.get<Waiver[]>(path);
    const until = calendarDateOf(new Date(Date.now() + days * 86_400_000));
    const waiver = asked ?? (await colleague.post<Waiver>(path, { until, reason }));
    if (isApproved && waiver.status === 'Requested')
      await manager.post(`/crud/covenantWaivers/${waiver.id}/approve`, {});
  }
}
