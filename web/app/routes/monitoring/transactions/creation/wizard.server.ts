import { data, redirect } from '@remix-run/node';
import { startingCurrency } from '@tapeline/db/operations/companies/company-choices.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { z } from 'zod';
import { documentOfForm } from '../../../../http/form-document.ts';
import { parseForm } from '../../../../http/parse-form.ts';
import type { Intent } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { facilityFieldOf, facilityOf, facilitySchema, SCHEMA_OF_STEP, STEPS, type Step } from './facility-form.ts';

/** The currency of the first note. */
const FIRST_CURRENCY = 'notes[0].currency';

const stepOf = (form: FormData): Step => STEPS.find((step) => step === form.get('step')) ?? 'deal';

/** Answers the form as it was entered, on this step. */
function showStep(form: FormData, step: Step) {
  form.set('step', step);
  const { initialValue } = parseForm(form, z.looseObject({})).reply();
  return data({ intent: 'create', done: false, lastResult: { initialValue: initialValue ?? {} } });
}

/** Goes on to the next step once the fields up to it hold; on the last one, creates the transaction. */
export const createIntent: Intent = {
  permission: 'transactions/write',
  read(form) {
    const step = stepOf(form);
    // Whoever comes back to correct an earlier field is shown the step that it is on.
    const wrong = STEPS.slice(0, STEPS.indexOf(step) + 1).find(
      (one) => parseForm(form, SCHEMA_OF_STEP[one]).status !== 'success',
    );
    if (wrong) {
      form.set('step', wrong);
      const submission = parseForm(form, SCHEMA_OF_STEP[wrong]);
      return { reply: (options) => submission.reply(options), run: null };
    }
    const submission = parseForm(form, facilitySchema);
    return {
      reply: (options) => submission.reply(options),
      run: async ({ db }) => {
        if (step === 'deal' && !form.get(FIRST_CURRENCY)) {
          form.set(FIRST_CURRENCY, await db((session) => startingCurrency(session, String(form.get('company')))));
        }
        if (step !== 'review' || submission.status !== 'success') {
          return showStep(form, STEPS[STEPS.indexOf(step) + 1] ?? 'review');
        }
        const document = documentOfForm(transactionSchema, facilityOf(submission.value), facilityFieldOf);
        const { id } = await db((session) => createTransaction(session, document));
        return redirect(paths.transaction(id));
      },
    };
  },
};

/** Goes back a step, or to the step named by the button, without checking anything. */
export const backIntent: Intent = {
  permission: 'transactions/write',
  read(form) {
    const step = stepOf(form);
    return {
      reply: (options) => parseForm(form, z.looseObject({})).reply(options),
      async run({ db }) {
        const back = STEPS[Math.max(0, STEPS.indexOf(step) - 1)] ?? 'deal';
        // A currency that came from the company is that of the next company, if another one is chosen now.
        const isStarted = async () =>
          form.get(FIRST_CURRENCY) === (await db((session) => startingCurrency(session, String(form.get('company')))));
        if (back === 'deal' && (await isStarted())) form.delete(FIRST_CURRENCY);
        return showStep(form, back);
      },
    };
  },
};
