import { accountRequestSchema } from '@tapeline/domain/investors/account-request.schema.ts';
import { describeForm } from '../forms/describe-form.ts';

export const accountRequestDescription = describeForm(accountRequestSchema);
