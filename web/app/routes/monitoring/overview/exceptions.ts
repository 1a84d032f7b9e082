import { isNegative } from '@tapeline/domain/money/decimal.ts';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { paths } from '../../../paths.ts';
import type { TapeState } from '../tapes/tape-words.ts';

/** Something that needs attention, and a link to it. */
export interface LendingException {
  readonly tone: 'warning' | 'danger';
  readonly title: string;
  readonly text: string;
  readonly to: string;
}

interface NoteFigures {
  readonly title: string;
  readonly availability: { sum: string; currency: string } | null;
  readonly breaches: readonly string[];
  readonly warnings: readonly string[];
}

/** A deficit, broken limits, and the warnings of the calculation. */
export function noteExceptions(note: NoteFigures, to: string): LendingException[] {
  const { availability, breaches, warnings, title } = note;
  const found: LendingException[] = [];
  if (availability && isNegative(availability.sum)) {
    const deficit = formatFigure(availability.sum.slice(1), 2);
    found.push({ tone: 'danger', title, text: `deficit today of ${deficit} ${availability.currency}`, to });
  }
  if (breaches.length > 0) {
    const text = `${formatCount(breaches.length, 'concentration limit')} exceeded: ${breaches.join(', ')}`;
    found.push({ tone: 'warning', title, text, to });
  }
  return [...found, ...warnings.map((text): LendingException => ({ tone: 'warning', title, text, to }))];
}

/** A tape that failed, or that has rows that could not be read. */
export function tapeExceptions(tape: {
  id: string;
  name: string;
  state: TapeState;
  failure: string | null;
  errored: number;
  dataRows: number;
}): LendingException[] {
  const { id, name: title } = tape;
  if (tape.state === 'Question') {
    return [{ tone: 'warning', title, text: 'waits for an answer before it is processed', to: paths.tape(id) }];
  }
  if (tape.state === 'Failed') {
    return [{ tone: 'danger', title, text: tape.failure ?? 'could not be processed', to: paths.tape(id) }];
  }
  if (tape.errored === 0) return [];
  const text = `${formatFigure(tape.errored)} of ${formatCount(tape.dataRows, 'row')} could not be processed as assets`;
  return [{ tone: 'warning', title, text, to: paths.erroredRows(id) }];
}
