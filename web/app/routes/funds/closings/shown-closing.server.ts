import type { ClosingView } from '@tapeline/db/operations/closings/closings.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { add, compare, type DecimalText, sum } from '@tapeline/domain/money/decimal.ts';

/** Entrants whose columns fit beside each other. */
const MAX_COLUMNS = 3;

/** A closing as its review and its page show it. */
export function shownClosing(closing: ClosingView) {
  const { figures, investors, terms, warnings = [], passed = [], needsSecondPerson = false, ...rest } = closing;
  const { lines, positions, ...totals } = figures;
  const titleOf = (id: string) => investors.get(id)?.investor.title ?? '';
  const entering = positions.filter(({ added }) => compare(added, '0') > 0);
  const columns = entering.slice(0, entering.length > MAX_COLUMNS ? 0 : MAX_COLUMNS);
  const paid = (line: (typeof lines)[number], id: string) => line.entrants.find((part) => part.id === id);
  const whole = ({ capital, interest }: { capital: DecimalText; interest: DecimalText }) => add(capital, interest);
  const recipients = positions.filter(({ receives }) => compare(whole(receives), '0') > 0);
  return {
    ...rest,
    terms,
    warnings: [...warnings],
    passed: [...passed],
    needsSecondPerson,
    ...totals,
    paidIn: { ...figures.paidIn, whole: whole(figures.paidIn) },
    returned: { ...figures.returned, whole: whole(figures.returned) },
    toManager: { ...figures.toManager, whole: whole(figures.toManager) },
    columns: columns.map(({ id, added, isNew }) => ({ id, title: titleOf(id), added, isNew })),
    payers: entering.map(({ id }) => titleOf(id)),
    recipients: recipients.map(({ id }) => titleOf(id)),
    lines: lines.map((line, index) => ({
      key: `${line.call} ${line.line}`,
      isFirst: lines[index - 1]?.call !== line.call,
      ...pick(line, 'callNumber', 'title', 'dueDate', 'days', 'called'),
      parts: columns.map(({ id }) => ({
        id,
        amount: paid(line, id)?.amount ?? '0',
        interest: paid(line, id)?.interest ?? '0',
      })),
      total: sum(line.entrants.flatMap(({ amount, interest }) => [amount, interest])),
      goesTo: line.kind === 'managementFee' ? 'Manager' : 'Earlier investors',
    })),
    called: sum(lines.map((line) => line.called)),
    columnTotals: columns.map(({ id }) => positions.find((one) => one.id === id)!.paysIn),
    rows: positions.map((position) => ({ ...position, title: titleOf(position.id) })),
    unfunded: {
      before: sum(positions.map(({ unfunded }) => unfunded.before)),
      after: sum(positions.map(({ unfunded }) => unfunded.after)),
    },
  };
}

export type ShownClosing = ReturnType<typeof shownClosing>;
