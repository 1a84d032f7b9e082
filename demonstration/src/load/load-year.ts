import { setTimeout as sleep } from 'node:timers/promises';
import { DRAW_STATUSES } from '@tapeline/domain/draws/draw.schema.ts';
import { REPAYMENT_STATUSES } from '@tapeline/domain/repayments/repayment.schema.ts';
import type { Caller } from '@tapeline/launch/client/caller.ts';
import { fillIn, readData } from '../data.ts';
import { uploadsOf } from '../tapes.ts';
import { type DemonstrationDraw, filtered, requestDraw, untilBased } from './request-draws.ts';
import { uploadOnce } from './upload-tapes.ts';

const POLL_MS = 300;
const RECALCULATED_TIMEOUT_MS = 300_000;

interface YearRepayment {
  readonly cutOffDate: string;
  readonly repayments: readonly {
    readonly kind: 'principal' | 'interest' | 'fees';
    readonly amount: { readonly sum: number; readonly currency: string };
  }[];
}

/**
 * A year of Severn's facility in pounds: draws and repayments between its tapes. In September nothing is originated and
 * the borrowing base falls below the balance. A repayment that was received in September is recorded late: the borrowing
 * base is calculated again, and the earlier result is kept. The tape for October is late.
 */
interface Year {
  readonly facility: string;
  readonly noteTitle: string;
  readonly draws: readonly DemonstrationDraw[];
  readonly repayments: readonly YearRepayment[];
  readonly recordedLate: YearRepayment;
}

interface Note {
  title: string;
  contracts: unknown[];
}
interface Facility {
  id: string;
  version: number;
  company: string;
  notes: Note[];
}

/**
 * Loads a year of tapes, draws and repayments of one facility, month by month, as its people would enter them. If an
 * earlier run was interrupted, continues where it stopped.
 * @param people the manager, and the analyst whose draw requests the manager approves
 */
export async function loadYear(
  { manager, analyst }: { manager: Caller; analyst: Caller },
  say: (line: string) => void,
): Promise<void> {
  const { facility: title, noteTitle, draws, repayments, recordedLate } = readData<Year>('severn-year');
  const facility = await facilityOf(manager, title);
  await addContract(manager, facility, noteTitle);
  const uploads = uploadsOf('severn');
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
      await requestDraw({ borrower: analyst, manager }, facility.id, noteTitle, {
        ...draw,
        decision: 'Approved',
      });
    }
    for (const repayment of repayments.filter(isOfMonth)) await record(manager, facility, noteTitle, repayment);
  }
  const last = uploads.at(-1)?.cutOffDate ?? '';
  await record(manager, facility, noteTitle, recordedLate);
  await recalculate(manager, facility, last);
  await adjust({ manager, analyst }, facility, last);
  await saveNextMapping(manager, facility.company);
}

const ADJUSTMENTS = [
  { amount: -18_500, reason: 'Insurer refuses the claims of 14 vehicles of the July hail' },
  { amount: 6_200, reason: 'Four settled agreements are still in the tape as delinquent' },
];

/** Adjusts the borrowing base of a day, once: the analyst enters both, and the manager has approved the first. */
async function adjust(
  { manager, analyst }: { manager: Caller; analyst: Caller },
  facility: Facility,
  cutOffDate: string,
): Promise<void> {
  const [base] = await manager.get<{ id: string }[]>(
    filtered('/crud/borrowingBase', { transaction: facility.id, cutOffDate }),
  );
  const path = `/crud/borrowingBase/${base?.id}/adjustments`;
  const entered = await manager.get<{ id: string; status: string; reason: string }[]>(path);
  for (const adjustment of ADJUSTMENTS) {
    if (entered.some(({ reason }) => reason === adjustment.reason)) continue;
    entered.push(await analyst.post(path, adjustment));
  }
  const first = entered.find(({ reason }) => reason === ADJUSTMENTS[0]?.reason);
  if (first?.status === 'Requested') await manager.post(`${path}/${first.id}/approve`, {});
}

/** A rule of the next version of the mapping: nothing of the year depends on it. */
const CURRENT_LTV = {
  originCol: 'Capital outstanding',
  targetCol: 'currentLtv',
  serializations: [
    { type: 'calculate', formula: '[Capital outstanding] / [Vehicle value]' },
    { type: 'SerializedPercentage', scale: 'zeroTo1' },
  ],
};

/** Saves the next version of the mapping, once: the tapes of the year can be processed with it as well. */
async function saveNextMapping(api: Caller, company: string): Promise<void> {
  const known = await api.get<{ id: string; version: number; rules: object[] }[]>(
    filtered('/crud/assetsETLs', { company }),
  );
  const [mapping] = known;
  if (known.length !== 1 || !mapping) return;
  const { id, ...body } = mapping;
  await api.put(`/crud/assetsETLs/${id}`, { ...body, rules: [...body.rules, CURRENT_LTV] });
}

async function facilityOf(api: Caller, title: string): Promise<Facility> {
  const [found] = await api.get<{ id: string }[]>(filtered('/crud/transactions', { title }));
  if (!found) throw new Error(`there is no transaction called ${title}`);
  return api.get<Facility>(`/crud/transactions/${found.id}`);
}

/** The mapping of the company and the Active contract of the note, unless they are there. */
async function addContract(api: Caller, facility: Facility, noteTitle: string): Promise<void> {
  const note = facility.notes.find(({ title }) => title === noteTitle);
  if (!note || note.contracts.length > 0) return;
  const [known] = await api.get<{ id: string }[]>(filtered('/crud/assetsETLs', { company: facility.company }));
  const mapping =
    known ??
    (await api.post<{ id: string }>('/crud/assetsETLs', {
      company: facility.company,
      ...readData<object>('severn-mapping'),
    }));
  note.contracts = [fillIn(readData<object>('severn-contract'), { mapping: mapping.id })];
  await api.put(`/crud/transactions/${facility.id}`, facility);
}

/** Whether the facility has a document of the day, in any status. */
async function isThere(
  api: Caller,
  path: string,
  { id }: Facility,
  { cutOffDate, statuses }: { cutOffDate: string; statuses: readonly string[] },
): Promise<boolean> {
  const filter = { transaction: id, cutOffDate, status: { in: statuses } };
  return (await api.get<unknown[]>(filtered(path, filter))).length > 0;
}

async function record(api: Caller, facility: Facility, noteTitle: string, body: YearRepayment): Promise<void> {
  const day = { cutOffDate: body.cutOffDate, statuses: REPAYMENT_STATUSES };
  if (await isThere(api, '/crud/repayments', facility, day)) return;
  await api.post('/crud/repayments', { transaction: facility.id, noteTitle, ...body });
}

/** Calculates the borrowing base of a tape again, once; the earlier result is kept as superseded. */
async function recalculate(api: Caller, facility: Facility, cutOffDate: string): Promise<void> {
  const results = (status: string) =>
    api.get<{ id: string }[]>(filtered('/crud/borrowingBase', { transaction: facility.id, cutOffDate, status }));
  if ((await results('Disabled')).length > 0) return;
  const [tape] = await api.get<{ id: string }[]>(filtered('/crud/loanTape', { company: facility.company, cutOffDate }));
  await api.post('/LTP/calculateBB', { loanTapeId: tape?.id });
  for (const end = Date.now() + RECALCULATED_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    if ((await results('Disabled')).length > 0) return;
  }
  throw new Error(`the borrowing base at ${cutOffDate} was not calculated again`);
}
