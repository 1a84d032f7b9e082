import { capitalFigures } from '@tapeline/domain/capital/capital-figures.ts';
import { roomWithin } from '@tapeline/domain/capital/capital-limits.ts';
import {
  type DividedInvestor,
  type DivideProblem,
  dividedTotals,
  divideLines,
  isByRule,
} from '@tapeline/domain/capital/line-split.ts';
import type { OwnAmounts } from '@tapeline/domain/capital/own-amounts.schema.ts';
import { roundedWithin } from '@tapeline/domain/capital/split.ts';
import { paidForInvestment } from '@tapeline/domain/capital/waterfall-split.ts';
import { addDays } from '@tapeline/domain/dates/calendar-date.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { absolute, type DecimalText, isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { asProgram, type Session } from '../../store.ts';
import { uploadedFiles } from '../files/files.ts';
import type { ActivityKind, CapitalLine, EnteredLine, LineChange, Termed, WholeScope } from './activity-kind.ts';
import { ownManagementFees, waterfallsOf } from './fees.ts';
import { investmentOf } from './investments.ts';
import { commitmentsInForce, type FundCommitment, HIDDEN_INVESTOR, ledgersOf } from './ledgers.ts';
import { byInvestor, type InvestorPart, investorsOn, ownCommitment } from './split-over-investors.ts';

/** Names in one message. */
const MAX_NAMES = 10;

/** What keeps lines from being entered, in words, with the field that it is about. */
export interface LineProblem {
  readonly path: string;
  readonly text: string;
}

/** Lines divided over the investors. */
export interface DividedOver {
  readonly parts: InvestorPart[];
  readonly problems: readonly LineProblem[];
  /** What each line comes to, over all investors. */
  readonly totals: readonly DecimalText[];
  /** What nobody took over of what others are excused from, in words. */
  readonly notCalled: readonly string[];
}

/** The own amounts of each commitment. What the actor cannot see has no commitment. @throws Refusal badRequest with flags */
async function ownByCommitment(
  session: Session,
  fundId: string,
  own: readonly OwnAmounts[],
): Promise<ReadonlyMap<string, OwnAmounts>> {
  const found = new Map<string, OwnAmounts>();
  if (own.length === 0) return found;
  const visible = await commitmentsInForce(session, { fundIds: [fundId] });
  const ids = new Set(visible.map(({ id }) => id));
  const byOwner = byInvestor(visible);
  for (const [index, one] of own.entries()) {
    const { of } = one;
    const at = (flag: string) => `amounts.${index}.${flag}`;
    const id = 'commitmentId' in of ? of.commitmentId : commitmentAt({ fund: fundId, ...of }, byOwner, at);
    if (!ids.has(id))
      refuse('This investor has no commitment to the fund', { [at('investor.id')]: 'has no commitment' });
    if (found.has(id)) {
      refuse('An investor has amounts of its own twice', { [at('investor.id')]: 'is named twice' });
    }
    found.set(id, one);
  }
  return found;
}

/** @throws Refusal as `ownCommitment`, at the place of the own amounts */
function commitmentAt(
  body: { fund: string; investor: { id: string }; Class: string | null },
  commitments: ReturnType<typeof byInvestor>,
  at: (flag: string) => string,
): string {
  try {
    return ownCommitment({ ...body, investor: { ...body.investor, kind: 'LP' } }, commitments).id;
  } catch (error) {
    if (!(error instanceof Refusal) || !error.flags) throw error;
    const flags = Object.entries(error.flags).map(([path, why]) => [at(path), why]);
    throw new Refusal(error.code, error.message, { flags: Object.fromEntries(flags), cause: error });
  }
}

/** The documents of excuses are files of the manager. @throws Refusal badRequest */
async function requireDocuments(session: Session, own: readonly OwnAmounts[]): Promise<void> {
  const keysOrIds = [...new Set(own.flatMap(({ excuse }) => excuse?.document ?? []))];
  if (keysOrIds.length === 0) return;
  const files = await uploadedFiles(session, { bucket: 'capitalCalls', keysOrIds });
  const index = own.findIndex(({ excuse }) => excuse?.document && !files.has(excuse.document));
  if (index < 0) return;
  refuse('The document does not exist, or its upload is incomplete. Upload it first', {
    [`amounts.${index}.excuse.document`]: 'is not a file in capitalCalls',
  });
}

/** What a problem of a line says, and where. */
function problemText(
  problem: DivideProblem,
  { path, title, rule, amount, tier }: EnteredLine,
  { currency, titleOf }: { currency: string; titleOf: (id: string) => string },
): LineProblem {
  if (problem.kind === 'noWeights') {
    return { path, text: `Nobody has paid in anything by this day, so ${title} cannot be divided by paid-in capital` };
  }
  if (problem.kind === 'unknown') {
    const names = firstFew(problem.investors.map(titleOf), { most: MAX_NAMES, separator: '; ' });
    if (tier) {
      return {
        path,
        text: `${title} is unknown for ${names}: its terms agree on no success fee, on one by facility although the distribution names no investment, or on one without compounding, which is not calculated. Enter the rate in the terms, 0 if there is none, or enter the amounts`,
      };
    }
    return {
      path,
      text: `${title} is unknown for ${names}: the fee is on a NAV that is not recorded. Enter the amounts`,
    };
  }
  const size = writtenAmount({ sum: absolute(problem.left), currency });
  const parts = rule === 'terms' ? 'the investors’ own terms come to' : 'the amounts entered come to';
  const whole =
    amount === null || tier ? (tier ? 'the proceeds' : 'the total') : writtenAmount({ sum: amount, currency });
  return { path, text: `${title}: ${parts} ${size} ${isNegative(problem.left) ? 'more' : 'less'} than ${whole}` };
}

