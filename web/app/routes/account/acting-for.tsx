import { redirect } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import { listLPs } from '@tapeline/db/operations/investors/investors.ts';
import { listManagers } from '@tapeline/db/operations/managers/managers.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { containing } from '@tapeline/domain/filters/like.ts';
import { Building2 } from 'lucide-react';
import { z } from 'zod';
import { formatCount } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { Button } from '../../components/forms/button.tsx';
import { inputClass } from '../../components/forms/fields.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { DataTable } from '../../components/tables/data-table.tsx';
import { canChoose, choose, withoutChoice } from '../../http/acting-for.server.ts';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { heldChoice } from '../../http/session.server.ts';
import { paths, safeNext } from '../../paths.ts';

export const handle = named(() => [['Account', paths.account()], 'Acting for']);

const PAGE_LENGTH = 50;
const MAX_LETTERS = 100;

export const loader = readScreen(null, async ({ actor, context, request, url }) => {
  const chosen = heldChoice(request, context);
  if (!canChoose(actor, chosen)) throw new Refusal('notFound');
  const find = (url.searchParams.get('find') ?? '').trim().slice(0, MAX_LETTERS);
  const page = { skip: skipOf(url.searchParams), limit: PAGE_LENGTH };
  const whole = await withoutChoice(context, actor);
  const found = await context.store.as(whole, async (session) => {
    if (actor.type === 'admin') {
      const filter = find === '' ? {} : { 'entity.name': { like: containing(find) } };
      const { documents, total } = await listManagers(session, { ...page, filter, sort: { 'entity.name': 1 } });
      return { total, rows: documents.map(({ id, entity }) => ({ id, name: entity.name })) };
    }
    const filter = find === '' ? {} : { title: { like: containing(find) } };
    const { documents, total } = await listLPs(session, { ...page, filter, sort: { title: 1 } });
    return { total, rows: documents.map(({ id, title }) => ({ id, name: title })) };
  });
  const chosenId = actor.type === 'admin' ? actor.managerId : (chosen.lpId ?? null);
  const next = url.searchParams.get('next');
  return { ...found, find, next: next === null ? null : safeNext(next), chosenId, isAdmin: actor.type === 'admin' };
});

export const action = act({
  choose: intent({
    permission: null,
    schema: z.object({ id: idSchema, next: z.string().optional() }),
    async run({ id, next }, { actor, context }) {
      await choose(context, actor, id);
      return redirect(next ? safeNext(next) : paths.home());
    },
  }),
  chooseAll: intent({
    permission: null,
    schema: z.object({}),
    async run(_form, { actor, context }) {
      await choose(context, actor, null);
      return redirect(paths.home());
    },
  }),
});

export default function ActingFor() {
  const { rows, total, find, next, chosenId, isAdmin } = useLoaderData<typeof loader>();
  const [one, many] = isAdmin ? ['manager', 'managers'] : ['investor', 'investors'];
  const findLabel = isAdmin ? 'Find a manager' : 'Find an investor';
  return (
    <>
      <PageHeader
        title="Acting for"
        facts={[
          next === null
            ? `Lists, figures and pages show only the ${one} that you choose`
            : `Choose the ${one} that the new document belongs to`,
        ]}
        actions={
          next !== null ? null : chosenId === null ? (
            <Chip tone="good">{`All ${many}`}</Chip>
          ) : (
            <ActionForm intent="chooseAll" tone="plain">
              {`Show all ${many}`}
            </ActionForm>
          )
        }
      />
      <Form method="get" role="search" className="mb-3 flex flex-wrap items-center gap-2">
        {next === null ? null : <input type="hidden" name="next" value={next} />}
        <label htmlFor="find" className="sr-only">
          {findLabel}
        </label>
        <div className="w-64 max-w-full">
          <input
            id="find"
            type="search"
            name="find"
            defaultValue={find}
            maxLength={MAX_LETTERS}
            placeholder={findLabel}
            className={inputClass()}
          />
        </div>
        <Button type="submit">Search</Button>
        <span className="text-xs text-ink-2">{formatCount(total, one, many)}</span>
      </Form>
      <Panel>
        <DataTable
          narrow="list"
          caption={isAdmin ? 'Managers' : 'Investors'}
          rows={rows}
          empty={
            <EmptyState icon={Building2} title="No results">
              {`No ${one} has a name that contains this text.`}
            </EmptyState>
          }
          columns={[
            { head: 'Name', name: (row) => row.name },
            {
              head: <span className="sr-only">Choose</span>,
              numeric: true,
              cell: (row) =>
                row.id === chosenId ? (
                  <Chip tone="good">Acting for</Chip>
                ) : (
                  <ActionForm
                    intent="choose"
                    values={{ id: row.id, ...(next === null ? {} : { next }) }}
                    tone="quiet"
                    className="inline-block"
                  >
                    Act for<span className="sr-only"> {row.name}</span>
                  </ActionForm>
                ),
            },
          ]}
        />
        <Pagination total={total} limit={PAGE_LENGTH} noun={many} />
      </Panel>
    </>
  );
}
