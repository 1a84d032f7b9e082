import {
  type CapitalLedger,
  callAmount,
  distributedBy,
  type LedgerCall,
  type LedgerDistribution,
  type LedgerNav,
  type LedgerTransfer,
  type LedgerWriteOff,
} from '@tapeline/domain/capital/capital-figures.ts';
import {
  type TransferredPart,
  transferInterest,
  withTransferred,
} from '@tapeline/domain/capital/transferred-interest.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';

const ISSUED = `status in ('Active', 'Closed')`;

/** SQL of the interest for having closed later, which is paid on top of a call. @param purposes of the call */
export const interestSql = (purposes: string): string =>
  `(select coalesce(sum((purpose ->> 'interest')::numeric), 0) from jsonb_array_elements(${purposes}) as purpose)`;

/**
 * What commitments hold of everything that was issued: the documents, and the parts of them that transfers of an interest
 * moved, which count from the day of the transfer. Figures in SQL read these and never the tables of the documents.
 */
export const HELD_CALLS = `(
  select commitment_id, cut_off_date, due_date, due_date as paid_on, amount, ${interestSql('purposes')} as interest
  from contributions where ${ISSUED}
  union all select commitment_id, cut_off_date, due_date, paid_on, amount, ${interestSql('purposes')}
  from transferred_lines where kind = 'call')`;
export const HELD_DISTRIBUTIONS = `(
  select commitment_id, cut_off_date, cut_off_date as paid_on, principal, is_recallable, total_distributed
  from distributions where ${ISSUED}
  union all select commitment_id, cut_off_date, paid_on, principal, is_recallable, total_distributed
  from transferred_lines where kind = 'distribution')`;
export const HELD_WRITE_OFFS = `(
  select commitment_id, cut_off_date, amount from write_offs where ${ISSUED}
  union all select commitment_id, cut_off_date, amount from transferred_lines where kind = 'writeOff')`;
/** One value a day: one that is recorded for the day of a transfer counts after it. */
export const HELD_NAVS = `(
  select commitment_id, cut_off_date, cut_off_date as nav_date, gross, net from navs where ${ISSUED}
  union all select t.commitment_id, t.cut_off_date, t.nav_date, t.gross, t.net from transferred_lines t
  where t.kind = 'nav' and (t.nav_date is not null or t.net is null) and not exists (select from navs n where n.commitment_id = t.commitment_id
      and n.cut_off_date = t.cut_off_date and n.${ISSUED})
    and not exists (select from transferred_lines later where later.commitment_id = t.commitment_id
      and later.kind = 'nav' and (later.nav_date is not null or later.net is null) and later.cut_off_date = t.cut_off_date and later.sequence > t.sequence))`;

type Of<Row> = Row & { commitment: string };

/** The parts of calls, distributions, write-offs and values of several commitments. */
export type TransferredRows = [Of<LedgerCall>[], Of<LedgerDistribution>[], Of<LedgerWriteOff>[], Of<LedgerNav>[]];

const PART = `document_id as id, transfer_id as transfer, commitment_id as commitment, cut_off_date::text as "cutOffDate",
  paid_on::text as "paidOn"`;
const inOrder = (kind: string): string =>
  `from transferred_lines where commitment_id = any ($1) and kind = '${kind}' order by cut_off_date, transfer_id, sequence`;

/** The statements that read them. @param values the ids of the commitments, as the only one */
export const transferredOf = (values: unknown[]) =>
  [
    `select ${PART}, due_date::text as "dueDate", call_number as "callNumber", purposes ${inOrder('call')}`,
    `select ${PART}, call_number as "callNumber", principal::text, components, basis, is_recallable as recallable ${inOrder('distribution')}`,
    `select ${PART}, amount::text ${inOrder('writeOff')}`,
    `select commitment_id as commitment, cut_off_date::text as "cutOffDate", gross::text, net::text,
       json_build_object('id', transfer_id, 'gross', moved_gross::text, 'net', moved_net::text, 'price', price::text,
         'navDate', nav_date::text) as transfer
     from transferred_lines where commitment_id = any ($1) and kind = 'nav' order by cut_off_date, sequence`,
  ].map((sql) => ({ sql, values, kept: true }));

/** A transfer of an interest as it is stored. */
export interface StoredTransfer {
  readonly id: string;
  readonly currency: string;
  readonly commitmentId: string;
  readonly toCommitmentId: string;
  readonly date: string;
  readonly sharePercent: DecimalText;
  readonly price: DecimalText | null;
}

/** A part that is to be recorded. */
interface RecordedPart extends TransferredPart {
  readonly transfer: string;
  readonly commitment: string;
  readonly sequence: number;
}

/** The ledgers without what transfers moved. */
export const withoutTransferred = (ledger: CapitalLedger): CapitalLedger => ({
  ...ledger,
  calls: ledger.calls.filter(({ transfer }) => transfer === undefined),
  distributions: ledger.distributions.filter(({ transfer }) => transfer === undefined),
  writeOffs: ledger.writeOffs.filter(({ transfer }) => transfer === undefined),
  navs: ledger.navs.filter(({ transfer }) => transfer === undefined),
});

/** What each of the transfers of a fund, in their order, moves. @param ledgers as they are without them */
export function partsOfTransfers(
  transfers: readonly StoredTransfer[],
  ledgers: ReadonlyMap<string, CapitalLedger>,
): RecordedPart[] {
  const held = new Map(ledgers);
  const parts: RecordedPart[] = [];
  for (const [sequence, { id, currency, commitmentId, toCommitmentId, ...terms }] of transfers.entries()) {
    const digits = minorUnitDigits(currency);
    const [from, to] = [held.get(commitmentId)!, held.get(toCommitmentId)!];
    const { given, received } = transferInterest(from, to, { id, digits, ...terms });
    held.set(commitmentId, withTransferred(from, given));
    held.set(toCommitmentId, withTransferred(to, received));
    parts.push(
      { ...given, transfer: id, commitment: commitmentId, sequence },
      { ...received, transfer: id, commitment: toCommitmentId, sequence },
    );
  }
  return parts;
}

/** The rows of a part, as `transferred_lines` holds them. */
export function rowsOfPart({ transfer, commitment, sequence, ...part }: RecordedPart): object[] {
  const of = { transfer_id: transfer, commitment_id: commitment };
  const line = ({ id, cutOffDate, paidOn }: { id?: string; cutOffDate: string; paidOn?: string }) => ({
    ...of,
    document_id: id,
    cut_off_date: cutOffDate,
    paid_on: paidOn,
  });
  const { gross, net, cutOffDate, transfer: moved = {} as LedgerTransfer } = part.nav;
  return [
    ...part.calls.map((call, index) => ({
      ...line(call),
      kind: 'call',
      sequence: index,
      call_number: call.callNumber,
      due_date: call.dueDate,
      purposes: call.purposes,
      amount: callAmount(call),
    })),
    ...part.distributions.map((one, index) => ({
      ...line(one),
      kind: 'distribution',
      sequence: index,
      call_number: one.callNumber,
      principal: one.principal,
      components: one.components,
      basis: one.basis,
      is_recallable: one.recallable,
      total_distributed: distributedBy(one),
    })),
    ...part.writeOffs.map((one, index) => ({ ...line(one), kind: 'writeOff', sequence: index, amount: one.amount })),
    {
      ...of,
      kind: 'nav',
      sequence,
      cut_off_date: cutOffDate,
      gross,
      net,
      moved_gross: moved.gross,
      moved_net: moved.net,
      price: moved.price,
      nav_date: moved.navDate,
    },
  ];
}