/** @throws Refusal badRequest with a flag at each line that cannot be divided */
export function refuseUndivided(problems: readonly LineProblem[]): void {
  const [first] = problems;
  if (!first) return;
  refuse(first.text, Object.fromEntries(problems.map(({ path, text }) => [`${path}.amount`, text])));
}

/** The own fees of the lines by terms that are no taxes: by commitment, in the order of the lines. */
async function owedOf(
  session: Session,
  lines: readonly EnteredLine[],
  commitments: readonly FundCommitment[],
  ledgers: Awaited<ReturnType<typeof ledgersOf>>,
  digits: number,
): Promise<(id: string) => (DecimalText | null)[]> {
  const fees: (ReadonlyMap<string, DecimalText | null> | null)[] = [];
  for (const { rule, days, path } of lines) {
    const period = rule === 'terms' && days ? { from: days.from, to: addDays(days.until, 1) } : null;
    fees.push(period && (await ownManagementFees(session, { commitments, ledgers, period, digits, path })));
  }
  return (id) => fees.map((own) => (own ? (own.get(id) ?? null) : null));
}

/**
 * Divides the lines of a call or distribution over the investors of a fund or class, each by its own rule. An investor
 * whom the actor cannot see has its part as well, but no amounts of its own.
 * @returns parts also where there are problems: a dry run shows them
 * @throws Refusal badRequest if nobody has a commitment on the day, and for own amounts that fit no investor
 */
export async function divideOverInvestors<
  Line extends CapitalLine,
  Terms extends Termed,
  Item extends LineChange,
  View,
>(
  session: Session,
  kind: ActivityKind<Line, Terms, Item, View>,
  scope: WholeScope,
  terms: Terms,
): Promise<DividedOver> {
  const { fund } = scope;
  const { cutOffDate } = terms;
  const lines = kind.linesOf(terms);
  const own = terms.own ?? [];
  const ownOf = await ownByCommitment(session, fund.id, own);
  await requireDocuments(session, own);
  const digits = minorUnitDigits(fund.currency);
  return asProgram(session, async () => {
    const all = await investorsOn(session, { ...scope, cutOffDate });
    const commitments = all.map(({ commitment }) => commitment);
    const ledgers = await ledgersOf(
      session,
      commitments.map(({ id }) => id),
    );
    const present = new Set(all.filter(({ weight }) => !isZero(weight)).map(({ commitment }) => commitment.id));
    const missing = [...ownOf.keys()].findIndex((id) => !present.has(id));
    if (missing >= 0) {
      refuse('An investor with amounts of its own has no part in this', {
        [`amounts.${missing}.investor.id`]: 'has no part in this',
      });
    }
    const owed = await owedOf(session, lines, commitments, ledgers, digits);
    const title = lines.find((line) => line.investment !== undefined)?.investment;
    const investment = title === undefined ? null : await investmentOf(session, fund.id, title);
    const waterfalls = lines.some(({ rule }) => rule === 'waterfall')
      ? await waterfallsOf(session, { commitments, ledgers, at: cutOffDate, digits, investment })
      : null;
    const spreads = own.some(({ excuse }) => excuse !== null);
    const limited = kind.split(terms);
    const investors = all.map(({ commitment: { id, code }, weight }): DividedInvestor => {
      const ledger = ledgers.get(id)!;
      const room = spreads ? roomFor(limited, ledger, lines.length) : null;
      return {
        id,
        code,
        weight,
        paidIn: lines.some(({ rule }) => rule === 'paidIn') ? capitalFigures(ledger, cutOffDate).called : '0',
        ...(investment ? { paidFor: paidForInvestment(ledger, investment(id), cutOffDate) } : {}),
        owed: owed(id),
        waterfall: waterfalls?.get(id),
        own: ownOf.get(id)?.lines ?? lines.map(() => null),
        room,
      };
    });
    const capPercent = fund.excuseCap ?? null;
    const { parts, problems, notCalled } = divideLines(lines, investors, { digits, capPercent });
    const unrounded = all.flatMap(({ commitment, percentage }) => {
      const part = parts.get(commitment.id);
      return part
        ? [
            {
              code: commitment.code,
              commitment,
              ...part,
              percentage,
              percentageOf: scope.Class ?? null,
              ledger: ledgers.get(commitment.id)!,
              excuse: ownOf.get(commitment.id)?.excuse ?? null,
              isRounded: part.basis.map(isByRule),
            },
          ]
        : [];
    });
    const rounded = roundedWithin(unrounded, digits, limited);
    const titles = new Map(commitments.map(({ id, title }) => [id, title ?? HIDDEN_INVESTOR]));
    const words = { currency: fund.currency, titleOf: (id: string) => titles.get(id) ?? HIDDEN_INVESTOR };
    const cap = capPercent === null ? '' : ` within the cap of ${capPercent} %`;
    return {
      parts: rounded.map(({ isRounded: _, code: __, ...part }) => part),
      problems: problems.map((problem) => problemText(problem, lines[problem.line]!, words)),
      totals: dividedTotals(lines, rounded, digits),
      notCalled: notCalled.flatMap((sum, index) =>
        isZero(sum)
          ? []
          : [
              `${writtenAmount({ sum, currency: fund.currency })} of ${lines[index]!.title} is not called: nobody else can take it over${cap}`,
            ],
      ),
    };
  });
}

/** The most that all counted lines together can ask of an investor; null without a limit. */
const roomFor = (
  { limit, from, withDocument }: ReturnType<ActivityKind<CapitalLine, Termed, LineChange, unknown>['split']>,
  ledger: InvestorPart['ledger'],
  lines: number,
): DecimalText | null => {
  const nothing = Array.from({ length: lines }, () => '0');
  return roomWithin(limit, withDocument(ledger, nothing), from);
};
