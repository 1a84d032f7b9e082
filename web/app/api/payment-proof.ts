import { assetIdOf } from '@tapeline/db/ids.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { wireAmountSchema } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { PAYMENT_COLUMNS, type PaymentColumn } from '@tapeline/domain/pools/payment-proof.ts';
import { paymentProofQuerySchema, unprovedLoansQuerySchema } from '@tapeline/domain/pools/pool-query.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { openPayments, paymentDocuments, proofOf, unprovedOf } from '../commands/payment-proof.server.ts';
import type { RolledPair } from '../commands/roll-forward.server.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { type Calling, inSightOf } from './pool-analytics.ts';
import { pairShape } from './pool-bodies.ts';
import { headOf, rolledOrRefuse } from './roll-forward.ts';

/** Cells that could not be read, of which a response has the first. */
const SHOWN_UNREAD = 50;

const countedSchema = z.object({ count: z.int(), balance: wireAmountSchema });
const sumsShape = { advance: wireAmountSchema, principal: wireAmountSchema, writtenOff: wireAmountSchema };

const proofSchema = z
  .object({
    ...pairShape,
    file: z
      .object({
        name: z.string(),
        sheet: z.string(),
        columns: z.record(z.enum(PAYMENT_COLUMNS), z.string().nullable()),
        rows: z.int().meta({ description: 'Rows that were read' }),
        otherPeriod: z.int().meta({ description: 'Rows dated outside the period between the two tapes' }),
        unreadRows: z.int().meta({ description: 'Rows that were left out because a cell could not be read' }),
        unread: z
          .array(z.object({ row: z.int(), column: z.enum(PAYMENT_COLUMNS), cell: z.string() }))
          .meta({ description: `The first ${SHOWN_UNREAD}` }),
      })
      .nullable()
      .meta({ description: 'Null: no other document of the tape can be a payment file' }),
    currencies: z
      .array(
        z.object({
          currency: z.string(),
          loans: z.int(),
          opening: wireAmountSchema,
          ...sumsShape,
          unexplained: wireAmountSchema,
          closing: wireAmountSchema,
          proved: z.int(),
          provedBalance: wireAmountSchema,
          differences: wireAmountSchema.meta({
            description: 'The differences of the loans that are not proved, without their signs',
          }),
          notProvable: countedSchema,
          added: countedSchema,
        }),
      )
      .meta({ description: 'opening + advance - principal - writtenOff + unexplained = closing, exactly' }),
    unmatched: z
      .array(
        z.object({
          currency: z.string().nullable(),
          loans: z.int(),
          advance: z.number(),
          principal: z.number(),
          writtenOff: z.number(),
        }),
      )
      .meta({
        description: 'Payments of loans that are not among those of the earlier tape, by the currency of the file',
      }),
  })
  .meta({ id: 'PaymentProof' });

type Asked = {
  readonly loanTapeId: string;
  readonly against?: string | undefined;
  readonly file: number;
  readonly sheet?: string | undefined;
} & Readonly<Partial<Record<PaymentColumn, string | undefined>>>;

/** The pair with the payments of the asked file; null if the tape has no document that can be one. */
async function openedOrRefuse(calling: Calling, query: Asked) {
  const rolled = await rolledOrRefuse(calling, query);
  if (query.file === 0 && paymentDocuments(rolled.after).length === 0) return { rolled, payments: null };
  const choice = { file: query.file, sheet: query.sheet, columns: pick(query, ...PAYMENT_COLUMNS) };
  const payments = await openPayments(calling.context, inSightOf(calling), rolled, choice);
  if (!payments.read) throw new Refusal('badRequest', undefined, { flags: payments.problems });
  return { rolled, payments: { ...payments, read: payments.read } };
}

export const paymentProofEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/paymentProof',
    access: 'assets/read',
    summary:
      'Get what the payments of a file explain of the change since an earlier tape. The file is one of the other documents of the later tape',
    query: paymentProofQuerySchema,
    response: proofSchema,
    async handle({ query, ...calling }) {
      const { rolled, payments } = await openedOrRefuse(calling, query);
      if (!payments) return { body: { ...headOf(rolled), file: null, currencies: [], unmatched: [] } };
      const { name, sheetName, mapping, read } = payments;
      const { currencies, unmatched } = await proofOf(calling.context, rolled, payments, read);
      return {
        body: {
          ...headOf(rolled),
          file: {
            name,
            sheet: sheetName,
            columns: mapping,
            rows: read.rows,
            otherPeriod: read.otherPeriod,
            unreadRows: read.unread.length,
            unread: read.unread.slice(0, SHOWN_UNREAD),
          },
          currencies: currencies.map(({ currency, loans, proved, notProvable, added, ...sums }) => {
            const money = (sum: DecimalText) => ({ sum, currency });
            return {
              currency,
              loans,
              proved,
              opening: money(sums.opening),
              advance: money(sums.advance),
              principal: money(sums.principal),
              writtenOff: money(sums.writtenOff),
              unexplained: money(sums.unexplained),
              closing: money(sums.closing),
              provedBalance: money(sums.provedBalance),
              differences: money(sums.differences),
              notProvable: { count: notProvable.count, balance: money(notProvable.balance) },
              added: { count: added.count, balance: money(added.balance) },
            };
          }),
          unmatched: unmatched.map(({ currency, loans, ...sums }) => ({
            currency,
            loans,
            advance: exactNumber(sums.advance),
            principal: exactNumber(sums.principal),
            writtenOff: exactNumber(sums.writtenOff),
          })),
        },
      };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/LTP/analytics/paymentProof/loans',
    access: 'assets/read',
    summary: 'List the loans whose balance the payments of the file do not explain, the largest difference first',
    query: unprovedLoansQuerySchema,
    response: z.array(
      z
        .object({
          id: z.string(),
          before: z.string().meta({ description: 'The id of the asset on the earlier tape' }),
          after: z.string().nullable(),
          opening: wireAmountSchema,
          ...sumsShape,
          expected: wireAmountSchema,
          closing: wireAmountSchema,
          difference: wireAmountSchema,
        })
        .meta({ id: 'UnprovedLoan' }),
    ),
    async handle({ query, ...calling }) {
      const { rolled, payments } = await openedOrRefuse(calling, query);
      if (!payments) return { count: 0, body: [] };
      const { loans, total } = await unprovedOf(calling.context, rolled, payments.read, query);
      return { count: total, body: loans.map((loan) => loanBody(loan, rolled)) };
    },
  }),
];

function loanBody(loan: Awaited<ReturnType<typeof unprovedOf>>['loans'][number], { tapes }: RolledPair) {
  const money = (sum: DecimalText) => ({ sum, currency: loan.currency });
  return {
    id: loan.assetId,
    before: assetIdOf(tapes.before.assetPrefix, loan.beforeRow),
    after: loan.afterRow === null ? null : assetIdOf(tapes.after.assetPrefix, loan.afterRow),
    opening: money(loan.opening),
    advance: money(loan.advance),
    principal: money(loan.principal),
    writtenOff: money(loan.writtenOff),
    expected: money(loan.expected),
    closing: money(loan.closing),
    difference: money(loan.difference),
  };
}
