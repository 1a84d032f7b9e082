import { getCallHeader, getDistributionHeader } from '@tapeline/db/operations/capital/calls-and-distributions.ts';
import { callCapital } from '@tapeline/db/operations/capital/contributions.ts';
import { distribute } from '@tapeline/db/operations/capital/distributions.ts';
import { netDrafts } from '@tapeline/db/operations/capital/netting.ts';
import { createWriteOffs } from '@tapeline/db/operations/capital/write-offs.ts';
import { closeInvestors } from '@tapeline/db/operations/closings/close-investors.ts';
import { createCommitment } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { transferCommitment } from '@tapeline/db/operations/commitments/transfer-commitment.ts';
import { createEntity } from '@tapeline/db/operations/entities/entities.ts';
import { createFund } from '@tapeline/db/operations/funds/change-funds.ts';
import { createMainFund } from '@tapeline/db/operations/funds/main-funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { writeOffCreateSchema } from '@tapeline/domain/capital/write-off.schema.ts';
import { closingCreateSchema } from '@tapeline/domain/closings/closing.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { commitmentTransferSchema } from '@tapeline/domain/commitments/transfer.ts';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { entityCreateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { mainFundCreateSchema } from '@tapeline/domain/funds/main-fund.schema.ts';
import { asManager } from './acting.ts';
import { fillIn, type Names } from './data.ts';

/** What later calls name a call or distribution by. */
const headerOf = ([first]: readonly { readonly activityId: string }[]) => ({ id: first?.activityId });

/** The calls of the data, by the collection that they create documents of. */
const CALLS: Record<string, (session: Session, body: unknown) => Promise<unknown>> = {
  entities: (session, body) => createEntity(session, entityCreateSchema.parse(body)),
  funds: async (session, body) => (await createFund(session, fundCreateSchema.parse(body))).fund,
  mainFunds: (session, body) => createMainFund(session, mainFundCreateSchema.parse(body)),
  commitments: (session, body) => createCommitment(session, commitmentCreateSchema.parse(body)),
  transfers: (session, body) => transferCommitment(session, commitmentTransferSchema.parse(body)),
  contributions: async (session, body) => headerOf(await callCapital(session, contributionCreateSchema.parse(body))),
  distributions: async (session, body) => headerOf(await distribute(session, [distributionCreateSchema.parse(body)])),
  nettings: async (session, body) => {
    const { call, distribution } = body as { call: string; distribution: string };
    return netDrafts(session, {
      call: await getCallHeader(session, call),
      distribution: await getDistributionHeader(session, distribution),
    });
  },
  closings: (session, body) => closeInvestors(session, closingCreateSchema.parse(body)),
  writeOffs: (session, body) => createWriteOffs(session, [writeOffCreateSchema.parse(body)]),
};

/** A call of the demonstration's manager. */
export interface Call {
  /** The day, as `fillIn` reads it. What is still to come is done on the day of the seeding. */
  readonly on: string;
  readonly call: string;
  readonly body: unknown;
  /** What later calls name the document by. */
  readonly as?: string;
}

/**
 * Makes the calls in their order.
 * @param names of documents that are there
 * @param time of the day: "10:20"
 * @returns these names and those of the new documents
 */
export async function makeCalls(session: Session, calls: readonly Call[], names: Names, time: string): Promise<Names> {
  const { now } = session;
  const known: Record<string, string> = { ...names };
  const today = calendarDateOf(now);
  for (const { on, call, body, as } of calls) {
    const day = fillIn(on, {}, now);
    const make = CALLS[call];
    if (!make) throw new Error(`The demonstration cannot call ${call}`);
    const [at] = [day, today].sort();
    const made = await asManager(session, `${at}T${time}:00.000Z`, (acting) => make(acting, fillIn(body, known, now)));
    if (as !== undefined) known[as] = (made as { id: string }).id;
  }
  return known;
}
