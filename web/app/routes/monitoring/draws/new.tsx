import type { SubmissionResult } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { noteOnDay } from '@tapeline/db/operations/amendments/note-amendments.ts';
import { requireDueDate } from '@tapeline/db/operations/draws/draw-terms.ts';
import { drawableNotes, getNote } from '@tapeline/db/operations/draws/drawable-notes.ts';
import { tryDraw } from '@tapeline/db/operations/draws/request-draws.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { LAST_DAY } from '@tapeline/domain/dates/calendar-date.ts';
import { DRAW_FILES } from '@tapeline/domain/draws/attachments.ts';
import { lastDueDate } from '@tapeline/domain/draws/check-rules.ts';
import type { DrawCheck, DrawFigures } from '@tapeline/domain/draws/checks.ts';
import { APPROVED_NOT_DUE, AVAILABILITY_AFTER_REQUESTS } from '@tapeline/domain/facilities/position-labels.ts';
import { availabilityAfterRequests } from '@tapeline/domain/facilities/utilization.ts';
import { requestDraws } from '../../../commands/draws.server.ts';
import { requireFiles, storeAttachments } from '../../../commands/form-files.server.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { Button } from '../../../components/forms/button.tsx';
import { ChoiceSearch, countsOf, KeptSearch } from '../../../components/forms/choice-search.tsx';
import { keptFiles } from '../../../components/forms/documents-field.tsx';
import { Select } from '../../../components/forms/fields.tsx';
import { FormActions, ScreenForm, useScreenForm } from '../../../components/forms/screen-form.tsx';
import { useTopOfStep } from '../../../components/forms/use-top-of-step.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Columns, Facts, PanelSection, Section } from '../../../components/page/section.tsx';
import { act, intent, readScreen } from '../../../http/screen.server.ts';
import { originOf } from '../../../http/session.server.ts';
import { paths } from '../../../paths.ts';
import { CheckTable } from './check-table.tsx';
import { DrawFields } from './draw-fields.tsx';
import {
  currenciesOfNote,
  type DrawForm,
  drawFormDescription,
  drawFormSchema,
  drawLabel,
  drawsOfForm,
  limitsInWords,
  linesOfNote,
} from './draw-form.ts';

export const handle = named('Request a draw');

const NOUN = ['note', 'notes'] as const;

export const loader = readScreen('transactionDraw/write', ({ db, url }) =>
  db(async (session) => {
    const asked = url.searchParams.get('note');
    const picker = await drawableNotes(session, { search: url.searchParams.get('findNote'), chosen: asked });
    const [only] = picker.choices;
    const noteId = asked || (picker.total === 1 ? only?.id : undefined);
    if (!noteId) return { picker, chosen: null };
    const { note, transaction } = await getNote(session, noteId);
    const today = todayOf(session);
    const { figures, requested } = await tryDraw(
      session,
      { cutOffDate: today, dueDate: today, draws: [] },
      { note, drawId: null },
    );
    return {
      picker,
      chosen: {
        id: note.id,
        title: note.title,
        transaction: transaction.title,
        isActive: transaction.status === 'Active',
        today,
        figures,
        requested,
        limits: limitsInWords(note),
        lastDueDate: lastDueDate(await noteOnDay(session, note, LAST_DAY)),
        lines: linesOfNote(note),
        currencies: currenciesOfNote(note),
      },
    };
  }),
);

export const action = act(
  {
    request: intent({
      permission: 'transactionDraw/write',
      schema: drawFormSchema,
      async run(form, { context, actor, request: sent, db }) {
        requireFiles(form);
        const { note, transaction } = await db((session) => getNote(session, form.note));
        const { cutOffDate, dueDate, description, attachments } = form;
        const [draw] = await requestDraws({ context, actor, origin: originOf(sent, context) }, [
          {
            transaction: transaction.id,
            noteTitle: note.title,
            cutOffDate,
            dueDate,
            description,
            attachments,
            draws: drawsOfForm(form),
          },
        ]);
        return redirect(paths.draw(draw?.id ?? ''));
      },
    }),
    check: intent({
      permission: 'transactionDraw/write',
      schema: drawFormSchema,
      async run(form, { db }) {
        requireFiles(form);
        const tried = await db(async (session) => {
          const { note } = await getNote(session, form.note);
          await requireDueDate(session, note, form.dueDate);
          return tryDraw(session, { ...form, draws: drawsOfForm(form) }, { note, drawId: null });
        });
        const { checks, figures } = tried;
        return Response.json({
          intent: 'check',
          done: false,
          lastResult: { initialValue: enteredDraw(form) },
          tried: { checks, figures },
        });
      },
    }),
  },
  {
    lists: ['lines'],
    files: { permission: 'transactionDraw/write', store: storeAttachments({ directory: DRAW_FILES.directory }) },
  },
);

/** The entered values as the form's fields hold them. */
const enteredDraw = ({ refused, files, ...form }: DrawForm) => ({
  ...form,
  lines: form.lines.map((line) => ({ ...line, sum: line.sum ?? '' })),
});

interface Answer {
  lastResult?: SubmissionResult<string[]>;
  tried?: { checks: DrawCheck[]; figures: DrawFigures };
}

type Chosen = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['chosen']>;

