import type { CapitalLimit } from '@tapeline/domain/capital/capital-limits.ts';
import type { ContributionChange } from '@tapeline/domain/capital/contribution.schema.ts';
import type { DistributionChange } from '@tapeline/domain/capital/distribution.schema.ts';
import type { DividedLine } from '@tapeline/domain/capital/line-split.ts';
import type { OwnAmounts, StoredSplit } from '@tapeline/domain/capital/own-amounts.schema.ts';
import type { LimitedSplit } from '@tapeline/domain/capital/split.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { Contribution, Distribution } from '../../entities/capital.ts';
import type { Fund } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { createdFrom } from '../metadata.ts';
import type { ChangeableCapital } from './capital-changes.ts';
import type { HeaderKey, LineTable } from './headers.ts';
import { type BeyondLimit, beyondLimits } from './ledgers.ts';
import { copiedFrom, type InvestorPart, type Scope } from './split-over-investors.ts';

export type CapitalLine = Contribution | Distribution;

export type LineChange = ContributionChange | DistributionChange;

/** A line as it is entered, before it is divided over the investors. */
export interface EnteredLine extends DividedLine {
  /** Where a refusal names it: `callPurposes.0`. */
  readonly path: string;
  readonly title: string;
}

export interface Termed extends Omit<HeaderKey, 'fundId'> {
  /** What people set for single investors. */
  readonly own?: readonly OwnAmounts[] | undefined;
}

/** How the lines of a new call or distribution are stored. */
export interface Entered {
  readonly status?: 'Draft' | 'Active' | undefined;
  readonly timezoneOffset?: number | null | undefined;
}

/** What calls and distributions do not share where they are entered, changed, issued, closed and withdrawn. */
export interface ActivityKind<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View> {
  readonly table: LineTable;
  /** The field with the amount. */
  readonly flag: 'amount' | 'principal';
  readonly changes: ChangeableCapital<Line>;
  /** The limits that a line can break, and its removal. */
  readonly limits: { readonly entered: readonly CapitalLimit[]; readonly removed: readonly CapitalLimit[] };
  /** Whether drafts are within the limits as well, so that a dry run warns of what is beyond. */
  readonly limitsDrafts: boolean;
  /** What is wrong with the terms of a whole call or distribution, and with those of one investor. */
  readonly require: (session: Session, scope: WholeScope, terms: Terms) => Promise<void> | void;
  readonly checksOf: (fund: Fund, terms: Terms) => (() => void)[];
  /** What is wrong with lines as they are to be stored. */
  readonly requireLines: (lines: readonly Line[]) => void;
  /** The amounts that are divided, of the terms and of a line, in the same order. */
  readonly linesOf: (terms: Terms) => EnteredLine[];
  readonly amountsOf: (line: Line) => DecimalText[];
  /** How it counts towards its limits. */
  readonly split: (terms: Terms) => LimitedSplit;
  /** The columns of a line, besides those of its header and share. */
  readonly columns: (terms: Terms, amounts: readonly DecimalText[]) => Partial<Line>;
  /** The columns that a change of a line names, besides those that all lines have. */
  readonly fieldsOf: (line: Line, item: Item) => Partial<Line>;
  readonly views: (session: Session, lines: readonly Line[]) => Promise<View[]>;
}

/** How the lines are divided, for their header. */
export const splitsOf = (lines: readonly EnteredLine[]): StoredSplit[] =>
  lines.map(({ rule, amount, days, ratePercent, taxed, investment }) => ({
    rule,
    amount,
    ...days,
    ...(investment === undefined ? {} : { investment }),
    ...(taxed ? { ratePercent } : {}),
  }));

/** The amounts of lines of a single investor, which has the whole of them. */
export const wholeAmounts = (lines: readonly EnteredLine[]): DecimalText[] => lines.map(({ amount }) => amount ?? '0');

export interface WholeScope extends Omit<Scope, 'cutOffDate'> {
  readonly fund: Fund;
}

export const columnsOf = <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  kind: ActivityKind<Line, Terms, Item, View>,
  terms: Terms,
  {
    amounts,
    percentage,
    percentageOf,
    basis,
    excuse,
  }: Pick<InvestorPart, 'amounts' | 'percentage' | 'percentageOf' | 'basis' | 'excuse'>,
) => ({
  cutOffDate: terms.cutOffDate,
  callNumber: terms.callNumber,
  holdingPercentage: percentage,
  holdingClass: percentageOf,
  ...kind.columns(terms, amounts),
  basis,
  ...(kind.table === 'contributions'
    ? { excuseReason: excuse?.reason ?? null, excuseFileId: excuse?.document ?? null }
    : {}),
});

/** One investor's line, to be stored. */
export const newLine = <Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  terms: Terms,
  part: InvestorPart,
  { status = 'Draft', timezoneOffset, activityId }: Entered & { activityId: string },
): Line =>
  session.em.create(kind.changes.listable.entity, {
    id: newId(session.now),
    ...copiedFrom(part.commitment),
    ...columnsOf(kind, terms, part),
    status,
    timezoneOffset: timezoneOffset ?? null,
    activityId,
    metadata: createdFrom(session, terms),
    issuedOn: status === 'Active' ? todayOf(session) : null,
  } as never) as Line;

/** Which investors would be beyond a limit, in words. */
export function beyondOf<Line extends CapitalLine, Terms extends Termed, Item extends LineChange, View>(
  kind: ActivityKind<Line, Terms, Item, View>,
  terms: Terms,
  parts: readonly InvestorPart[],
  status: Entered['status'],
): BeyondLimit[] {
  if (!kind.limitsDrafts && status !== 'Active') return [];
  const { withDocument } = kind.split(terms);
  return beyondLimits(
    parts.map(({ commitment: { title, currency }, ledger, amounts }) => ({
      title,
      currency,
      ledger: withDocument(ledger, amounts),
    })),
    kind.limits.entered,
  );
}
