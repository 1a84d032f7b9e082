import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { getBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import {
  getScenario,
  removeScenario,
  scenarioTerms,
  updateScenario,
  wordsOf,
} from '@tapeline/db/operations/scenarios/scenarios.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { MAX_SCENARIO_CHANGES, scenarioUpdateSchema } from '@tapeline/domain/scenarios/scenario.schema.ts';
import { z } from 'zod';
import { documentHistory } from '../../../commands/history.server.ts';
import { DateText } from '../../../components/figures/figures.tsx';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { ActionProblems } from '../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { IntentForm } from '../../../components/forms/intent-form.tsx';
import { versionField } from '../../../components/forms/version-field.ts';
import { HistorySection } from '../../../components/history/action-list.tsx';
import { ConfirmedAction } from '../../../components/overlays/confirmed-action.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Columns, PanelSection } from '../../../components/page/section.tsx';
import { act, confirmedIntent, intent, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { ScenarioChip, ScenarioWatermark } from './watermark.tsx';

export const handle = named<typeof loader>(({ title, baseId, cutOffDate }) => [
  [`Borrowing base, ${formatCalendarDate(cutOffDate)}`, paths.borrowingBase(baseId)],
  ['What if', paths.whatIf(baseId)],
  title,
]);

export const loader = readScreen('borrowingBase/read', ({ db, params, url, actor }) =>
  db(async (session) => {
    const scenario = await getScenario(session, params.id ?? '');
    const { baseId, changes } = scenario;
    if (baseId === null) throw new Refusal('notFound');
    return {
      ...pick(scenario, 'id', 'title', 'version', 'transactionTitle', 'noteTitle', 'cutOffDate', 'createdByName'),
      baseId,
      description: scenario.description ?? null,
      createdAt: scenario.metadata.iat,
      words: wordsOf(changes, await scenarioTerms(session, await getBorrowingBase(session, baseId), changes)),
      mayChange: can(actor, 'transactions/write') && actor.type !== 'company',
      history: await documentHistory(session, [{ resource: 'scenarios', ids: [scenario.id] }], url.searchParams),
    };
  }),
);

const { title, description } = scenarioUpdateSchema.shape;

export const action = act({
  rename: intent({
    permission: 'transactions/write',
    schema: z.object({ title, description, version: versionField }),
    async run(body, { db, params: { id = '' } }) {
      await db(async (session) => {
        const { changes } = await getScenario(session, id);
        await updateScenario(session, { id, body: { ...body, changes } });
      });
      return redirect(paths.scenario(id));
    },
  }),
  removeChange: intent({
    permission: 'transactions/write',
    schema: z.object({ index: z.coerce.number().int().min(0).max(MAX_SCENARIO_CHANGES), version: versionField }),
    async run({ index, version }, { db, params: { id = '' } }) {
      await db(async (session) => {
        const { changes, ...kept } = await getScenario(session, id);
        const body = {
          ...pick(kept, 'title', 'description'),
          version,
          changes: changes.filter((_, at) => at !== index),
        };
        await updateScenario(session, { id, body });
      });
      return redirect(paths.scenario(id));
    },
  }),
  remove: confirmedIntent({
    permission: 'transactions/write',
    schema: z.object({}),
    asks: 'remove',
    async run(_, { db, params: { id = '' } }) {
      const { baseId } = await db(async (session) => {
        const scenario = await getScenario(session, id);
        await removeScenario(session, id);
        return scenario;
      });
      return redirect(baseId === null ? paths.borrowingBases() : paths.whatIf(baseId));
    },
  }),
});

export default function ScenarioScreen() {
  const page = useLoaderData<typeof loader>();
  const { id, words, version, mayChange } = page;
  return (
    <>
      <ScenarioWatermark />
      <PageHeader
        title={page.title}
        chip={<ScenarioChip />}
        facts={[
          `${page.transactionTitle}, ${page.noteTitle}`,
          `borrowing base of ${formatCalendarDate(page.cutOffDate)}`,
          <>
            {page.createdByName ? `by ${page.createdByName}, ` : null}
            <DateText value={page.createdAt} />
          </>,
        ]}
        actions={
          <>
            {mayChange && words.length < MAX_SCENARIO_CHANGES ? (
              <LinkButton to={paths.scenarioChange(id)}>Add a change</LinkButton>
            ) : null}
            <LinkButton to={paths.whatIf(page.baseId, { scenario: [id] })}>Show beside the certificate</LinkButton>
          </>
        }
      />
      <ActionProblems answer={useActionData<typeof action>()} ofForms={['rename']} />
      {page.description ? <p className="mb-4 text-sm text-ink-2">{page.description}</p> : null}
      <PanelSection title="Changes" note="applied together" padded>
        <ul className="grid gap-2 text-sm">
          {words.map((change, index) => (
            <li key={change} className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="min-w-0 flex-1 break-words">{change}</span>
              {mayChange && words.length > 1 ? (
                <ActionForm intent="removeChange" values={{ index: String(index), version: String(version) }}>
                  Remove<span className="sr-only"> {change}</span>
                </ActionForm>
              ) : null}
            </li>
          ))}
        </ul>
      </PanelSection>
      {mayChange ? (
        <Columns>
          <PanelSection title="Name" padded>
            <IntentForm
              key={version}
              intent="rename"
              values={{ title: page.title, description: page.description ?? '' }}
              sent={{ version }}
              lines={[
                { name: 'title', label: 'Name' },
                { name: 'description', label: 'Description (optional)' },
              ]}
              submit="Save"
              submitting="Saving"
            />
          </PanelSection>
          <PanelSection title="Remove" note="the certificate stays as it is" padded>
            <ConfirmedAction
              asks="remove"
              intent="remove"
              label="Remove scenario"
              title={`Remove ${page.title}?`}
              consequence="Nobody can show it beside the certificate any longer. The history keeps it."
              confirm="Remove scenario"
              tone="danger"
            />
          </PanelSection>
        </Columns>
      ) : null}
      {page.history ? <HistorySection history={page.history} all={{ resource: 'scenarios', id }} /> : null}
    </>
  );
}
