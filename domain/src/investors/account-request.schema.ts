import { z } from 'zod';
import { idSchema } from '../documents/id.schema.ts';
import { valuesOf } from '../documents/labels.ts';
import { MAX_TITLE, nameSchema, optionalTextSchema, textSchema } from '../documents/text.schema.ts';
import { bankSchema } from '../entities/bank.schema.ts';
import { currencySchema } from '../money/amount.schema.ts';
import { ACCOUNT_REQUEST_STATUS_LABELS } from './record-labels.ts';

export const ACCOUNT_REQUEST_STATUSES = valuesOf(ACCOUNT_REQUEST_STATUS_LABELS);
export type AccountRequestStatus = (typeof ACCOUNT_REQUEST_STATUSES)[number];

/** A party asks at most so often in a day. Whoever asks tells other people by email. */
export const MAX_REQUESTS_A_DAY = 5;

/** What an investor or a borrower asks for: that payments in a currency go to this account. */
export const accountRequestSchema = z.object({
  currency: currencySchema,
  bank: bankSchema,
  /** Why: "We have moved our accounts". */
  comment: optionalTextSchema(500),
  letter: z.string().trim().max(700).nullish().meta({
    description:
      'The letter of the bank that confirms the account: the id or the key of its file, uploaded to the directory `bank-letters` of the bucket `capitalAccounts`',
  }),
});
export type AccountRequestBody = z.output<typeof accountRequestSchema>;

/** Why a request is declined. Whoever asked reads it. */
export const accountDeclineSchema = z.object({ reason: textSchema(5, 500) });

/** A request as calls return it, without the number of the account. */
export const shownAccountRequestSchema = z
  .object({
    id: idSchema,
    status: z.enum(ACCOUNT_REQUEST_STATUSES),
    currency: currencySchema,
    account: nameSchema(2, MAX_TITLE).meta({ description: 'The title of the account' }),
    ending: z.string().meta({ description: 'The last characters of the account number' }),
    comment: z.string().nullable(),
    letter: z.string().nullable().meta({ description: 'The id of the file of the bank letter' }),
    requestedBy: z.string(),
    requestedAt: z.string(),
    decidedBy: z.string().nullable(),
    decidedAt: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was declined' }),
  })
  .meta({ id: 'AccountRequest' });
