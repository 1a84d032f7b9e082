import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { listChats, removeChats } from '@tapeline/db/operations/chats/chats.ts';
import { CHAT_TASK_LABELS, CHAT_TASKS, type ChatTask, chatCreateSchema } from '@tapeline/domain/chats/chat.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { can, type UserActor } from '@tapeline/domain/people/actor.ts';
import { MessageSquare } from 'lucide-react';
import { z } from 'zod';
import { taskOfQuestion } from '../../commands/chat-questions.server.ts';
import { startChat } from '../../commands/chats.server.ts';
import { Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { SelectField, TextareaField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { TableSection } from '../../components/tables/data-table.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { originOf } from '../../http/session.server.ts';
import { paths } from '../../paths.ts';

export const handle = { title: 'Chats' };

const PAGE_LENGTH = 50;
const LABELS = { task: 'About', text: 'Question' };
/** Without a task, the question says what it is about. */
const formSchema = z.object({
  task: chatCreateSchema.shape.task.optional(),
  text: chatCreateSchema.shape.text.unwrap(),
});

/** The tasks that are useful to the user, the most likely first. */
const tasksOf = (actor: UserActor): ChatTask[] =>
  [...CHAT_TASKS].reverse().filter((task) => task !== 'assetTargetFilter' || can(actor, 'assets/read'));

/** The figures that the last answer gave, by name; null if it gave none. */
function figuresOf(figures: readonly { label: string; of: string }[] = []): string | null {
  return figures.length === 0 ? null : figures.map(({ label, of }) => `${label} of ${of}`).join('; ');
}

export const loader = readScreen(null, ({ db, url, actor }) =>
  db(async (session) => {
    const { documents, total } = await listChats(session, { skip: skipOf(url.searchParams), limit: PAGE_LENGTH });
    return {
      total,
      tasks: tasksOf(actor),
      rows: documents.map(({ id, title, tasks, metadata }) => ({
        id,
        title: title ?? 'Untitled',
        task: CHAT_TASK_LABELS[tasks[0]?.type ?? 'blank'],
        sentence: tasks[0]?.sentence ?? figuresOf(tasks[0]?.figures),
        changedAt: metadata.changedBy?.timestamp ?? metadata.iat,
      })),
    };
  }),
);

export const action = act({
  start: intent({
    permission: null,
    schema: formSchema,
    async run({ text, task: chosen }, { context, actor, request }) {
      const task = chosen ?? (await taskOfQuestion(context, actor, text));
      const { id } = await startChat(context, actor, { task, text }, originOf(request, context));
      return redirect(paths.chat(id));
    },
  }),
  remove: intent({
    permission: null,
    schema: z.object({ id: idSchema }),
    async run({ id }, { db }) {
      await db((session) => removeChats(session, [id]));
      return null;
    },
  }),
});

export default function Chats() {
  const { rows, total, tasks } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof formSchema>>('chat', {
    lastResult: answer?.intent === 'start' ? answer.lastResult : undefined,
    required: ['text'],
  });
  return (
    <>
      <PageHeader title="Chats" facts={[formatCount(total, 'chat'), 'only you can see your chats']} />
      <Section
        title="Ask a question"
        note={`In plain English, for example “${tasks[0] === 'assetTargetFilter' ? '60+ days late in California or Texas' : 'capital calls due this month'}”`}
      >
        <ScreenForm form={form} intent="start" labels={LABELS}>
          <Panel className="grid max-w-[46rem] gap-4 p-4">
            <SelectField
              field={fields.task}
              label={LABELS.task}
              choices={tasks.map((value) => ({ value, label: CHAT_TASK_LABELS[value] }))}
              empty="What the question names"
              required={false}
            />
            <TextareaField field={fields.text} label={LABELS.text} rows={3} />
          </Panel>
          <FormActions submit="Ask" submitting="Asking" />
        </ScreenForm>
      </Section>
      <TableSection
        title="Your chats"
        narrow="list"
        rows={rows}
        rowTo={(row) => paths.chat(row.id)}
        empty={
          <EmptyState icon={MessageSquare} title="No chats yet">
            Ask a question above. The answer is a filter that you can open, save or use in a contract.
          </EmptyState>
        }
        columns={[
          { head: 'Question', name: (row) => row.title, length: 60 },
          { head: 'About', quiet: true, cell: (row) => row.task },
          {
            head: 'Filter or figure',
            cell: (row) => (row.sentence ? <Name length={60}>{row.sentence}</Name> : 'None yet'),
          },
          { head: 'Last message', date: (row) => row.changedAt },
          {
            head: <span className="sr-only">Action</span>,
            cell: (row) => (
              <ActionForm intent="remove" values={{ id: row.id }} tone="quiet" className="relative z-10 max-sm:-ml-3">
                Delete
                <span className="sr-only"> {row.title}</span>
              </ActionForm>
            ),
          },
        ]}
        below={<Pagination total={total} limit={PAGE_LENGTH} noun="chats" />}
      />
    </>
  );
}
