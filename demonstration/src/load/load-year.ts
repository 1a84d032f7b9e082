import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { uploadsOf } from '../tapes.ts';
import {
  addContract,
  type DemonstrationFacility,
  type DemonstrationRepayment,
  facilityOf,
  loadMonths,
  recordRepayment,
} from './load-months.ts';
import { type DemonstrationDraw, filtered } from './request-draws.ts';

const POLL_MS = 300;
const RECALCULATED_TIMEOUT_MS = 300_000;

/**
 * A year of Severn's facility in pounds: draws and repayments between its tapes. In September nothing is originated and
 * the borrowing base falls below the balance. A repayment that was received in September is recorded late: the borrowing
 * base is calculated again, and the earlier result is kept. The tape for October is late.
 */
interface Year {
  readonly facility: string;
  readonly noteTitle: string;
  readonly draws: readonly DemonstrationDraw[];
  readonly repayments: readonly DemonstrationRepayment[];
  readonly recordedLate: DemonstrationRepayment;
}

/**
 * Loads a year of tapes, draws and repayments of one facility, month by month, as its people would enter them. If an
 * earlier run was interrupted, continues where it stopped.
 * @param people the manager, the analyst whose draw requests and the colleague whose adjustment the manager approves
 */
export async function loadYear(
  { manager, analyst, colleague }: { manager: Caller; analyst: Caller; colleague: Caller },
  say: (line: string) => void,
): Promise<void> {
  const { facility: title, noteTitle, draws, repayments, recordedLate } = readData<Year>('severn-year');
  const facility = await facilityOf(manager, title);
  const months = { lender: 'severn', noteTitle, draws, repayments } as const;
  await addContract(manager, facility, months);
  await loadMonths({ manager, analyst }, facility, months, say);
  const last = uploadsOf('severn').at(-1)?.cutOffDate ?? '';
  await recordRepayment(manager, facility, noteTitle, recordedLate);
  await recalculate(manager, facility, last);
  await adjust({ manager, colleague }, facility, last);
  await saveNextMapping(manager, facility.company);
}

const ADJUSTMENTS = [
  { amount: -18_500, reason: 'Insurer refuses the claims of 14 vehicles of the July hail' },
  { amount: 6_200, reason: 'Four settled agreements are still in the tape as delinquent' },
];

/** Adjusts the borrowing base of a day, once: a colleague enters both, and the manager has approved the first. */
async function adjust(
  { manager, colleague }: { manager: Caller; colleague: Caller },
  facility: DemonstrationFacility,
  cutOffDate: string,
): Promise<void> {
  const [base] = await manager.get<{ id: string }[]>(
    filtered('/crud/borrowingBase', { transaction: facility.id, cutOffDate }),
  );
  const path = `/crud/borrowingBase/${base?.id}/adjustments`;
  const entered = await manager.get<{ id: string; status: string; reason: string }[]>(path);
  for (const adjustment of ADJUSTMENTS) {
    if (entered.some(({ reason }) => reason === adjustment.reason)) continue;
    entered.push(await colleague.post(path, adjustment));
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

/** Calculates the borrowing base of a tape again, once; the earlier result is kept as superseded. */
async function recalculate(api: Caller, facility: DemonstrationFacility, cutOffDate: string): Promise<void> {
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