function RequestForm({ chosen, answer }: { chosen: Chosen; answer: Answer | undefined }) {
  const [form] = useScreenForm('draw', drawFormDescription, {
    lastResult: answer?.lastResult,
    shouldValidate: 'onSubmit',
    defaultValue: { note: chosen.id, cutOffDate: chosen.today, lines: chosen.lines },
  });
  return (
    <ScreenForm form={form} intent="request" labels={drawLabel} encType="multipart/form-data">
      <input type="hidden" name="note" value={chosen.id} />
      <DrawFields currencies={chosen.currencies} kept={keptFiles(answer?.lastResult?.initialValue)} />
      <FormActions submit="Request the draw" submitting="Requesting" cancelTo={paths.draws()}>
        <Button type="submit" name="otherIntent" value="check">
          Check it first
        </Button>
      </FormActions>
    </ScreenForm>
  );
}

function NoteLimits({ chosen }: { chosen: Chosen }) {
  return (
    <PanelSection title="Limits" note={`Of ${chosen.title}, in force today`} padded className="flex flex-col gap-4">
      {chosen.limits.map(({ type, limits }) => (
        <div key={type}>
          <h3 className="mb-1.5 text-sm font-medium">{type}</h3>
          <Facts items={limits} />
        </div>
      ))}
      {chosen.limits.length === 0 ? <p className="text-sm text-ink-3">The terms set no limits for draws.</p> : null}
      <p className="text-xs text-ink-3">
        {chosen.currencies.length > 0
          ? `Commitments may be drawn in ${chosen.currencies.join(', ')}.`
          : 'The note has no commitments.'}{' '}
        {chosen.lastDueDate ? (
          <>
            The latest due date is <DateText value={chosen.lastDueDate.date} />, the note’s {chosen.lastDueDate.of}.{' '}
          </>
        ) : null}
        A request beyond a limit can be sent. The lender reviews it.
      </p>
    </PanelSection>
  );
}

/** What is left to draw if everything that is requested is approved, with the draw of the form or without it. */
const afterRequests = ({ requested }: Chosen, { availability }: DrawFigures, withDraw: boolean) =>
  availabilityAfterRequests({ availability: withDraw ? availability.after : availability.before, requested });

export default function NewDraw() {
  const { picker, chosen } = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  // The checks are above the form.
  useTopOfStep(answer?.tried);
  if (picker.total === 0) {
    return (
      <>
        <PageHeader title="Request a draw" />
        <EmptyState title="No note to draw on">Draws need an Active facility. You don’t have access to any.</EmptyState>
      </>
    );
  }
  const figures = answer?.tried?.figures ?? chosen?.figures;
  return (
    <>
      <PageHeader
        title="Request a draw"
        facts={chosen ? [chosen.transaction, <b key="note">{chosen.title}</b>] : ['Choose the note to draw on']}
      />
      <ChoiceSearch id="draw-find-note" name="findNote" noun={NOUN} counts={countsOf(picker)} />
      {picker.total > 1 ? (
        <Form method="get" className="mb-4 flex flex-wrap items-center gap-2">
          <KeptSearch without={['note']} />
          <label htmlFor="draw-note" className="text-xs text-ink-2">
            Note
          </label>
          <Select
            id="draw-note"
            name="note"
            key={chosen?.id}
            defaultValue={chosen?.id ?? ''}
            className="w-96 max-w-full truncate"
            choices={picker.choices.map(({ id, label }) => ({ value: id, label }))}
          />
          <Button type="submit">{chosen ? 'Change' : 'Choose'}</Button>
        </Form>
      ) : null}
      {chosen && figures ? (
        <>
          <KeyFigures
            figures={[
              { label: 'Commitments', value: <Money value={figures.commitments} />, unit: figures.mainCurrency },
              {
                label: 'Balance',
                value: <Money value={figures.position?.balance} zero="figure" />,
                unit: figures.mainCurrency,
              },
              {
                label: APPROVED_NOT_DUE,
                value: <Money value={figures.position?.approved} zero="figure" />,
                unit: figures.mainCurrency,
                note: (
                  <>
                    requested: <Money value={chosen.requested} zero="figure" />
                  </>
                ),
              },
              {
                label: 'Net borrowing base',
                value: <Money value={figures.netBB} />,
                unit: figures.mainCurrency,
                ...(figures.availableBase?.sum !== figures.netBB?.sum
                  ? {
                      note: (
                        <>
                          available base: <Money value={figures.availableBase ?? null} zero="figure" />
                        </>
                      ),
                    }
                  : {}),
              },
              {
                label: answer?.tried ? 'Availability after this draw' : AVAILABILITY_AFTER_REQUESTS,
                value: <Money value={afterRequests(chosen, figures, answer?.tried !== undefined)} zero="figure" />,
                unit: figures.mainCurrency,
                note: (
                  <>
                    today <Money value={figures.availability.before} zero="figure" />
                    {answer?.tried ? ', less requests and this draw' : ', less requests'}
                  </>
                ),
              },
            ]}
          />
          {answer?.tried ? (
            <Section title="Checks" note="Of the entered amounts; nothing was sent">
              <CheckTable checks={answer.tried.checks} exceptions={null} />
            </Section>
          ) : null}
          <Columns split="wide">
            <div className="mb-6 min-w-0">
              <RequestForm chosen={chosen} answer={answer} />
            </div>
            <NoteLimits chosen={chosen} />
          </Columns>
        </>
      ) : null}
    </>
  );
}
