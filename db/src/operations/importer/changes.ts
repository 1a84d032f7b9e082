import { closingCreateSchema } from '@tapeline/domain/closings/closing.schema.ts';
import { investorReferenceSchema } from '@tapeline/domain/commitments/investor.schema.ts';
import { ONE_EXTENT, PRICE_OF_INTEREST, transferShape } from '@tapeline/domain/commitments/transfer.ts';
import { calendarDateSchema } from '@tapeline/domain/dates/calendar-date.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { nameSchema } from '@tapeline/domain/documents/text.schema.ts';
import { reason } from '@tapeline/domain/errors/reason.ts';
import { isRefusal, type OnRefusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { feeTermsSchema } from '@tapeline/domain/funds/fees.schema.ts';
import { classKeySchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { ChangeKind } from '@tapeline/domain/importer/kinds.ts';
import { moneySchema } from '@tapeline/domain/money/amount.schema.ts';
import { compare, type DecimalText } from '@tapeline/domain/money/decimal.ts';
import { z } from 'zod';
import { LPCommitment } from '../../entities/funds.ts';
import type { Session } from '../../store.ts';
import { secondPersonWarnings } from '../capital/issue-approval.ts';
import { closeInvestors } from '../closings/close-investors.ts';
import { changeSideLetter } from '../commitments/change-commitments.ts';
import { transferCommitment } from '../commitments/transfer-commitment.ts';
import { changeFeeTerms } from '../funds/change-funds.ts';
import { FUNDS } from '../funds/funds.ts';
import { getDocument } from '../listing/list-documents.ts';

const ofFund = { fund: idSchema, Class: classKeySchema.nullish() };
const ofInvestor = { ...ofFund, investor: investorReferenceSchema };

/** What rows become that are no records of their own: the bodies of the calls, with what these name by other ids. */
export const CHANGE_SCHEMAS = {
  feeTerms: z.object({ ...ofFund, from: calendarDateSchema, terms: feeTermsSchema }),
  sideLetters: z.object({
    ...ofInvestor,
    from: calendarDateSchema,
    title: nameSchema(1, 150).nullish(),
    terms: feeTermsSchema,
  }),
  closings: closingCreateSchema.safeExtend({
    /** What each pays in and its interest, as another system has them; null where it does not say. */
    expected: z.array(z.object({ capital: moneySchema.nullable(), interest: moneySchema.nullable() })),
  }),
  transfers: z
    .object({ ...ofInvestor, ...transferShape })
    .refine(...ONE_EXTENT)
    .refine(...PRICE_OF_INTEREST),
} as const;

export type ChangeBodies = { [Kind in ChangeKind]: readonly z.output<(typeof CHANGE_SCHEMAS)[Kind]>[] };
type Body<Kind extends ChangeKind> = ChangeBodies[Kind][number];

/** The commitment of an investor. @throws Refusal badRequest (flag on `investor.id`) */
async function commitmentOf(
  session: Session,
  { fund, investor, Class }: Pick<Body<'transfers'>, 'fund' | 'investor' | 'Class'>,
): Promise<LPCommitment> {
  const found = await session.em.findOne(LPCommitment, {
    fundId: fund,
    investorLPId: investor.kind === 'LP' ? investor.id : null,
    investorFundId: investor.kind === 'fund' ? investor.id : null,
    Class: Class ?? null,
    status: { $ne: 'Removed' },
  });
  return found ?? refuse('This investor has no commitment to the fund', { 'investor.id': reason('noCommitment') });
}

/** @throws Refusal badRequest if the terms were only proposed */
function requireMade({ isProposed }: { isProposed: boolean }): void {
  if (isProposed) refuse('Your firm requires a second person for a change of terms. Enter it on its page', {});
}

async function addFeeTerms(session: Session, { fund, Class, from, terms }: Body<'feeTerms'>) {
  const { id, version } = await getDocument(session, FUNDS, fund);
  requireMade(
    await changeFeeTerms(session, { id, version, replaces: null, terms: { Class: Class ?? null, from, terms } }),
  );
}

async function addSideLetter(session: Session, { from, title, terms, ...of }: Body<'sideLetters'>) {
  const { id, version } = await commitmentOf(session, of);
  requireMade(await changeSideLetter(session, { id, version, replaces: null, letter: { from, title, terms } }));
}

/** What the database says of the whole import when it commits. */
export const NEEDS_ANOTHER = 'Your firm requires a second person for this. Import it as Draft';

/** What follows for each investor is what another system says, if it says something. */
async function addClosing(session: Session, { expected, ...body }: Body<'closings'>) {
  const { figures, investors, callId, distributionId } = await closeInvestors(session, body);
  if (body.status === 'Active') {
    const notices = [callId, distributionId].flatMap((activityId) => (activityId ? [{ activityId }] : []));
    if ((await secondPersonWarnings(session, notices)).length > 0) refuse(NEEDS_ANOTHER, {});
  }
  const flags: Record<string, string> = {};
  for (const [index, { investor, Class }] of body.investors.entries()) {
    const position = figures.positions.find(({ id }) => {
      const own = investors.get(id);
      return (own?.investorLPId ?? own?.investorFundId) === investor.id && (own?.Class ?? null) === (Class ?? null);
    });
    for (const side of ['capital', 'interest'] as const) {
      const [says, follows]: [DecimalText | null, DecimalText] = [
        expected[index]?.[side] ?? null,
        position?.paysIn[side] ?? '0',
      ];
      if (says !== null && compare(says, follows) !== 0) flags[`expected.${index}.${side}`] = `comes to ${follows}`;
    }
  }
  if (Object.keys(flags).length > 0) refuse('The closing comes to other amounts than those of the file', flags);
}

async function addTransfer(session: Session, { fund, investor, Class, ...transfer }: Body<'transfers'>) {
  const { id, version } = await commitmentOf(session, { fund, investor, Class });
  await transferCommitment(session, { commitment: id, version, ...transfer });
}

/** The day of a change. Changes are made in the order of their days, since each builds on those before it. */
export const dayOfChange = (body: Body<ChangeKind>): string =>
  'from' in body ? body.from : 'closingDate' in body ? body.closingDate : body.date;

/** Makes changes one after the other, until one is refused: those after it are not tried. */
const untilRefused =
  <One>(make: (session: Session, body: One) => Promise<void>) =>
  async (session: Session, bodies: readonly One[], onRefusal: OnRefusal): Promise<null[]> => {
    for (const [index, body] of bodies.entries()) {
      try {
        await make(session, body);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // What was changed before the refusal is not written: the caller undoes all of it.
        session.em.clear();
        onRefusal(error, index);
        break;
      }
    }
    return bodies.map(() => null);
  };

/** The operations that make each change: the only writers. */
export const CHANGE_WRITERS = {
  feeTerms: untilRefused(addFeeTerms),
  sideLetters: untilRefused(addSideLetter),
  closings: untilRefused(addClosing),
  transfers: untilRefused(addTransfer),
} as const;
