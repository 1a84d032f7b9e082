import type { FieldMetadata } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import {
  assignedLines,
  certificationsOf,
  namedLines,
  saveCertificationDraft,
} from '@tapeline/db/operations/certifications/certifications.ts';
import { MAX_OWN_LINES } from '@tapeline/domain/certifications/certification-labels.ts';
import { certifiedLines } from '@tapeline/domain/certifications/certified-lines.ts';
import { linesOfRows } from '@tapeline/domain/certifications/own-lines.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { fieldsetOf } from '../../../../components/forms/described-fields.tsx';
import { SelectField, TextField } from '../../../../components/forms/fields.tsx';
import { FormPage } from '../../../../components/forms/form-page.tsx';
import { ListRows } from '../../../../components/forms/list-rows.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../../http/screen.server.ts';
import { paths } from '../../../../paths.ts';
import { ownFiguresDescription, ownFiguresForm, pastedForm, rowsOfText } from './own-figures-form.ts';
import { PasteLines } from './paste-lines.tsx';
import { readWorkbookLines } from './workbook-lines.server.ts';

export const handle = named<typeof loader>(
  ({ id, cutOffDate }) => [
    { label: `Borrowing base, ${formatCalendarDate(cutOffDate)}`, to: paths.borrowingBase(id) },
    ['Borrower’s certificate', paths.certification(id)],
    'Own figures',
  ],
  ({ cutOffDate }) => `Own figures, ${formatCalendarDate(cutOffDate)}`,
);

const PERMISSION = 'transactionDraw/write';

export const loader = readScreen(PERMISSION, ({ db, params: { id = '' }, actor }) =>
  db(async (session) => {
    const base = await getBorrowingBase(session, id);
    if (base.status !== 'Active' || actor.type !== 'company') throw new Refusal('notFound');
    const ours = certifiedLines(base.result);
    const all = await certificationsOf(session, base);
    // The draft, otherwise what is to be corrected, otherwise the names of the last month.
    const started = all.find(({ status, lines }) => (status === 'Draft' || status === 'Disputed') && lines != null);
    const before = started ? [] : await namedLines(session, base);
    const blank = ours.filter(({ kind }) => kind !== 'part').map(({ key, label }) => ({ label, line: key }));
    const lines = started?.lines ?? (before.length > 0 ? before : blank).map((line) => ({ ...line, amount: '' }));
    return {
      id,
      cutOffDate: base.cutOffDate,
      currency: base.currency,
      isNamedBefore: before.length > 0,
      choices: ours.map(({ key, label, kind }) => ({ value: key, label: kind === 'part' ? `– ${label}` : label })),
      lines: lines.map((line) => ({
        label: line.label,
        amount: line.amount,
        line: line.line ?? '',
        remark: ('remark' in line && line.remark) || '',
      })),
    };
  }),
);

export const action = act(
  {
    create: intent({
      permission: PERMISSION,
      schema: ownFiguresForm,
      async run(body, { db, params: { id = '' } }) {
        await db((session) => saveCertificationDraft(session, { baseId: id, body }));
        return redirect(paths.certification(id));
      },
    }),
    read: intent({
      permission: PERMISSION,
      schema: pastedForm,
      async run({ pasted, refused }, { db, params: { id = '' } }) {
        if (refused) throw new Refusal('badRequest', refused);
        const { lines, unread, isCut } = linesOfRows(rowsOfText(pasted));
        const [first] = unread;
        if (first) {
          const others = unread.length > 1 ? `, and ${unread.length - 1} more like it` : '';
          throw new Refusal(
            'badRequest',
            `The amount of "${first.label}" is "${first.text}"${others}. Write amounts as 1,234.50 or 1234.50`,
          );
        }
        if (lines.length === 0) {
          throw new Refusal('badRequest', 'No line has a label and an amount. Copy both columns, or choose a file');
        }
        if (isCut) throw new Refusal('badRequest', `A certificate has at most ${MAX_OWN_LINES} lines`);
        await db(async (session) => {
          const base = await getBorrowingBase(session, id);
          const body = { lines: await assignedLines(session, base, lines) };
          await saveCertificationDraft(session, { baseId: id, body });
        });
        return redirect(paths.ownFigures(id));
      },
    }),
  },
  { lists: ['lines'], files: { permission: PERMISSION, store: readWorkbookLines } },
);

export default function OwnFiguresScreen() {
  const { id, cutOffDate, currency, choices, lines, isNamedBefore } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <FormPage
      key={JSON.stringify(lines)}
      noun="certificate"
      stored={null}
      title="Own figures"
      facts={[
        `Borrowing base of ${formatCalendarDate(cutOffDate)}`,
        isNamedBefore ? 'your lines are those of your last certificate' : 'nothing is submitted yet',
      ]}
      description={ownFiguresDescription}
      answer={answer?.intent === 'read' ? undefined : answer}
      values={{ lines }}
      labels={{ lines: 'Lines' }}
      submit="Save and compare"
      submitting="Saving"
      currency={currency}
      shouldValidate="onSubmit"
      cancelTo={paths.certification(id)}
      above={<PasteLines lastResult={answer?.intent === 'read' ? answer.lastResult : null} />}
    >
      {(fields) => (
        <PanelSection
          title="Lines"
          note="assign each to one of ours; several can be the same one, and are added up"
          padded
        >
          <ListRows field={fields.lines as FieldMetadata<unknown[]>} one="Line" most={MAX_OWN_LINES} compact>
            {(item, index) => {
              const { label, amount, line, remark } = fieldsetOf(item);
              return (
                <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,0.9fr)_minmax(0,1.3fr)_minmax(0,1.3fr)]">
                  <TextField field={label} label={`Your line ${index + 1}`} />
                  <TextField field={amount} label={`Amount ${index + 1}`} inputMode="decimal" />
                  <SelectField
                    field={line}
                    label={`Our line ${index + 1}`}
                    choices={choices}
                    empty="None of them"
                    required={false}
                  />
                  <TextField field={remark} label={`Remark ${index + 1}`} required={false} />
                </div>
              );
            }}
          </ListRows>
        </PanelSection>
      )}
    </FormPage>
  );
}
