import { isRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { WorkerContext } from '../context.ts';

/** Messages of DuckDB and V8 when the machine lacks a resource that may be available to a later attempt. */
const OF_THE_MACHINE = [
  /^(IO|Out of Memory|Connection|HTTP|INTERRUPT|Interrupt|Fatal) Error/,
  /^INTERRUPT Error/i,
  /allocation failed|out of memory|could not allocate/i,
  /No space left|Too many open files/i,
];

/**
 * Whether the error comes from the machine (disk, memory, a missing file) and not from the data. A cancelled
 * calculation does not count as a data error either.
 */
export function isOfTheMachine(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (error.name === 'AbortError' || error.name === 'CancelledFailure') return true;
  return /^E[A-Z]+$/.test(code ?? '') || OF_THE_MACHINE.some((pattern) => pattern.test(error.message));
}

const MOST_CHARACTERS = 300;

/**
 * Runs a calculation. Its result depends only on its inputs, so it would fail in the same way each time. Its errors
 * therefore become a Refusal, which is not retried. Errors of the machine pass through unchanged.
 */
export async function refuseData<T>(
  context: Pick<WorkerContext, 'log'>,
  inputs: Readonly<Record<string, string>>,
  calculate: () => Promise<T>,
): Promise<T> {
  try {
    return await calculate();
  } catch (error) {
    if (isRefusal(error) || isOfTheMachine(error)) throw error;
    context.log.error({ err: error, ...inputs }, 'a borrowing base cannot be calculated from its data');
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Refusal(
      'badRequest',
      `The borrowing base cannot be calculated from this tape and contract (${line.slice(0, MOST_CHARACTERS)}). Retrying does not help. Check the contract's rates and limits and the tape's amounts, or send this text to support.`,
      { cause: error },
    );
  }
}
