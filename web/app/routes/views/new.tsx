import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { createGridView } from '@tapeline/db/operations/grid-views/grid-views.ts';
import { GRIDS, gridViewCreateSchema } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { isOutsider } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { LinkButton } from '../../components/forms/button.tsx';
import { CheckboxField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../components/forms/screen-form.tsx';
import { addressOfView, gridAt } from '../../components/grid/grid-addresses.ts';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Panel } from '../../components/page/section.tsx';
import type { CrumbHandle } from '../../components/shell/breadcrumb.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { paths, safeNext } from '../paths.ts';

export const meta: MetaFunction = () => [{ title: 'Save a view · Tapeline' }];
export const handle: CrumbHandle = { crumbs: () => [{ label: 'Views', to: paths.views() }, { label: 'New' }] };

const LABELS = { title: 'Name', isShared: 'Share with my colleagues', isDefault: 'Open this list with it' };
const formSchema = gridViewCreateSchema.extend({ back: z.string().max(10_000).optional() });

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, null, ({ url, actor }) => {
    const asked = (name: string) => url.searchParams.get(name) ?? '';
    const grid = gridViewCreateSchema.shape.grid.safeParse(asked('grid')).data ?? 'funds';
    return {
      grid,
      search: asked('search'),
      back: safeNext(asked('back')),
      mayShare: actor.managerId !== null && !isOutsider(actor.type),
    };
  });

export const action = (args: ActionFunctionArgs) =>
  act(args, {
    create: intent({
      permission: null,
      schema: formSchema,
      async run({ back, ...body }, { db, url }) {
        const { id, grid, search } = await db((session) => createGridView(session, body));
        const page = new URL(safeNext(back), url.origin);
        return redirect(addressOfView({ id, grid, search }, gridAt(page) === grid ? page : null));
      },
    }),
  });

export default function NewView() {
  const { grid, search, back, mayShare } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useScreenForm('view', formSchema, {
    lastResult: answer?.intent === 'create' ? answer.lastResult : undefined,
  });
  return (
    <>
      <PageHeader title="Save a view" facts={[GRIDS[grid], 'its columns, order and filter']} />
      <ScreenForm form={form} intent="create" labels={LABELS}>
        <input type="hidden" name="grid" value={grid} />
        <input type="hidden" name="search" value={search} />
        <input type="hidden" name="back" value={back} />
        <Panel className="grid max-w-[46rem] gap-4 p-4">
          <TextField field={fields.title} label={LABELS.title} autoComplete="off" />
          {mayShare ? (
            <CheckboxField
              field={fields.isShared}
              label={LABELS.isShared}
              hint="Everyone who works for the manager sees it. They see only rows that they may see."
            />
          ) : null}
          <CheckboxField field={fields.isDefault} label={LABELS.isDefault} hint="For you only" />
        </Panel>
        <FormActions submit="Save view" submitting="Saving">
          <LinkButton to={back} tone="quiet">
            Cancel
          </LinkButton>
        </FormActions>
      </ScreenForm>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
