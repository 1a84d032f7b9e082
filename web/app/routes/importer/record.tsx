import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import {
  type CreatedRecord,
  createdBy,
  publishImported,
  uninvitedUsers,
  unpublishedCount,
} from '@tapeline/db/operations/importer/created.ts';
import { getImport } from '@tapeline/db/operations/importer/imports.ts';
import { type ImportKind, isChangeKind, KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { endImport } from '../../commands/import-jobs.server.ts';
import { DateText } from '../../components/figures/figures.tsx';
import { formatBytes, formatCount, formatFigure } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { AskOnPage } from '../../components/overlays/ask-on-page.tsx';
import { ConfirmForm } from '../../components/overlays/confirm-form.tsx';
import { ConfirmedAction } from '../../components/overlays/confirmed-action.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { Pagination } from '../../components/page/pagination.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { useLivePage } from '../../components/page/use-live-page.ts';
import { TableSection } from '../../components/tables/data-table.tsx';
import { act, confirmedIntent, intent, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { ImportStateChip } from './import-state.tsx';
import { inviteImported } from './invite-imported.server.ts';
import { type ImportView, readImport, withProgress } from './records.server.ts';

export const handle = named<typeof loader>(({ record }) => [`Import of ${KIND_TITLES[record.kind].nouns}`]);

const RECORDS_PER_PAGE = 100;

interface End {
  readonly confirm: string;
  readonly title: string;
  readonly consequence: string;
}
const CANCEL: End = {
  confirm: 'Cancel import',
  title: 'Cancel this import?',
  consequence: 'Nothing is imported. The prepared rows are listed again as not imported yet.',
};
/** How a person ends an import, by its state. */
const ENDS: Partial<Record<ImportView['state'], End>> = {
  waiting: CANCEL,
  running: CANCEL,
  imported: {
    confirm: 'Undo import',
    title: 'Undo this import?',
    consequence:
      'Everything that it created is removed. This is refused if something was changed, issued or referenced since. Codes are not used again.',
  },
};

/** Whether it has changed what was there before: such an import is not undone, and has no records of its own. */
const isMade = ({ kind, state }: Pick<ImportView, 'kind' | 'state'>): boolean =>
  isChangeKind(kind) && state === 'imported';

export const loader = readScreen('importer/read', async (screen) => {
  const { db, params, url, actor } = screen;
  const page = await db(async (session) => {
    const record = await readImport(session, params.id ?? '');
    const created = await createdBy(session, {
      importId: record.id,
      kind: record.kind,
      most: RECORDS_PER_PAGE,
      skip: skipOf(url.searchParams),
    });
    const mayPublish = record.state === 'imported' && can(actor, 'funds/write');
    const mayInvite = record.kind === 'users' && record.state === 'imported' && can(actor, 'users/write');
    return {
      record,
      created,
      uninvited: mayInvite ? (await uninvitedUsers(session, record.id)).length : 0,
      unpublished: mayPublish ? await unpublishedCount(session, record) : 0,
      end: can(actor, 'importer/write') && !isMade(record) ? (ENDS[record.state] ?? null) : null,
      isAsking: url.searchParams.get('ask') === 'undo',
    };
  });
  return { ...page, record: await withProgress(screen, page.record) };
});

export const action = act({
  undo: intent({
    permission: 'importer/write',
    schema: z.object({ confirmed: z.literal('yes').optional() }),
    async run({ confirmed }, screen) {
      const id = screen.params.id ?? '';
      if (!confirmed) return redirect(paths.importRecord(id, { ask: 'undo' }));
      await endImport(screen, id);
      return redirect(paths.importRecord(id));
    },
  }),
  publish: confirmedIntent({
    permission: 'funds/write',
    schema: z.object({}),
    asks: 'publish',
    async run(_, screen) {
      const published = await screen.db(async (session) =>
        publishImported(session, await getImport(session, screen.params.id ?? '')),
      );
      return Response.json({ intent: 'publish', done: true, lastResult: {}, published });
    },
  }),
  invite: confirmedIntent({
    permission: 'users/write',
    schema: z.object({}),
    asks: 'invite',
    async run(_, screen) {
      const { sent, left, reason } = await inviteImported(screen, screen.params.id ?? '');
      return Response.json({ intent: 'invite', done: true, lastResult: {}, sent, left, reason });
    },
  }),
});

function pageOf({ page, id }: Pick<CreatedRecord, 'page' | 'id'>, kind: ImportKind): string {
  if (page === 'fund')
    return paths.fund(id, kind === 'capitalAccounts' || kind === 'reports' ? { view: 'documents' } : undefined);
  if (page === 'investor') return paths.investor(id);
  if (page === 'call') return paths.capitalCall(id);
  return page === 'distribution' ? paths.distribution(id) : paths.user(id);
}

/** Why an import has created nothing, where nothing more will come. */
const EMPTY: Partial<Record<ImportView['state'], { title: string; text: string }>> = {
  undone: { title: 'Everything was removed', text: 'The history keeps what the import had created.' },
  discarded: { title: 'Nothing was imported', text: 'The import was cancelled.' },
};
const NOTHING_YET = { title: 'Nothing yet', text: 'The records appear here once all rows are written.' };
const CHANGED = {
  title: 'All rows are written',
  text: 'What they changed is on the pages of the fund and its investors, and is taken back there.',
};

interface Answer {
  intent: string;
  done: boolean;
  lastResult?: { error?: Record<string, string[] | null> | null };
  published?: number;
  sent?: number;
  left?: number;
  reason?: string | null;
}

function Answered({ answer, kind }: { answer: Answer | undefined; kind: ImportKind }) {
  if (answer?.intent === 'publish' && answer.done) {
    const { noun, nouns } = KIND_TITLES[kind];
    return <Notice tone="good">{formatCount(answer.published ?? 0, noun, nouns)} published.</Notice>;
  }
  if (answer?.intent === 'invite' && answer.done)
    return (
      <Notice tone={answer.left ? 'warning' : 'good'}>
        {formatCount(answer.sent ?? 0, 'invitation')} sent.
        {answer.left ? ` ${formatCount(answer.left, 'user')} not invited: ${answer.reason}` : null}
      </Notice>
    );
  const refused = answer?.lastResult?.error?.[''] ?? [];
  return refused.length > 0 ? (
    <Notice tone="danger">
      <span className="whitespace-pre-line">{refused.join('\n')}</span>
    </Notice>
  ) : null;
}

export default function ImportRecord() {
  const { record, created, uninvited, unpublished, end, isAsking } = useLoaderData<typeof loader>();
  const answer = useActionData() as Answer | undefined;
  const { kind, state } = record;
  const { nouns } = KIND_TITLES[kind];
  const empty = isMade({ kind, state }) ? CHANGED : (EMPTY[state] ?? NOTHING_YET);
  const isInProgress = state === 'waiting' || state === 'running';
  useLivePage(isInProgress);
  return (
    <>
      <PageHeader
        title={`Import of ${nouns}`}
        chip={<ImportStateChip record={record} dot />}
        facts={[
          ...(record.by === null ? [] : [`by ${record.by}`]),
          <span key="at">
            started <DateText value={record.startedAt} time />
          </span>,
          ...(record.finishedAt === null
            ? []
            : [
                <span key="end">
                  finished <DateText value={record.finishedAt} time />
                </span>,
              ]),
          `imported as ${record.recordStatus}`,
        ]}
        actions={end ? <ConfirmForm intent="undo" label={end.confirm} {...end} /> : null}
      />
      {isAsking && end ? <AskOnPage intent="undo" {...end} backTo={paths.importRecord(record.id)} /> : null}
      <Answered answer={answer} kind={kind} />
      {record.failure === null ? null : (
        <Notice
          tone="danger"
          action={state === 'failed' ? <LinkButton to={paths.importer()}>Correct the rows</LinkButton> : null}
        >
          <span className="whitespace-pre-line">{record.failure}</span>
        </Notice>
      )}
      {isInProgress ? (
        <noscript>
          <p className="mb-4 text-sm text-ink-2">Reload this page to see how far the import is.</p>
        </noscript>
      ) : null}
      {unpublished > 0 ? (
        <Notice
          tone="warning"
          action={
            <ConfirmedAction
              asks="publish"
              intent="publish"
              label={unpublished === 1 ? 'Publish now' : `Publish ${formatFigure(unpublished)} now`}
              title={`Publish ${formatCount(unpublished, KIND_TITLES[kind].noun, nouns)}?`}
              consequence="Their investors see them and are told by email. The import can then no longer be undone."
              confirm="Publish"
              tone="primary"
            />
          }
        >
          {formatCount(unpublished, KIND_TITLES[kind].noun, nouns)} {unpublished === 1 ? 'is a draft' : 'are drafts'},
          which investors do not see. The import cannot be undone once one is published.
        </Notice>
      ) : null}
      {uninvited > 0 ? (
        <Notice
          tone="warning"
          action={
            <ConfirmedAction
              asks="invite"
              intent="invite"
              label={uninvited === 1 ? 'Invite now' : `Invite ${formatFigure(uninvited)} now`}
              title={`Invite ${formatCount(uninvited, 'user')}?`}
              consequence="Each gets an email with a link that works once, within 7 days."
              confirm="Invite"
              tone="primary"
            />
          }
        >
          {formatCount(uninvited, 'user')} {uninvited === 1 ? 'is' : 'are'} imported as Pending and cannot sign in until
          invited by email.
        </Notice>
      ) : null}
      <KeyFigures
        figures={[
          { label: 'Rows', value: formatFigure(record.totalCount), note: 'in the import' },
          {
            label: 'Imported',
            value: formatFigure(record.uploadedCount),
            note: record.uploadedCount === record.totalCount ? 'all rows' : 'none until all are written',
          },
          ...(isInProgress
            ? [
                {
                  label: 'Progress',
                  value: formatFigure(record.doneCount),
                  note: `of ${formatCount(record.totalCount, 'row')} written`,
                },
              ]
            : []),
        ]}
      />
      {isInProgress ? (
        <noscript>
          <meta httpEquiv="refresh" content="2" />
        </noscript>
      ) : null}
      {isInProgress ? (
        <div
          role="progressbar"
          aria-label="Progress of the import"
          aria-valuemin={0}
          aria-valuemax={record.totalCount}
          aria-valuenow={record.doneCount}
          className="mb-6 h-1.5 overflow-hidden rounded-full bg-line"
        >
          <div
            className="h-full rounded-full bg-chart-1"
            style={{
              width: `${record.totalCount === 0 ? 0 : Math.round((100 * record.doneCount) / record.totalCount)}%`,
            }}
          />
        </div>
      ) : null}
      <TableSection
        title="Created"
        note={created.total > 0 ? 'where the records are now' : undefined}
        narrow="list"
        caption="Created by this import"
        rows={created.records}
        rowTo={(one) => pageOf(one, kind)}
        empty={<EmptyState title={empty.title}>{empty.text}</EmptyState>}
        columns={[
          { head: 'Page', name: ({ title }) => title, length: 60 },
          { head: nouns[0]?.toUpperCase() + nouns.slice(1), figure: ({ count }) => count },
        ]}
        below={<Pagination total={created.total} limit={RECORDS_PER_PAGE} noun="pages" />}
      />
      <PanelSection title="Files" note={formatCount(record.files.length, 'file')}>
        <ul className="divide-y divide-line text-sm">
          {record.files.map(({ id, name, size }) => (
            <li key={`${id} ${name}`} className="flex flex-wrap items-center gap-x-3 px-4 py-2">
              {id === null ? (
                name
              ) : (
                <Link to={paths.download(id)} reloadDocument className="tap-text break-all text-accent hover:underline">
                  {name}
                </Link>
              )}
              <span className="text-xs text-ink-3">{formatBytes(size)}</span>
            </li>
          ))}
        </ul>
      </PanelSection>
    </>
  );
}
