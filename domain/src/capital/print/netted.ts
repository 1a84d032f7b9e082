import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { add, isZero, negate } from '../../money/decimal.ts';
import type { PrintedDocument } from '../../printing/printed-document.ts';
import { amountsIn, joined, moneyText } from '../../printing/printed-figures.ts';
import type { CallFacts, CallShare, NoticePurpose } from '../capital-call-notice.ts';
import { callAmount, interestOf } from '../capital-figures.ts';
import type { DistributionFacts, DistributionLines, DistributionShare } from '../distribution-notice.ts';
import { distributionTotals } from '../distribution-totals.ts';
import { type NetAmounts, netOf } from '../netting.ts';
import { NO_ACCOUNT } from '../notice-parts.ts';
import { callTables } from './capital-call.ts';
import { distributionTables, recallableText } from './distribution.ts';
import { addresseeOf, closingOf, fundTitle, letterOf, numeric } from './letter.ts';

/** A call and a distribution of one day to one investor, which settle as one net amount. */
export interface NettedParts {
  readonly call: { readonly facts: CallFacts; readonly share: CallShare; readonly whole: readonly NoticePurpose[] };
  readonly distribution: {
    readonly facts: DistributionFacts;
    readonly share: DistributionShare;
    readonly whole: DistributionLines;
    /** What the fund states if it pays the net amount. */
    readonly reference: string;
  };
}

const netOfParts = ({ call, distribution }: NettedParts): NetAmounts =>
  netOf(
    add(callAmount(call.share), interestOf(call.share.purposes)),
    distributionTotals(distribution.share.principal, distribution.share.components).totalDistributed,
  );

/** What the net amount is called, and what follows from it. */
function outcomeOf({ call, distribution }: NettedParts, { pays, receives }: NetAmounts) {
  if (!isZero(pays)) {
    const pay = call.facts.wire
      ? 'Please pay the net amount so that it reaches the account below as cleared funds on or before that day.'
      : `You pay the net amount on or before that day. ${NO_ACCOUNT}`;
    return {
      label: 'Net amount due',
      amount: pays,
      reference: call.facts.paymentReference,
      wire: call.facts.wire,
      text: pay,
    };
  }
  if (isZero(receives)) {
    return {
      label: 'Net amount',
      amount: receives,
      reference: null,
      wire: null,
      text: 'The two amounts are equal, so no money moves.',
    };
  }
  const { paidTo } = distribution.share;
  return {
    label: 'Net amount paid to you',
    amount: receives,
    reference: distribution.reference,
    wire: null,
    text: `The fund pays you the net amount${paidTo ? ` to your account …${paidTo}` : ''}. You have nothing to pay.`,
  };
}

/**
 * The notice of a call and a distribution that are netted, to one investor: both parts, the net amount and one payment
 * reference. Nothing in it names another investor.
 * @throws RangeError as `callTables` and `distributionTables`
 */
export function printNettedNotice(parts: NettedParts): PrintedDocument {
  const { call, distribution } = parts;
  const { facts, share } = call;
  const { fund } = facts;
  const { currency } = fund;
  const amount = amountsIn(currency);
  const net = netOfParts(parts);
  const { label, amount: netAmount, reference, wire, text } = outcomeOf(parts, net);
  const names = `Call ${facts.callNumber} and distribution ${distribution.facts.callNumber}`;
  const day = formatCalendarDate(facts.dueDate);
  const descriptions = [facts.trailingDescription, distribution.facts.trailingDescription].filter(Boolean);
  return {
    ...letterOf(facts),
    title: 'Capital call and distribution notice',
    subtitle: joined(names, fundTitle(fund)),
    footer: joined(
      fund.title,
      `capital call ${facts.callNumber}, distribution ${distribution.facts.callNumber}`,
      share.investor.formalName,
      'confidential',
    ),
    blocks: [
      addresseeOf(
        facts,
        share,
        { label: 'Cut-off date of the call', value: formatCalendarDate(facts.cutOffDate) },
        share.position.commitment,
      ),
      {
        kind: 'figures',
        figures: [
          { label, value: moneyText(netAmount, currency) },
          { label: 'Date', value: day },
          ...(reference === null ? [] : [{ label: 'Payment reference', value: reference, isCode: true }]),
        ],
      },
      {
        kind: 'text',
        text: `The general partner calls and the fund distributes the amounts below on ${day}. They are settled as one net amount: ${moneyText(net.deemed, currency)} counts as contributed and as distributed without a payment. ${text}${recallableText(distribution.share)}`,
      },
      {
        kind: 'table',
        title: 'Net amount',
        isRoomy: true,
        columns: [{ head: 'Part', width: 5 }, numeric(`Your share (${currency})`, 1.6)],
        rows: [
          { cells: [`Capital call ${facts.callNumber}`, amount(net.called)] },
          { cells: [`Distribution ${distribution.facts.callNumber}`, amount(negate(net.distributed))] },
        ],
        total: [label, amount(netAmount)],
      },
      ...callTables(facts, share, call.whole),
      ...distributionTables(distribution.facts, distribution.share, distribution.whole),
      ...closingOf(
        { trailingDescription: descriptions.join('\n\n') || null, signatory: facts.signatory },
        wire,
        reference,
      ),
    ],
  };
}
