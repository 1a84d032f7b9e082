import { parentPort } from 'node:worker_threads';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { quoteLongNumbers, requireBounded } from '@tapeline/domain/wire/json.ts';

// The thread that looks through long bodies, and compares the digits of those with very many long numbers. Started by
// json-reader.ts.

export interface QuotingJob {
  readonly id: number;
  readonly text: string;
}

export type QuotingAnswer =
  /** Null if nothing had to be quoted, so that the text does not have to be sent back. */
  { readonly id: number; readonly quoted: string | null } | { readonly id: number; readonly refused: string };

function quote({ id, text }: QuotingJob): QuotingAnswer {
  try {
    requireBounded(text);
    const quoted = quoteLongNumbers(text);
    return { id, quoted: quoted === text ? null : quoted };
  } catch (error) {
    if (isRefusal(error)) return { id, refused: error.message };
    throw error;
  }
}

parentPort?.on('message', (job: QuotingJob) => parentPort?.postMessage(quote(job)));
