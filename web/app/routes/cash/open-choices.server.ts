import { listObligations, type Obligation, type ObligationQuery } from '@tapeline/db/operations/cash/obligations.ts';
import type { ReadSession } from '@tapeline/db/read-session.ts';
import { OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';

/** Most that a picker offers, the earliest due first. */
const MOST = 200;

const labelOf = ({ kind, number, party, open, currency, dueDate, reference }: Obligation): string =>
  [
    party?.title ?? 'Not visible to you',
    `${OBLIGATION_KIND_LABELS[kind]} ${number ?? ''}`.trim(),
    `${writtenAmount({ sum: open, currency })} open`,
    `due ${formatCalendarDate(dueDate)}`,
    reference,
  ].join(', ');

/** What a payment can pay: what is open in its direction, of its party if that is known. */
export async function openChoices(
  session: ReadSession,
  of: Pick<ObligationQuery, 'direction' | 'currency' | 'party' | 'accountFund'>,
) {
  const { obligations } = await listObligations(session, { ...of, isOpen: true, limit: MOST });
  return obligations.map((one) => ({ value: `${one.kind}/${one.documentId}`, label: labelOf(one) }));
}
