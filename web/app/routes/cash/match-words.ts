import type { PaymentSuggestion, PaymentToMatch } from '@tapeline/db/operations/cash/match-payments.ts';
import { OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { formatCount } from '../../components/figures/format.ts';

/** What speaks for a suggestion, or does not. */
export interface Finding {
  readonly holds: boolean;
  readonly text: string;
}

/** The evidence of a suggestion in words, what was compared first. */
export function evidenceFindings(
  { evidence, short, rest, together }: PaymentSuggestion,
  { currency, charges, counterpartyAccount }: PaymentToMatch['payment'],
): Finding[] {
  const money = (sum: string) => writtenAmount({ sum, currency });
  const amounts: Readonly<Record<typeof evidence.amount, Finding>> = {
    open: { holds: true, text: 'Amount is the open amount' },
    charges: { holds: true, text: `Amount is the open amount less charges of ${money(charges ?? '0')}` },
    short: { holds: false, text: `${money(short)} short, within the tolerance of the account` },
    part: { holds: false, text: `${money(short)} stays open` },
    together: {
      holds: true,
      text: `Together with ${formatCount(together.length, 'other payment')} it is the open amount`,
    },
    over: { holds: false, text: `${money(rest)} more than is open` },
  };
  const references: Readonly<Record<typeof evidence.reference, Finding>> = {
    stated: { holds: true, text: 'Reference agrees' },
    other: { holds: false, text: 'States another reference' },
    none: { holds: false, text: 'States no reference' },
  };
  const accounts: Readonly<Record<typeof evidence.account, Finding>> = {
    known: { holds: true, text: `Known account •••• ${counterpartyAccount?.replaceAll(' ', '').slice(-4) ?? ''}` },
    unknown: { holds: false, text: 'Another account than before' },
    none: { holds: false, text: 'No account on file to compare' },
  };
  const names: Readonly<Record<typeof evidence.name, Finding | null>> = {
    agrees: { holds: true, text: evidence.namesCall ? 'Name and call number agree' : 'Name agrees' },
    similar: { holds: false, text: 'Name is similar' },
    differs: { holds: false, text: 'Name differs' },
    none: null,
  };
  const name = names[evidence.name];
  return [
    amounts[evidence.amount],
    references[evidence.reference],
    accounts[evidence.account],
    ...(name ? [name] : []),
  ];
}

/** What a suggestion pays: "Bayani, capital call 8". */
export function suggestionTitle({ allocations }: PaymentSuggestion): string {
  const [first] = allocations;
  if (!first) return '';
  const { party, kind, number } = first.obligation;
  const what = (of: typeof first): string =>
    `${OBLIGATION_KIND_LABELS[of.obligation.kind].toLowerCase()} ${of.obligation.number ?? ''}`.trim();
  const name = party?.title ?? 'Not visible to you';
  if (allocations.length === 1) return `${name}, ${what(first)}`;
  const isOneParty = allocations.every(({ obligation }) => obligation.party?.id === party?.id);
  const isOneCall = allocations.every(({ obligation }) => obligation.kind === kind && obligation.number === number);
  const count = formatCount(allocations.length, 'open item');
  if (isOneParty) return `${name}, ${count}`;
  return isOneCall ? `${name} and ${allocations.length - 1} others, ${what(first)}` : `${name} and others, ${count}`;
}

/** How much is open, and how late the oldest is. */
export function suggestionOpen({ allocations }: PaymentSuggestion, today: string): string {
  return allocations
    .slice(0, 3)
    .map(({ obligation: { open, currency, dueDate } }) => {
      const days = daysBetween(dueDate, today);
      return `open ${writtenAmount({ sum: open, currency })}, ${days > 0 ? `${formatCount(days, 'day')} late` : 'not late'}`;
    })
    .join('; ');
}

/** What the bank says about a payment. */
export const bankText = ({ counterpartyName, remittance }: PaymentToMatch['payment']): string =>
  [counterpartyName, remittance].filter(Boolean).join(' / ') || 'The bank gives no text';

/** A payment as the form sends it. */
export const paymentValue = ({ id, version }: PaymentToMatch['payment']): string => JSON.stringify({ id, version });

/** Whether what stays open is closed as bank charges. */
export const closesRest = ({ evidence }: PaymentSuggestion): boolean => ['charges', 'short'].includes(evidence.amount);

/** What a person confirms of a suggestion, as the form sends it. */
export const matchValue = ({ id, version }: PaymentToMatch['payment'], suggestion: PaymentSuggestion): string =>
  JSON.stringify({
    id,
    version,
    allocations: suggestion.allocations.map(({ obligation, amount }) => ({
      kind: obligation.kind,
      document: obligation.documentId,
      amount,
    })),
    closesCharges: closesRest(suggestion),
  });
