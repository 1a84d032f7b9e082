import { setTimeout as sleep } from 'node:timers/promises';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { DRAW_STATUSES } from '@tapeline/domain/draws/draw.schema.ts';
import { type Caller, sendFile } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';

/** A draw request of the demonstration's borrower, and what its manager decides. */
export interface DemonstrationDraw {
  readonly cutOffDate: string;
  readonly dueDate: string;
  readonly draws: readonly {
    readonly type: string;
    readonly amounts: readonly { readonly sum: number; readonly currency: string }[];
  }[];
  readonly description: string;
  /** Attached to the request, line by line. */
  readonly file?: { readonly name: string; readonly lines: readonly string[] };
  /** The exceptions that the manager skips, by the message of their check. */
  readonly skip?: readonly { readonly message: string; readonly reason: string }[];
  /** Omitted for a request that still waits. */
  readonly decision?: 'Approved' | 'Rejected' | 'Removed';
  readonly rejectionMessage?: string;
}

/** Requests on one note after its last tape, in every state. */
interface Requests {
  readonly facility: string;
  readonly noteTitle: string;
  /** The borrowing base that the checks need. */
  readonly baseOn: string;
  readonly draws: readonly DemonstrationDraw[];
}

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
export async function requestDraws({ borrower, manager }: { borrower: Caller; manager: Caller }): Promise<void> {
  const { facility, noteTitle, baseOn, draws } = readData<Requests>('draws');
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

async function attach(api: Caller, { name, lines }: NonNullable<DemonstrationDraw['file']>) {
  const bytes = new TextEncoder().encode(lines.join('\r\n'));
  const { key } = await sendFile(api, { ...DRAW_FILES, name, type: 'text/csv', bytes });
  return { key };
}

export async function requestDraw(
  { borrower, manager }: { borrower: Caller; manager: Caller },
  transaction: string,
  noteTitle: string,
  { cutOffDate, dueDate, draws, description, file, skip = [], decision, rejectionMessage }: DemonstrationDraw,
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
