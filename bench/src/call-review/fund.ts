import type { Caller } from '@tapeline/launch/client/caller.ts';

/** Rates of the management fee a year in hundredths of a percent, by class. */
const CLASSES = [
  { name: 'Class A', key: 'A', rate: 150 },
  { name: 'Class B', key: 'B', rate: 125 },
  { name: 'Class C', key: 'C', rate: 100 },
] as const;
/** What side letters waive, in percent. */
const WAIVER = 10;
const CLOSING = '2026-01-15';
/** Commitments that are made at the same time. */
const AT_ONCE = 6;

export interface LargeFund {
  readonly id: string;
  readonly investors: number;
  /** The management fee of all investors for a year, in cents. */
  readonly feeOfYear: bigint;
  /** What all have committed, in whole units. */
  readonly committed: number;
}

const amountOf = (index: number): number => 1_000_000 + (index % 50) * 250_000;

/** A quotient of cents to the nearest one, and of two equally near ones to the even one. */
function nearest(of: bigint, by: bigint): bigint {
  const [whole, rest] = [of / by, (of % by) * 2n];
  return rest > by || (rest === by && whole % 2n === 1n) ? whole + 1n : whole;
}

/** What an investor pays for a year of 365 days. */
function feeOf(index: number, hasLetter: boolean): bigint {
  const { rate } = CLASSES[index % CLASSES.length]!;
  const fee = nearest(BigInt(amountOf(index)) * 100n * BigInt(rate), 10_000n);
  return hasLetter ? fee - nearest(fee * BigInt(WAIVER), 100n) : fee;
}

/** Enters a fund of three classes with fee terms, whose first investors have side letters, and its first call. */
export async function enterFund(caller: Caller, investors: number, letters: number): Promise<LargeFund> {
  const committed = Array.from({ length: investors }, (_, index) => amountOf(index)).reduce((all, one) => all + one);
  const { id } = await caller.post<{ id: string }>('/crud/funds', {
    title: 'Harbor Fund of many investors',
    type: 'ComingleFund',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: committed,
    hardCap: committed,
    classes: CLASSES.map(({ name, key }) => ({ name, uniqueKey: key })),
    feeTerms: CLASSES.map(({ key, rate }) => ({
      Class: key,
      from: CLOSING,
      terms: { management: { committed: rate / 100 } },
    })),
  });
  const enter = async (index: number): Promise<void> => {
    const name = `Harbor & Sons Family Office ${index + 1}`;
    const entity = { name, formalId: `B-${id.slice(-6)}-${index}`, nationality: { country: 'US' } };
    const lp = await caller.post<{ id: string }>('/crud/LPs', { title: name, entity });
    const terms = { management: { committed: CLASSES[index % CLASSES.length]!.rate / 100, waiver: WAIVER } };
    await caller.post('/crud/LPCommitments', {
      fund: id,
      investor: { id: lp.id, kind: 'LP' },
      Class: CLASSES[index % CLASSES.length]!.key,
      closingDate: CLOSING,
      maxCommitment: { sum: amountOf(index), currency: 'USD' },
      sideLetters: index < letters ? [{ from: CLOSING, title: 'Most favoured', terms }] : [],
    });
  };
  for (let from = 0; from < investors; from += AT_ONCE) {
    const next = Array.from({ length: Math.min(AT_ONCE, investors - from) }, (_, index) => from + index);
    await Promise.all(next.map(enter));
  }
  await caller.post('/crud/contributions', {
    fund: id,
    cutOffDate: CLOSING,
    dueDate: '2026-01-30',
    callNumber: '1',
    amount: { sum: committed / 10, currency: 'USD' },
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: committed / 10 }],
    status: 'Active',
  });
  let feeOfYear = 0n;
  for (let index = 0; index < investors; index += 1) feeOfYear += feeOf(index, index < letters);
  return { id, investors, feeOfYear, committed };
}
