import { z } from 'zod';

const fact = z.string().nullable();

/** What a tape says of a loan of a pair. */
export const duplicateLoanSchema = z.object({
  row: z.int(),
  assetId: fact,
  obligor: fact,
  borrowerId: fact,
  originalAmount: fact,
  currency: fact,
  financedOn: fact,
  ratePercent: fact,
  term: fact,
  termUnit: fact,
  product: fact,
  state: fact,
  status: fact,
  balance: fact,
  balanceCurrency: fact,
});
export type DuplicateLoan = Readonly<z.infer<typeof duplicateLoanSchema>>;
