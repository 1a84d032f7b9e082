import { addMonths, calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { type Frequency, latestPeriodEnd, periodTo } from '@tapeline/domain/dates/reporting-periods.ts';
import { DELIVERABLE_FILES } from '@tapeline/domain/deliverables/deliverable-files.ts';
import { type Caller, sendFile } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { filtered } from './request-draws.ts';

/** What happened to the item of a period: so many periods back from today. */
interface ItemEvent {
  back: number;
  file?: string;
  remark?: string;
  then?: 'accept' | 'return' | 'waive';
  reason?: string;
}

interface DemonstrationDeliverable {
  title: string;
  frequency: Frequency;
  /** Of a note, and not of the borrower as a whole. */
  isOfNote?: boolean;
  /** Periods before today that it is owed for. */
  periods: number;
  events?: ItemEvent[];
}

interface FacilityDeliverables {
  facility: string;
  noteTitle: string;
  deliverables: DemonstrationDeliverable[];
}

const DELIVERABLES = '/crud/deliverables';

/** The ends of the last periods, by how many periods back they are. */
function periodEnds(frequency: Frequency): (back: number) => string {
  const today = calendarDateOf(new Date());
  const latest = latestPeriodEnd({ first: '2015-12-31', frequency }, today) ?? addMonths(today, -1);
  return (back) => periodTo(frequency, latest, back - 1).to;
}

async function sendItem(sender: Caller, path: string, { file = '', remark }: ItemEvent): Promise<void> {
  const bytes = new TextEncoder().encode(
    ['Line,Amount', 'Total assets,267960000.00', 'Total liabilities,221760000.00'].join('\r\n'),
  );
  const { key } = await sendFile(sender, { ...DELIVERABLE_FILES, name: file, type: 'text/csv', bytes });
  await sender.post(`${path}/receive`, { document: key, ...(remark ? { remark } : {}) });
}

/**
 * Enters the deliverables of a borrower with what happened to them, unless an earlier run has already done so. The borrower sends;
 * the manager accepts, returns and waives.
 */
export async function enterDeliverables(
  { manager, sender }: { manager: Caller; sender: Caller },
  title: string,
): Promise<void> {
  const data = readData<FacilityDeliverables[]>('deliverables').find(({ facility }) => facility === title);
  if (!data) throw new Error(`the demonstration has no deliverables of ${title}`);
  const [found] = await manager.get<{ id: string }[]>(filtered('/crud/transactions', { title }));
  if (!found) throw new Error(`there is no transaction called ${title}`);
  const { company, notes } = await manager.get<{ company: string; notes: { id: string; title: string }[] }>(
    `/crud/transactions/${found.id}`,
  );
  const note = notes.find((one) => one.title === data.noteTitle)?.id ?? notes[0]?.id;
  const stored = await manager.get<{ id: string; title: string }[]>(filtered(DELIVERABLES, { company }));
  for (const { isOfNote, periods, events = [], ...terms } of data.deliverables) {
    const endOf = periodEnds(terms.frequency);
    const known = stored.find((one) => one.title === terms.title);
    const { id } =
      known ??
      (await manager.post<{ id: string }>(DELIVERABLES, {
        ...terms,
        company,
        ...(isOfNote ? { transaction: found.id, note } : {}),
        firstPeriodEnd: endOf(periods),
      }));
    const sent = await manager.get<unknown[]>(`${DELIVERABLES}/${id}/items`);
    if (sent.length > 0) continue;
    for (const event of events) {
      const path = `${DELIVERABLES}/${id}/items/${endOf(event.back)}`;
      if (event.file) await sendItem(sender, path, event);
      if (event.then) await manager.post(`${path}/${event.then}`, event.reason ? { reason: event.reason } : {});
    }
  }
}
