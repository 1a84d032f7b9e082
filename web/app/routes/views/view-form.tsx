import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createGridView, getGridView, updateGridView } from '@tapeline/db/operations/grid-views/grid-views.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { GRIDS, gridViewCreateSchema, gridViewUpdateSchema } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { isOutsider, type UserActor } from '@tapeline/domain/people/actor.ts';
import { CheckboxField, TextField } from '../../components/forms/fields.tsx';
import { FormPage } from '../../components/forms/form-page.tsx';
import { addressOfView, gridAt } from '../../components/grid/grid-addresses.ts';
import { named } from '../../components/page/page-name.ts';
import { Panel } from '../../components/page/section.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths, safeNext } from '../../paths.ts';
import { newViewDescription, newViewSchema, viewEditDescription } from './view-schemas.ts';

export const handle = named<typeof loader>(
  ({ stored }) => [['Views', paths.views()], stored?.title ?? 'New'],
  ({ stored }) => (stored ? 'Edit a view' : 'Save a view'),
);

const LABELS = { title: 'Name', isShared: 'Share with my colleagues', isDefault: 'Open this list with it' };

const mayShare = (actor: UserActor) => actor.managerId !== null && !isOutsider(actor.type);

const readNew = readScreen(null, ({ url, actor }) => {
  const asked = (name: string) => url.searchParams.get(name) ?? '';
  const grid = gridViewCreateSchema.shape.grid.safeParse(asked('grid')).data ?? 'funds';
  const sent = { grid, search: asked('search'), back: safeNext(asked('back')) };
  return { stored: null, grid, sent, mayShare: mayShare(actor) };
});
const readStored = readScreen(null, async ({ db, params, actor }) => {
  const view = await db((session) => getGridView(session, params.id ?? ''));
  if (view.userId !== actor.userId) throw new Refusal('notFound');
  const { title, grid, isShared, isDefault } = view;
  return { stored: { title, isShared, isDefault }, grid, sent: null, mayShare: mayShare(actor) };
});
export const loader = (args: LoaderFunctionArgs) => (args.params.id ? readStored(args) : readNew(args));

export const action = act({
  create: intent({
    permission: null,
    schema: newViewSchema,
    async run({ back, ...body }, { db, url }) {
      const { id, grid, search } = await db((session) => createGridView(session, body));
      const page = new URL(safeNext(back), url.origin);
      return redirect(addressOfView({ id, grid, search }, gridAt(page) === grid ? page : null));
    },
  }),
  save: intent({
    permission: null,
    schema: gridViewUpdateSchema,
    async run(body, { db, params }) {
      await db((session) => updateGridView(session, { id: params.id ?? '', body }));
      return redirect(paths.views());
    },
  }),
});

export default function ViewForm() {
  const { stored, grid, sent, mayShare: shares } = useLoaderData<typeof loader>();
  return (
    <FormPage
      noun="view"
      stored={stored?.title ?? null}
      title={stored?.title ?? 'Save a view'}
      facts={stored ? [`view of ${GRIDS[grid]}`] : [GRIDS[grid], 'its columns, order and filter']}
      description={stored ? viewEditDescription : newViewDescription}
      answer={useActionData<typeof action>()}
      values={stored ?? {}}
      labels={LABELS}
      {...(stored ? {} : { submit: 'Save view', submitting: 'Saving' })}
      cancelTo={sent?.back ?? paths.views()}
    >
      {(fields) => (
        <>
          {Object.entries(sent ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Panel className="grid max-w-[46rem] gap-4 p-4">
            <TextField field={fields.title} label={LABELS.title} autoComplete="off" />
            {shares ? (
              <CheckboxField
                field={fields.isShared}
                label={LABELS.isShared}
                hint="Everyone who works for the manager sees it. They see only rows that they may see."
              />
            ) : null}
            <CheckboxField field={fields.isDefault} label={LABELS.isDefault} hint="For you only" />
          </Panel>
        </>
      )}
    </FormPage>
  );
}
