import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getDraw } from '@tapeline/db/operations/draws/draw-views.ts';
import { getNote } from '@tapeline/db/operations/draws/drawable-notes.ts';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { changeDraw } from '../../../commands/draws.server.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { keptFiles } from '../../../components/forms/documents-field.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import type { CrumbHandle } from '../../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { originOf } from '../../../http/session.server.ts';
import { paths } from '../../paths.ts';
import { storeFilesOfForm } from '../tapes/form-files.server.ts';
import { DrawFields } from './draw-fields.tsx';
import { currenciesOfNote, DRAW_LABELS, drawFormSchema, drawsOfForm } from './draw-form.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Change draw ${data?.code ?? ''} · Tapeline` },
];
export const handle: CrumbHandle<{ id: string; code: number }> = {
  crumbs: ({ data: { id, code } }) => [{ label: `Draw ${code}`, to: paths.draw(id) }, { label: 'Change' }],
};

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'transactionDraw/write', ({ db, params }) =>
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

export async function action(args: ActionFunctionArgs) {
  const request = await readScreen(args, 'transactionDraw/write', (screen) =>
    storeFilesOfForm(screen, { directory: DRAW_FILES.directory }),
  );
  return act(
    { ...args, request },
    {
      change: intent({
        permission: 'transactionDraw/write',
        schema: drawFormSchema,
        async run(form, { context, actor, request: sent, params }) {
          const { cutOffDate, dueDate, description, attachments, drawVersion = 0, refused } = form;
          if (refused.length > 0) {
            throw new Refusal('badRequest', refused.join('\n'), { flags: { files: refused.join('\n') } });
          }
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
    { lists: ['lines'] },
  );
}

export default function EditDraw() {
  const { id, code, currencies, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const lastResult = answer && 'lastResult' in answer ? answer.lastResult : undefined;
  const [form, fields] = useScreenForm('draw', drawFormSchema, {
    lastResult,
    shouldValidate: 'onSubmit',
    defaultValue: values,
  });
  return (
    <div className="max-w-[46rem]">
      <PageHeader title={`Change draw ${code}`} facts={['Changed amounts or dates are checked again']} />
      <ScreenForm form={form} intent="change" labels={DRAW_LABELS} encType="multipart/form-data">
        <input type="hidden" name="note" value={values.note} />
        <input type="hidden" name="drawVersion" value={values.drawVersion} />
        <DrawFields
          fields={fields as never}
          currencies={currencies}
          kept={lastResult?.initialValue ? keptFiles(lastResult.initialValue) : values.attachments}
        />
        <FormActions submit="Save and check" submitting="Saving">
          <LinkButton to={paths.draw(id)} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </div>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../../components/page/error-screen.tsx';
