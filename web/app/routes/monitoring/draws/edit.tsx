import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getDraw } from '@tapeline/db/operations/draws/draw-views.ts';
import { getNote } from '@tapeline/db/operations/draws/drawable-notes.ts';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { changeDraw } from '../../../commands/draws.server.ts';
import { requireFiles, storeAttachments } from '../../../commands/form-files.server.ts';
import { keptFiles } from '../../../components/forms/documents-field.tsx';
import { HiddenField } from '../../../components/forms/hidden-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { originOf } from '../../../http/session.server.ts';
import { paths } from '../../../paths.ts';
import { DrawFields } from './draw-fields.tsx';
import { currenciesOfNote, drawFormDescription, drawFormSchema, drawLabel, drawsOfForm } from './draw-form.ts';

export const handle = named<typeof loader>(
  ({ id, code }) => [[`Draw ${code}`, paths.draw(id)], 'Change'],
  (data) => `Change draw ${data.code}`,
);

export const loader = readScreen('transactionDraw/write', ({ db, params }) =>
  db(async (session) => {
    const draw = await getDraw(session, params.id ?? '');
    const { note } = await getNote(session, draw.noteId);
    return {
      id: draw.id,
      code: draw.code,
      currencies: currenciesOfNote(note),
      values: {
        note: draw.noteId,
        drawVersion: String(draw.version),
        cutOffDate: draw.cutOffDate,
        dueDate: draw.dueDate,
        description: draw.description ?? '',
        attachments: draw.attachments.map(({ key, name }) => ({ key, name })),
        lines: draw.draws.flatMap(({ type, amounts }) => amounts.map((amount) => ({ type, ...amount }))),
      },
    };
  }),
);

export const action = act(
  {
    change: intent({
      permission: 'transactionDraw/write',
      schema: drawFormSchema,
      async run(form, { context, actor, request: sent, params }) {
        requireFiles(form);
        const { cutOffDate, dueDate, description, attachments, drawVersion = 0 } = form;
        const { id } = await changeDraw({ context, actor, origin: originOf(sent, context) }, params.id ?? '', {
          version: drawVersion,
          cutOffDate,
          dueDate,
          description: description ?? '',
          attachments,
          draws: drawsOfForm(form),
        });
        return redirect(paths.draw(id));
      },
    }),
  },
  {
    lists: ['lines'],
    files: { permission: 'transactionDraw/write', store: storeAttachments({ directory: DRAW_FILES.directory }) },
  },
);

export default function EditDraw() {
  const { id, code, currencies, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const lastResult = answer && 'lastResult' in answer ? answer.lastResult : undefined;
  const [form] = useScreenForm('draw', drawFormDescription, {
    lastResult,
    shouldValidate: 'onSubmit',
    defaultValue: values,
  });
  return (
    <div className="max-w-[46rem]">
      <PageHeader title={`Change draw ${code}`} facts={['Changed amounts or dates are checked again']} />
      <ScreenForm form={form} intent="change" labels={drawLabel} encType="multipart/form-data">
        <input type="hidden" name="note" value={values.note} />
        <HiddenField name="drawVersion" value={values.drawVersion} />
        <DrawFields
          currencies={currencies}
          kept={lastResult?.initialValue ? keptFiles(lastResult.initialValue) : values.attachments}
        />
        <FormActions submit="Save and check" submitting="Saving" cancelTo={paths.draw(id)} />
      </ScreenForm>
    </div>
  );
}
