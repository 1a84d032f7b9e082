import { setTimeout as sleep } from 'node:timers/promises';
import type { DemonstrationDraw, demonstrationDraws } from '@tapeline/db/seed/demonstration/draws.ts';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { DRAW_STATUSES } from '@tapeline/domain/draws/draw.schema.ts';
import { type Caller, sendFile } from '../client/caller.ts';

const DRAWS = '/crud/transactionDraws';
const POLL_MS = 500;
const BASES_TIMEOUT_MS = 300_000;

interface Draw {
  id: string;
  version: number;
  exceptions: { exception: { message: string }; status: string }[];
}

export const filtered = (path: string, filter: object) =>
  `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}&limit=100`;

/** Requests the draws as the borrower, and decides them as the manager, unless an earlier run has already done so. */
export async function requestDraws(
  { borrower, manager }: { borrower: Caller; manager: Caller },
  { facility, noteTitle, baseOn, draws }: ReturnType<typeof demonstrationDraws>,
): Promise<void> {
  const [transaction] = await borrower.get<{ id: string }[]>(filtered('/crud/transactions', { title: facility }));
  if (!transaction) throw new Error(`there is no transaction called ${facility}`);
  const status = { in: DRAW_STATUSES };
  const made = await borrower.get<{ cutOffDate: string }[]>(filtered(DRAWS, { transaction: transaction.id, status }));
  await untilBased(manager, transaction.id, baseOn);
  for (const draw of draws) {
    if (made.some(({ cutOffDate }) => cutOffDate === draw.cutOffDate)) continue;
    await requestDraw({ borrower, manager }, transaction.id, noteTitle, draw);
  }
}

/** Waits for the borrowing base that the checks need. */
export async function untilBased(api: Caller, transaction: string, cutOffDate: string): Promise<void> {
  const path = filtered('/crud/borrowingBase', { transaction, cutOffDate });
  for (const end = Date.now() + BASES_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    if ((await api.get<unknown[]>(path)).length > 0) return;
  }
  throw new Error(`the borrowing base at ${cutOffDate} was not calculated within ${BASES_TIMEOUT_MS / 60_000} minutes`);
}

async function attach(api: Caller, { name, text }: NonNullable<DemonstrationDraw['file']>) {
  const bytes = new TextEncoder().encode(text);
  const { key } = await sendFile(api, { ...DRAW_FILES, name, type: 'text/csv', bytes });
  return { key };
}

export async function requestDraw(
  { borrower, manager }: { borrower: Caller; manager: Caller },
  transaction: string,
  noteTitle: string,
  { cutOffDate, dueDate, draws, description, file, skip, decision, rejectionMessage }: DemonstrationDraw,
): Promise<void> {
  let draw = await borrower.post<Draw>(DRAWS, {
    transaction,
    noteTitle,
    cutOffDate,
    dueDate,
    draws,
    description,
    attachments: file ? [await attach(borrower, file)] : [],
  });
  const change = async (body: object) => {
    draw = await manager.put<Draw>(`${DRAWS}/${draw.id}`, { version: draw.version, ...body });
  };
  if (skip.length > 0) {
    await change({
      exceptions: draw.exceptions.map(({ exception, status }) => {
        const reason = skip.find(({ message }) => message === exception.message)?.reason;
        return reason === undefined ? { status } : { status: 'Skipped', reason };
      }),
    });
  }
  if (decision === 'Approved') await change({ status: 'Approved' });
  if (decision === 'Rejected') await change({ reject: true, rejectionMessage });
  if (decision === 'Removed') await borrower.delete(`${DRAWS}?ids=${draw.id}`);
}
