import { DRAW_STATUSES } from '@tapeline/domain/draws/draw.schema.ts';
import { REPAYMENT_STATUSES } from '@tapeline/domain/repayments/repayment.schema.ts';
import type { Caller } from '@tapeline/launch/client/caller.ts';
import { fillIn, readData } from '../data.ts';
import { type Lender, uploadsOf } from '../tapes.ts';
import { type DemonstrationDraw, filtered, requestDraw, untilBased } from './request-draws.ts';
import { uploadOnce } from './upload-tapes.ts';

export interface DemonstrationRepayment {
  readonly cutOffDate: string;
  readonly repayments: readonly {
    readonly kind: 'principal' | 'interest' | 'fees';
    readonly amount: { readonly sum: number; readonly currency: string };
  }[];
}

export interface DemonstrationFacility {
  id: string;
  version: number;
  company: string;
  notes: { title: string; contracts: unknown[] }[];
}

/** Draws and repayments on one note of a facility, between the tapes of its borrower. */
interface Months {
  readonly lender: Lender;
  readonly noteTitle: string;
  readonly draws: readonly DemonstrationDraw[];
  readonly repayments: readonly DemonstrationRepayment[];
}

export async function facilityOf(api: Caller, title: string): Promise<DemonstrationFacility> {
  const [found] = await api.get<{ id: string }[]>(filtered('/crud/transactions', { title }));
  if (!found) throw new Error(`there is no transaction called ${title}`);
  return api.get<DemonstrationFacility>(`/crud/transactions/${found.id}`);
}

/** The mapping of the lender and the Active contract of the note, unless they are there. */
export async function addContract(
  api: Caller,
  facility: DemonstrationFacility,
  { lender, noteTitle }: Pick<Months, 'lender' | 'noteTitle'>,
): Promise<void> {
  const note = facility.notes.find(({ title }) => title === noteTitle);
  if (!note || note.contracts.length > 0) return;
  const [known] = await api.get<{ id: string }[]>(filtered('/crud/assetsETLs', { company: facility.company }));
  const mapping =
    known ??
    (await api.post<{ id: string }>('/crud/assetsETLs', {
      company: facility.company,
      ...readData<object>(`${lender}-mapping`),
    }));
  note.contracts = [fillIn(readData<object>(`${lender}-contract`), { mapping: mapping.id })];
  await api.put(`/crud/transactions/${facility.id}`, facility);
}

/**
 * Uploads the tapes of a lender one after the other, and enters the draws and repayments between them as its people
 * would. If an earlier run was interrupted, continues where it stopped.
 */
export async function loadMonths(
  { manager, analyst }: { manager: Caller; analyst: Caller },
  facility: DemonstrationFacility,
  { lender, noteTitle, draws, repayments }: Months,
  say: (line: string) => void,
): Promise<void> {
  const uploads = uploadsOf(lender);
  for (const [index, upload] of uploads.entries()) {
    const { company, cutOffDate } = upload;
    const { counts } = await uploadOnce(manager, facility.company, upload);
    await untilBased(manager, facility.id, cutOffDate);
    say(`demonstration month ${index + 1} of ${uploads.length}, ${company} at ${cutOffDate}: ${counts?.assets} assets`);
    const next = uploads[index + 1]?.cutOffDate;
    const isOfMonth = (on: { cutOffDate: string }) =>
      on.cutOffDate > cutOffDate && next !== undefined && on.cutOffDate <= next;
    for (const draw of draws.filter(isOfMonth)) {
      const day = { cutOffDate: draw.cutOffDate, statuses: DRAW_STATUSES };
      if (await isThere(manager, '/crud/transactionDraws', facility, day)) continue;
      await requestDraw({ borrower: analyst, manager }, facility.id, noteTitle, { ...draw, decision: 'Approved' });
    }
    for (const repayment of repayments.filter(isOfMonth))
      await recordRepayment(manager, facility, noteTitle, repayment);
  }
}

/** Whether the facility has a document of the day, in any status. */
async function isThere(
  api: Caller,
  path: string,
  { id }: DemonstrationFacility,
  { cutOffDate, statuses }: { cutOffDate: string; statuses: readonly string[] },
): Promise<boolean> {
  const filter = { transaction: id, cutOffDate, status: { in: statuses } };
  return (await api.get<unknown[]>(filtered(path, filter))).length > 0;
}

/** Records a repayment, unless an earlier run has already done so. */
export async function recordRepayment(
  api: Caller,
  facility: DemonstrationFacility,
  noteTitle: string,
  body: DemonstrationRepayment,
): Promise<void> {
  const day = { cutOffDate: body.cutOffDate, statuses: REPAYMENT_STATUSES };
  if (await isThere(api, '/crud/repayments', facility, day)) return;
  await api.post('/crud/repayments', { transaction: facility.id, noteTitle, ...body });
}
