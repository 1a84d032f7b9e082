import {
  type BeforeAndAfter,
  planTransfer,
  type TransferPlan,
  type TransferSide,
  transferCommitment,
} from '@tapeline/db/operations/commitments/transfer-commitment.ts';
import { getTransfer, type TransferView, transfersOfFund } from '@tapeline/db/operations/commitments/transfers.ts';
import {
  TRANSFERRED_FIGURES,
  transferCreateSchema,
  transferSchema,
} from '@tapeline/domain/commitments/transfer.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { type DecimalText, subtract } from '@tapeline/domain/money/decimal.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { inCurrency, investorBody } from './capital-bodies.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const PATH = '/crud/transfers';

const EXAMPLE = {
  commitment: '65f000000000000000000001',
  version: 1,
  to: { id: '65f000000000000000000002', kind: 'LP' },
  date: '2027-06-30',
  sharePercent: 25,
  price: 1_250_000,
  dryRun: true,
};

/** Figures before and after, and what changes. */
function changeBody(
  pairs: readonly [name: string, before: DecimalText | null, after: DecimalText | null][],
  currency: string,
) {
  const body = (of: (before: DecimalText | null, after: DecimalText | null) => DecimalText | null) =>
    Object.fromEntries(
      pairs.map(([name, before, after]) => {
        const sum = of(before, after);
        return [name, sum === null ? null : inCurrency(sum, currency)];
      }),
    );
  return {
    before: body((before) => before),
    after: body((_, after) => after),
    difference: body((before, after) => (before === null || after === null ? null : subtract(after, before))),
  };
}

const figurePairs = ({ before, after }: BeforeAndAfter) =>
  TRANSFERRED_FIGURES.map((name): [string, DecimalText | null, DecimalText | null] => [
    name,
    before[name],
    after[name],
  ]);

const sideBody = ({ figures, maxBefore, maxAfter }: TransferSide, currency: string) =>
  changeBody([...figurePairs(figures), ['maxCommitment', maxBefore, maxAfter]], currency);

/** A dry run has neither its id nor that of a commitment that it would make. */
const toTransfer = (transfer: TransferView, plan?: TransferPlan) => {
  const { currency, price, from, to } = transfer;
  return {
    ...(plan ? {} : { id: transfer.id }),
    fund: transfer.fundId,
    Class: transfer.Class,
    date: transfer.date,
    from: { commitment: from.commitmentId, investor: investorBody(from) },
    to: { commitment: plan?.isNew ? null : to.commitmentId, investor: investorBody(to) },
    amount: inCurrency(transfer.amount, currency),
    sharePercent: exactNumber(transfer.sharePercent),
    price: price === null ? null : inCurrency(price, currency),
    document: transfer.documentId,
    ...(plan
      ? {
          changes: {
            from: sideBody(plan.from, currency),
            to: sideBody(plan.to, currency),
            fund: changeBody(figurePairs(plan.fund), currency),
          },
        }
      : {}),
  };
};

export const transferEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'LPs/commitments/read',
    summary: 'List the transfers between investors of a fund, the latest first',
    query: z.object({ fund: idSchema }),
    response: z.array(transferSchema),
    handle: ({ query, read }) =>
      read(async (session) => ({
        body: (await transfersOfFund(session, query.fund)).map((transfer) => toTransfer(transfer)),
      })),
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}`,
    access: 'LPs/commitments/read',
    summary: 'Get a transfer between two investors of a fund',
    params: idParamsSchema,
    response: transferSchema,
    handle: ({ params, read }) =>
      read(async (session) => ({ body: toTransfer(await getTransfer(session, params.id)) })),
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'LPs/commitments/write',
    summary:
      'Transfer unfunded commitment, or a share of an interest with everything that was called, paid and valued before. With dryRun, returns it and what it changes without saving it',
    body: transferCreateSchema,
    response: transferSchema,
    example: { body: EXAMPLE },
    handle: (call) =>
      call.db(
        async (session) => {
          if (call.body.dryRun) {
            const plan = await planTransfer(session, call.body);
            return { body: toTransfer(plan.transfer, plan), status: 200 as const };
          }
          const { id } = await transferCommitment(session, call.body);
          return { body: toTransfer(await getTransfer(session, id)) };
        },
        { rollback: call.body.dryRun },
      ),
  }),
];
