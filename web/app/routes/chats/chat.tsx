import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { getChat } from '@tapeline/db/operations/chats/chats.ts';
import { matchesOf } from '@tapeline/db/operations/chats/question-lists.ts';
import { createGroupFilter } from '@tapeline/db/operations/group-filters/group-filters.ts';
import { draftContracts } from '@tapeline/db/operations/transactions/contracts.ts';
import { noteNamesOf } from '@tapeline/db/operations/transactions/note-names.ts';
import type { Session } from '@tapeline/db/store.ts';
import {
  CHAT_LIMITS,
  CHAT_TASK_LABELS,
  type ChatTaskRecord,
  chatMessageSchema,
} from '@tapeline/domain/chats/chat.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type GridId, viewSearch } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { groupFilterCreateSchema, MAX_IDS } from '@tapeline/domain/group-filters/group-filter.schema.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { continueChat } from '../../commands/chats.server.ts';
import { classNames } from '../../components/class-names.ts';
import { formatCount } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { SelectField, TextareaField, TextField } from '../../components/forms/fields.tsx';
import { FormActions, ScreenForm } from '../../components/forms/screen-form.tsx';
import { useShortForm } from '../../components/forms/use-short-form.ts';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Panel, PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreen } from '../../http/screen.server.ts';
import { originOf } from '../../http/session.server.ts';
import { paths } from '../../paths.ts';
import { CONDITION_SECTIONS, PARTS } from '../monitoring/contracts/sections.ts';

export const handle = named<typeof loader>(({ title }) => [title]);

const saveSchema = groupFilterCreateSchema.pick({ title: true });

const contractSchema = z.object({
  contract: z.string({ error: 'Choose a contract' }).pipe(idSchema),
  section: z.enum(CONDITION_SECTIONS),
});

/** Drafts that the list offers. */
const MAX_DRAFTS = 200;

/** The drafts of contracts that the filter can be put in. */
async function contractChoices(session: Session) {
  const { drafts, total } = await draftContracts(session, MAX_DRAFTS);
  const notes = await noteNamesOf(
    session,
    drafts.map(({ transactionId }) => transactionId),
  );
  const choices = drafts.flatMap(({ id, noteId, revision }) => {
    const note = notes.get(noteId);
    return note ? [{ value: id, label: `${note.transactionTitle}, ${note.noteTitle}, v${revision}` }] : [];
  });
  return { choices, total };
}

/** The grids that show the rows of a list with its filter. */
const GRIDS_OF: Readonly<Record<string, GridId>> = {
  assets: 'tape-assets',
  funds: 'funds',
  transactions: 'transactions',
  draws: 'draws',
  repayments: 'repayments',
};

/** Where the filter is saved as a view of its grid; null for a list that no grid shows. */
function viewOf({ list, filter, sort, links }: ChatTaskRecord): string | null {
  const grid = GRIDS_OF[list ?? ''];
  if (!grid) return null;
  const address = new URLSearchParams({
    filter: JSON.stringify(filter),
    ...(sort ? { sort: JSON.stringify(sort) } : {}),
  });
  return paths.newView({ grid, search: viewSearch(address), back: links?.[0]?.path ?? paths.chats() });
}

export const loader = readScreen(null, ({ db, params, actor }) =>
  db(async (session) => {
    const { id, title, tasks } = await getChat(session, params.id ?? '');
    const [task] = tasks;
    return {
      id,
      title: title ?? 'Untitled',
      type: CHAT_TASK_LABELS[task?.type ?? 'blank'],
      messages: task?.messages ?? [],
      isFull: (task?.messages.length ?? 0) + 2 > CHAT_LIMITS.messages,
      found:
        task?.filter === undefined
          ? null
          : {
              filter: JSON.stringify(task.filter),
              sentence: task.sentence ?? '',
              count: task.count ?? null,
              list: task.list ?? '',
              links: task.links ?? [],
              saveTo: viewOf(task),
            },
      // Where the figures of the last answer are shown.
      sources: task?.figures ? (task.links ?? []) : [],
      contracts:
        task?.list === 'assets' && task.filter !== undefined && can(actor, 'transactions/write')
          ? await contractChoices(session)
          : null,
    };
  }),
);

export const action = act({
  send: intent({
    permission: null,
    schema: chatMessageSchema,
    async run({ text }, { context, actor, request, params }) {
      const { id } = await continueChat(context, actor, { id: params.id ?? '', text }, originOf(request, context));
      return redirect(`${paths.chat(id)}#latest`);
    },
  }),
  // Nothing is saved yet: the contract opens a new rule with the filter, for review.
  contract: intent({
    permission: 'transactions/write',
    schema: contractSchema,
    run: ({ contract, section }, { params }) =>
      Promise.resolve(redirect(paths.contract(contract, { tab: section, edit: 'new', chat: params.id ?? '' }))),
  }),
  save: intent({
    permission: 'funds/read',
    schema: saveSchema,
    async run({ title }, { db, params }) {
      await db(async (session) => {
        const [task] = (await getChat(session, params.id ?? '')).tasks;
        if (task?.list !== 'funds') throw new Refusal('badRequest', 'Only a filter of funds can be saved');
        const { ids, total } = await matchesOf(session, 'funds', task.filter, MAX_IDS);
        if (total > MAX_IDS)
          throw new Refusal('badRequest', `A saved filter has at most ${MAX_IDS} funds; ${total} match`);
        if (total === 0) throw new Refusal('badRequest', 'No fund matches, so there is nothing to save');
        await createGroupFilter(session, { title, filters: { funds: ids, investors: [] } });
      });
      return redirect(paths.filters());
    },
  }),
});

type Chat = ReturnType<typeof useLoaderData<typeof loader>>;

