import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type AgreedTerms, agreedTerms, type FeeAgreements } from '@tapeline/domain/funds/fee-terms.ts';
import type { FeeTerms, FundFeeTerms } from '@tapeline/domain/funds/fees.schema.ts';
import { minorUnitProblem } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { Fund } from '../../entities/funds.ts';
import type { ReadSession } from '../../read-session.ts';
import { commitmentsInForce, HIDDEN_INVESTOR } from '../capital/ledgers.ts';

/** What is wrong with the sums of fee terms in a currency, by their paths. */
export function termProblems(terms: FeeTerms, currency: string): [path: string, problem: string][] {
  const sums: [string, DecimalText | null | undefined][] = [
    ['management.minimum', terms.management?.minimum],
    ['overallCap', terms.overallCap],
  ];
  return sums.flatMap(([path, sum]) => {
    const problem = sum == null ? null : minorUnitProblem(sum, currency);
    return problem === null ? [] : [[path, problem] as [string, string]];
  });
}

/** @throws Refusal badRequest with a flag at each of the terms that has no class of the fund, or a sum that it cannot have */
export function requireFeeTerms(
  { currency, classes }: { currency: string; classes: readonly { uniqueKey?: string | undefined }[] },
  entries: readonly FundFeeTerms[],
): void {
  const keys = new Set(classes.map(({ uniqueKey }) => uniqueKey));
  const problems = entries.flatMap(({ Class, terms }, index): [string, string][] => [
    ...(Class == null || keys.has(Class)
      ? []
      : [[`feeTerms.${index}.Class`, 'is not a class of the fund'] as [string, string]]),
    ...termProblems(terms, currency).map(([path, why]): [string, string] => [`feeTerms.${index}.terms.${path}`, why]),
  ]);
  if (problems.length === 0) return;
  const isOfClass = problems.some(([path]) => path.endsWith('.Class'));
  throw new Refusal(
    'badRequest',
    isOfClass ? 'Fee terms name a class that the fund does not have. Remove these terms first' : undefined,
    { flags: Object.fromEntries(problems) },
  );
}

/** In the order of their days, with the class that they are of. */
export const storedFeeTerms = (entries: readonly FundFeeTerms[]): Fund['feeTerms'] =>
  entries
    .map(({ Class, from, terms }) => ({ Class: Class ?? null, from, terms }))
    .toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : (a.Class ?? '') < (b.Class ?? '') ? -1 : 1));

/** What commitments and their funds have agreed on fees, by commitment. */
export async function agreementsOf(session: ReadSession, ids: readonly string[]): Promise<Map<string, FeeAgreements>> {
  const rows = await session.query<FeeAgreements & { id: string }>(
    `select c.id, c.class as "Class", c.fees, c.side_letters as "sideLetters", coalesce(f.fee_terms, '[]') as "fundTerms",
       f.investment_period_end::text as "investmentPeriodEnd"
     from lp_commitments c left join funds f on f.id = c.fund_id where c.id = any ($1)`,
    [[...ids]],
  );
  return new Map(rows.map(({ id, ...agreements }) => [id, agreements]));
}

/** The terms that hold for an investor on a day, and where each part of them comes from. */
export interface InvestorTerms {
  readonly commitmentId: string;
  readonly title: string;
  readonly Class: string | null;
  readonly terms: FeeTerms;
  readonly sources: ReturnType<AgreedTerms['sourcesOn']>;
}

/** Whose terms hold for each investor of a fund on a day, of those whom the actor can see. */
export async function feeTermsOfInvestors(
  session: ReadSession,
  { fundId, at }: { fundId: string; at: CalendarDate },
): Promise<InvestorTerms[]> {
  const commitments = await commitmentsInForce(session, { fundIds: [fundId] });
  const agreements = await agreementsOf(
    session,
    commitments.map(({ id }) => id),
  );
  return commitments
    .flatMap(({ id, title, Class }): InvestorTerms[] => {
      const agreed = agreements.get(id);
      if (!agreed) return [];
      const own = agreedTerms(agreed);
      return [
        { commitmentId: id, title: title ?? HIDDEN_INVESTOR, Class, terms: own.on(at), sources: own.sourcesOn(at) },
      ];
    })
    .toSorted((a, b) => a.title.localeCompare(b.title));
}
