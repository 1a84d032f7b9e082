import { closeInvestors } from '@tapeline/db/operations/closings/close-investors.ts';
import {
  type ClosingLine,
  type ClosingView,
  closingsOfFund,
  getClosing,
} from '@tapeline/db/operations/closings/closings.ts';
import { closingCreateSchema, closingSchema } from '@tapeline/domain/closings/closing.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { inCurrency, investorBody } from './capital-bodies.ts';
import { idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const PATH = '/crud/closings';

const EXAMPLE = {
  fund: '65f000000000000000000001',
  title: 'Second closing',
  closingDate: '2027-06-30',
  dueDate: '2027-07-15',
  callNumber: '3',
  distributionNumber: '1',
  investors: [{ investor: { id: '65f000000000000000000002', kind: 'LP' }, amount: 16_000_000 }],
  dryRun: true,
};

/** A dry run has neither an id nor those of what it would store. */
const toClosing = (closing: ClosingView) => {
  const { currency, figures, investors, warnings } = closing;
  const isStored = warnings === undefined;
  const amount = (sum: string) => inCurrency(sum, currency);
  const sides = ({ capital, interest }: { capital: string; interest: string }) => ({
    capital: amount(capital),
    interest: amount(interest),
  });
  const isNew = new Set(figures.positions.filter((position) => position.isNew).map(({ id }) => id));
  const commitment = (id: string) => (isStored || !isNew.has(id) ? id : null);
  const part = ({ id, amount: sum, interest }: ClosingLine['entrants'][number]) => ({
    commitment: commitment(id),
    amount: amount(sum),
    interest: amount(interest),
  });
  return {
    ...(isStored ? { id: closing.id } : {}),
    fund: closing.fundId,
    ...pick(closing, 'title', 'closingDate', 'dueDate', 'firstClosing', 'callNumber', 'distributionNumber'),
    call: isStored ? closing.callId : null,
    distribution: isStored ? closing.distributionId : null,
    terms: closing.terms,
    commitments: { before: amount(figures.commitments.before), after: amount(figures.commitments.after) },
    lines: figures.lines.map((line) => ({
      ...pick(line, 'call', 'callNumber', 'title', 'kind', 'dueDate', 'days'),
      called: amount(line.called),
      paysIn: line.entrants.map(part),
      returned: line.refunds.map(part),
      toManager: { amount: amount(line.toManager.amount), interest: amount(line.toManager.interest) },
    })),
    investors: figures.positions.map((position) => {
      const own = investors.get(position.id)!;
      return {
        investor: investorBody(own),
        Class: own.Class,
        commitment: commitment(position.id),
        isNew: position.isNew,
        added: amount(position.added),
        committed: amount(position.commitment),
        paysIn: sides(position.paysIn),
        receives: sides(position.receives),
        net: amount(position.net),
        unfunded: { before: amount(position.unfunded.before), after: amount(position.unfunded.after) },
        paidPercent: exactNumber(position.paidPercent),
      };
    }),
    paidIn: sides(figures.paidIn),
    returned: sides(figures.returned),
    toManager: sides(figures.toManager),
    difference: amount(figures.difference),
    isEqualized: figures.isEqualized,
    ...(warnings ? { warnings } : {}),
  };
};

export const closingEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'LPs/commitments/read',
    summary: 'List the later closings of a fund, the latest first',
    query: z.object({ fund: idSchema }),
    response: z.array(closingSchema),
    handle: ({ query, read }) =>
      read(async (session) => ({ body: (await closingsOfFund(session, query.fund)).map(toClosing) })),
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}`,
    access: 'LPs/commitments/read',
    summary: 'Get a later closing, with what everyone paid and received',
    params: idParamsSchema,
    response: closingSchema,
    handle: ({ params, read }) => read(async (session) => ({ body: toClosing(await getClosing(session, params.id)) })),
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'LPs/commitments/write',
    summary:
      'Close new investors and increases after calls were issued, with equalization. With dryRun, returns it without saving',
    body: closingCreateSchema,
    response: closingSchema,
    example: { body: EXAMPLE },
    handle: (call) =>
      call.db(
        async (session) => {
          const body = toClosing(await closeInvestors(session, call.body));
          return call.body.dryRun ? { body, status: 200 as const } : { body };
        },
        { rollback: call.body.dryRun },
      ),
  }),
];
