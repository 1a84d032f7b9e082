import { parentPort } from 'node:worker_threads';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { quoteLongNumbers, requireBounded } from '@tapeline/domain/wire/json.ts';

// The thread that decodes long bodies and looks through them, and compares the digits of those with very many long
// numbers. Started by json-reader.ts.

export interface QuotingJob {
  readonly id: number;
  /** A long body as it came, which is decoded here. */
  readonly body: string | ArrayBuffer;
}

export type QuotingAnswer =
  /** What is the same as what was sent does not have to be sent back: `text` of a text, `quoted` of nothing to quote. */
  | { readonly id: number; readonly text: string | null; readonly quoted: string | null }
  | { readonly id: number; readonly refused: string };

function quote({ id, body }: QuotingJob): QuotingAnswer {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    requireBounded(text);
    const quoted = quoteLongNumbers(text);
    return { id, text: text === body ? null : text, quoted: quoted === text ? null : quoted };
  } catch (error) {
    if (isRefusal(error)) return { id, refused: error.message };
    throw error;
  }
}

parentPort?.on('message', (job: QuotingJob) => parentPort?.postMessage(quote(job)));
