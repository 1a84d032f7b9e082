import { decimalOf } from '../../money/decimal.ts';
import type { BankStatement, BankStatementLine } from '../bank-statement.ts';

/** A line of the account that an earlier file brought, with its payment. */
export interface EarlierLine {
  readonly paymentId: string;
  readonly line: Pick<
    BankStatementLine,
    'reference' | 'bookedOn' | 'amount' | 'counterpartyAccount' | 'endToEndId' | 'remittance'
  >;
  /** Whether a statement with balances has it. Those of notifications and CSV files may come again in such a statement. */
  readonly isCounted: boolean;
}

/** Whether the balances of a statement prove that it has all lines, and each once. */
export const isCounted = ({ opening, closing }: Pick<BankStatement, 'opening' | 'closing'>): boolean =>
  opening !== null && closing !== null;

type Compared = EarlierLine['line'];

const entryOf = ({ reference, bookedOn, amount }: Compared): string =>
  JSON.stringify([reference, bookedOn, decimalOf(amount)]);

/** Lines that a bank gives no reference have those of their place in a file, which another format numbers otherwise. */
const textOf = ({ bookedOn, amount, counterpartyAccount, endToEndId, remittance }: Compared): string =>
  JSON.stringify([bookedOn, decimalOf(amount), counterpartyAccount, endToEndId, remittance]);

/** Gives out each of the earlier lines once. */
class Candidates {
  private readonly left: Set<EarlierLine>;
  private readonly byKey = new Map<string, EarlierLine[]>();

  constructor(lines: readonly EarlierLine[]) {
    this.left = new Set(lines);
    // The last is taken first.
    for (const line of lines.toReversed()) {
      for (const key of [entryOf(line.line), textOf(line.line)]) {
        const same = this.byKey.get(key);
        if (same) same.push(line);
        else this.byKey.set(key, [line]);
      }
    }
  }

  take(key: string): string | null {
    const same = this.byKey.get(key) ?? [];
    for (let found = same.pop(); found; found = same.pop()) {
      if (this.left.delete(found)) return found.paymentId;
    }
    return null;
  }
}

/**
 * The payments of lines that earlier files brought, by the index of the line; null for a new line. What one statement
 * with balances has, no other has; a notification, and a CSV file whose days overlap, repeat lines.
 */
export function knownPayments(
  statement: Pick<BankStatement, 'opening' | 'closing' | 'lines'>,
  earlier: readonly EarlierLine[],
): (string | null)[] {
  const candidates = new Candidates(isCounted(statement) ? earlier.filter((line) => !line.isCounted) : earlier);
  const byReference = statement.lines.map((line) => candidates.take(entryOf(line)));
  return statement.lines.map((line, index) => byReference[index] ?? candidates.take(textOf(line)));
}
