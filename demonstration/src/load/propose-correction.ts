import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';

/** A balance in words on a tape, and what the other columns of its row imply. */
interface Proposal {
  readonly cutOffDate: string;
  /** 1-based row of the sheet. */
  readonly row: number;
  readonly header: string;
  readonly value: number;
  readonly comment: string;
}

/** Proposes a correction as the borrower, unless an earlier run has already done so. */
export async function proposeCorrection(api: Caller): Promise<void> {
  const { cutOffDate, row, header, value, comment } = readData<Proposal>('proposal');
  const find = <T>(path: string, filter: object) =>
    api.get<T[]>(`${path}?filter=${encodeURIComponent(JSON.stringify(filter))}&limit=1`);
  // A borrower can see only its own tapes.
  const [tape] = await find<{ id: string }>('/crud/loanTape', { cutOffDate });
  if (!tape) throw new Error(`there is no tape at ${cutOffDate}`);
  const proposals = await find('/LTP/assets/errored/proposals', { loanTapeId: tape.id });
  if (proposals.length > 0) return;
  await api.post('/LTP/assets/errored', {
    loanTapeId: tape.id,
    assets: [{ rowNumber: row, originData: { [header]: value } }],
    comment,
  });
}
