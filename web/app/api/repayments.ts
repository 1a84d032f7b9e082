import {
  changeRepayments,
  createRepayment,
  listRepayments,
  REPAYMENTS,
  type RepaymentView,
  removeRepayments,
} from '@tapeline/db/operations/repayments/repayments.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import {
  repaymentChangeSchema,
  repaymentCreateSchema,
  repaymentSchema,
} from '@tapeline/domain/repayments/repayment.schema.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { baseOf } from './documents.ts';
import type { Endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const toBody = (repayment: RepaymentView) => ({
  ...baseOf(repayment),
  transaction: { id: repayment.transactionId, title: repayment.transactionTitle },
  ...pick(repayment, 'noteTitle', 'cutOffDate', 'scheduled', 'repayments'),
  inKind: Boolean(repayment.invoiceId),
  valueInUsd: exactNumber(repayment.valueInUsd ?? null),
  amountInMainCurrency: repayment.amountInMainCurrency ?? null,
  removalReason: repayment.removalReason ?? null,
});

export const repaymentEndpoints: readonly Endpoint[] = resource({
  ...ofCollection('repayments'),
  response: repaymentSchema,
  toBody,
  list: { listable: REPAYMENTS, load: listRepayments },
  create: { body: repaymentCreateSchema, run: createRepayment, summary: 'Record a repayment, or a list of repayments' },
  updateMany: { item: repaymentChangeSchema, run: changeRepayments },
  removeMany: { run: removeRepayments },
});
