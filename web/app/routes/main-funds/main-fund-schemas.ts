import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import type { MainFundCreate } from '@tapeline/domain/funds/main-fund.schema.ts';
import { mainFundCreateSchema } from '@tapeline/domain/funds/main-fund.schema.ts';
import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import { z } from 'zod';
import { withoutBlanks } from '../../components/forms/blank.ts';
import { describeForm } from '../../components/forms/describe-form.ts';
import { versionField } from '../../components/forms/version-field.ts';
import { fundTermsForm } from '../funds/form/fund-form.ts';

export const newMainFundForm = z.object({
  ...fundTermsForm,
  currency: currencySchema,
  classMembers: withoutBlanks(mainFundCreateSchema.shape.classMembers.unwrap()),
});
export const newMainFundFormDescription = describeForm(newMainFundForm);
export const mainFundEditForm = z.object({ ...fundTermsForm, fundVersion: versionField });
export const mainFundEditFormDescription = describeForm(mainFundEditForm);
export const memberForm = z.object({ fund: idSchema });

const sum = (text: string) => ({ sum: text, currency: null });

/** The terms that the form describes, as the operations take them. */
export const mainFundTermsOfForm = <Form extends z.output<typeof mainFundEditForm> | z.output<typeof newMainFundForm>>(
  form: Form,
): Omit<Form, 'targetSize' | 'hardCap'> & Pick<MainFundCreate, 'targetSize' | 'hardCap'> => ({
  ...form,
  targetSize: sum(form.targetSize),
  hardCap: sum(form.hardCap),
});