function Messages({ messages }: { messages: Chat['messages'] }) {
  return (
    <ol className="grid gap-3 p-4">
      {messages.map(({ from, text, at, choices }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end
          key={`${at}-${index}`}
          id={index === messages.length - 1 ? 'latest' : undefined}
          className={classNames(
            'max-w-[42rem] rounded-md px-3 py-2 text-sm',
            from === 'user' ? 'justify-self-end bg-hover' : 'border border-line',
          )}
        >
          <p className="mb-0.5 text-xs font-medium text-ink-2">{from === 'user' ? 'You' : 'Tapeline'}</p>
          <p className="whitespace-pre-wrap break-words">{text}</p>
          {choices && index === messages.length - 1 ? (
            <div className="mt-2 flex flex-wrap gap-2">
              {choices.map((choice) => (
                <ActionForm key={choice.label} intent="send" values={{ text: choice.question }}>
                  {choice.label}
                </ActionForm>
              ))}
            </div>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

/** Puts the filter of assets in a draft of a contract. */
function IntoContract({ contracts }: { contracts: NonNullable<Chat['contracts']> }) {
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof contractSchema>>('contract', {
    lastResult: answer?.intent === 'contract' ? answer.lastResult : undefined,
    defaultValue: { contract: contracts.choices[0]?.value, section: 'eligibility' },
    chosen: ['contract', 'section'],
  });
  if (contracts.choices.length === 0) {
    return (
      <p className="text-ink-2">
        To put this filter in a contract, create a new version of the contract first.{' '}
        <Link to={paths.contracts()} className="font-medium text-accent hover:underline">
          View contracts
        </Link>
      </p>
    );
  }
  return (
    <ScreenForm form={form} intent="contract" labels={{ contract: 'Contract', section: 'Part' }}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          field={fields.contract}
          label="Put in a contract"
          hint={
            contracts.total > contracts.choices.length
              ? `The newest ${contracts.choices.length} of ${contracts.total} drafts`
              : 'Drafts only. You review the rule before it is saved'
          }
          choices={contracts.choices}
        />
        <SelectField
          field={fields.section}
          label="Part"
          choices={CONDITION_SECTIONS.map((section) => ({ value: section, label: PARTS[section].title }))}
        />
      </div>
      <FormActions submit="Review in the contract" submitting="Opening" />
    </ScreenForm>
  );
}

function Links({ links }: { links: Chat['sources'] }) {
  return links.map((link) => (
    <p key={link.path}>
      <Link to={link.path} className="font-medium text-accent hover:underline">
        {link.title}
      </Link>
      {link.count === undefined ? null : <span className="text-ink-3"> {formatCount(link.count, 'row')}</span>}
    </p>
  ));
}

function Found({ found, contracts }: { found: NonNullable<Chat['found']>; contracts: Chat['contracts'] }) {
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof saveSchema>>('save', {
    lastResult: answer?.intent === 'save' ? answer.lastResult : undefined,
    required: ['title'],
  });
  return (
    <PanelSection
      title="Filter"
      note={found.count === null ? undefined : `${formatCount(found.count, 'row')} when it was asked`}
      className="grid gap-3 p-4 text-sm"
    >
      <p>{found.sentence}</p>
      <Links links={found.links} />
      {found.saveTo ? (
        <p>
          <Link to={found.saveTo} className="font-medium text-accent hover:underline">
            Save as a view
          </Link>
          <span className="text-ink-3"> of this list, to open it again or share it</span>
        </p>
      ) : null}
      {contracts ? <IntoContract contracts={contracts} /> : null}
      <details>
        <summary className="cursor-pointer text-xs font-medium text-accent">As JSON, for the API</summary>
        <label className="mt-2 grid gap-1 text-xs font-medium text-ink-2">
          Filter
          <textarea
            readOnly
            rows={3}
            value={found.filter}
            className="rounded-md border border-field-line bg-paper p-2 font-mono text-xs text-ink"
          />
        </label>
      </details>
      {found.list === 'funds' ? (
        <ScreenForm form={form} intent="save" labels={{ title: 'Name' }}>
          <TextField field={fields.title} label="Name" hint="Saves the funds that match now" />
          <FormActions submit="Save as filter" submitting="Saving" />
        </ScreenForm>
      ) : null}
    </PanelSection>
  );
}

export default function ChatScreen() {
  const { title, type, messages, isFull, found, sources, contracts } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [form, fields] = useShortForm<z.input<typeof chatMessageSchema>>('message', {
    lastResult: answer?.intent === 'send' ? answer.lastResult : undefined,
    required: ['text'],
  });
  return (
    <>
      <PageHeader title={title} facts={[type, 'only you can see this chat']} />
      <PanelSection title="Messages">
        {messages.length > 0 ? (
          <Messages messages={messages} />
        ) : (
          <p className="p-4 text-sm text-ink-3">No messages yet.</p>
        )}
      </PanelSection>
      {sources.length > 0 ? (
        <PanelSection title="Where the figure is shown" className="grid gap-3 p-4 text-sm">
          <Links links={sources} />
        </PanelSection>
      ) : null}
      {found ? <Found found={found} contracts={contracts} /> : null}
      {isFull ? (
        <p className="text-sm text-ink-2">
          This chat has the most messages that a chat can have. <Link to={paths.chats()}>Start a new one</Link>.
        </p>
      ) : (
        <ScreenForm key={messages.length} form={form} intent="send" labels={{ text: 'Message' }}>
          <Panel className="max-w-[46rem] p-4">
            <TextareaField field={fields.text} label="Message" rows={3} />
          </Panel>
          <FormActions submit="Send" submitting="Sending" />
        </ScreenForm>
      )}
    </>
  );
}
