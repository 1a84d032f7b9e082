import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { changeImportDraft } from '@tapeline/db/operations/importer/drafts.ts';
import { classTitle } from '@tapeline/domain/funds/class-title.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { isFileKind, KIND_TITLES } from '@tapeline/domain/importer/kinds.ts';
import { matchFiles } from '@tapeline/domain/importer/match-files.ts';
import { ExternalLink, FileUp, RefreshCw, X } from 'lucide-react';
import { z } from 'zod';
import { DateText } from '../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { Button, LinkButton } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { ErrorSummary } from '../../components/forms/error-summary.tsx';
import { Select } from '../../components/forms/fields.tsx';
import { PostForm } from '../../components/forms/post-form.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { named } from '../../components/page/page-name.ts';
import { PanelSection } from '../../components/page/section.tsx';
import { act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { checkDraft } from './check-draft.server.ts';
import { discardDraft } from './discard-draft.server.ts';
import { openDraft } from './draft-page.server.ts';
import { ImportSteps } from './import-steps.tsx';
import { titleOf } from './kind-words.ts';
import { ownersOf } from './new.server.ts';
import { startDraft } from './start-draft.server.ts';

export const handle = named<typeof loader>(
  ({ kind }) => [titleOf(kind)],
  ({ kind }) => `Match files · ${titleOf(kind)}`,
);

const MAX_NAMED = 12;
const REASONS = {
  code: 'by the code in its name',
  name: 'by name',
  number: 'by a number in its name',
  several: 'several fit: choose one',
  none: 'nothing fits: choose one',
} as const;

/** The field with the owner of a PDF, by its index. */
const ownerField = (index: number): string => `o-${index}`;

export const loader = readScreenOfManager('importer/write', async (screen) => {
  const draft = await openDraft(screen);
  const { content, id, version, importId, createdAt } = draft;
  const { kind } = content;
  if (importId) throw redirect(paths.importRecord(importId));
  if (!isFileKind(kind)) throw redirect(paths.importCheck(id));
  const { owners, fund } = await screen.db(async (session) => ({
    owners: await ownersOf(session, content),
    fund: content.pdfOf?.fundId ? (await getFund(session, content.pdfOf.fundId)).title : null,
  }));
  const check = await checkDraft(screen, draft);
  const columns = IMPORT_COLUMNS[kind];
  const matches = matchFiles(
    content.pdfs.map(({ name }) => name),
    owners,
  );
  const taken = new Set(content.pdfs.flatMap(({ owner }) => owner ?? []));
  const missing = kind === 'capitalAccounts' ? owners.filter((owner) => !taken.has(owner.id)) : [];
  return {
    id,
    version,
    kind,
    fund,
    status: content.status,
    date: content.pdfOf?.date ?? null,
    classKey: content.pdfOf?.classKey ?? null,
    createdAt: createdAt.toISOString(),
    owners: owners.map((owner) => ({
      value: owner.id,
      label: owner.code === null ? owner.title : `${owner.title} (${owner.code})`,
    })),
    missing: { count: missing.length, names: missing.slice(0, MAX_NAMED).map(({ title }) => title) },
    files: content.pdfs.map(({ id: fileId, name, owner }, index) => {
      const match = matches[index];
      const problems = check.rows[index]?.problems ?? [];
      return {
        index,
        fileId,
        name,
        owner,
        reason: match && match.ownerId === owner ? match.reason : owner === null ? 'none' : null,
        // A file without an owner has one problem, whatever its columns lack.
        problems:
          owner === null
            ? [`Choose the ${kind === 'reports' ? 'fund or class' : 'investor'}.`]
            : problems.map(({ column: key, message }) => {
                const label = columns.find((column) => column.key === key)?.label;
                return label ? `${label}: ${message}` : message;
              }),
      };
    }),
    readyCount: check.readyCount,
  };
});

const reviewForm = z.looseObject({
  version: z.coerce.number().int(),
  go: z.enum(['check', 'import']).default('check'),
  remove: z.coerce.number().int().min(0).max(999).optional(),
});

export const action = act({
  review: intent({
    permission: 'importer/write',
    schema: reviewForm,
    async run(form, screen) {
      const draft = await openDraft(screen);
      const { content, id } = draft;
      const known = new Set((await screen.db((session) => ownersOf(session, content))).map((owner) => owner.id));
      const pdfs = content.pdfs
        .map((pdf, index) => {
          const owner = form[ownerField(index)];
          return { ...pdf, owner: typeof owner === 'string' && known.has(owner) ? owner : null };
        })
        .filter((_, index) => index !== form.remove);
      const isChanged = JSON.stringify(pdfs) !== JSON.stringify(content.pdfs);
      if (!isChanged && form.go === 'import') return redirect(await startDraft(screen, draft, form.version));
      if (!isChanged) return redirect(paths.importFiles(id));
      const changed = await screen.db((session) =>
        changeImportDraft(session, { id, version: form.version, content: { ...content, pdfs } }),
      );
      if (form.go !== 'import') return redirect(paths.importFiles(id));
      const next = await openDraft(screen);
      const { readyCount, totalCount } = await checkDraft(screen, next);
      // What still has a problem is shown; everything else is imported at once.
      return redirect(
        readyCount === totalCount && totalCount > 0
          ? await startDraft(screen, next, changed.version)
          : paths.importFiles(id),
      );
    },
  }),
  discard: discardDraft,
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

function FileRow({ page, file }: { page: Page; file: Page['files'][number] }) {
  const { index, fileId, name, owner, reason, problems } = file;
  const field = ownerField(index);
  const what = page.kind === 'reports' ? 'Fund or class' : 'Investor';
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-2.5 text-sm md:grid-cols-[minmax(0,1fr)_minmax(0,22rem)_6rem]">
      <div className="min-w-0">
        <a
          href={paths.download(fileId)}
          target="_blank"
          rel="noreferrer"
          className="inline-flex max-w-full items-center gap-1.5 break-all text-accent hover:underline"
        >
          {name} <ExternalLink aria-label="opens in a new tab" size={13} className="flex-none" />
        </a>
        {problems.length > 0 ? (
          <ul id={`${field}-problem`} className="text-xs text-danger">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        ) : (
          <p className="text-xs text-good">OK</p>
        )}
      </div>
      <div className="min-w-0">
        <Select
          name={field}
          id={field}
          key={`${field} ${owner}`}
          aria-label={`${what} of ${name}`}
          aria-invalid={problems.length > 0 ? true : undefined}
          aria-describedby={problems.length > 0 ? `${field}-problem` : undefined}
          defaultValue={owner ?? ''}
          className="truncate"
          choices={page.owners}
          empty="Choose"
        />
        <p className="mt-0.5 text-xs text-ink-3">
          {reason ? (owner === null ? REASONS[reason] : `matched ${REASONS[reason]}`) : 'chosen by you'}
        </p>
      </div>
      <Button
        type="submit"
        name="remove"
        value={index}
        tone="quiet"
        aria-label={`Remove ${name}`}
        className="justify-self-start max-sm:-ml-3"
      >
        Remove
      </Button>
    </li>
  );
}

export default function MatchFiles() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const busy = useNavigation().state !== 'idle';
  const { kind, files, missing, readyCount } = page;
  const { noun, nouns } = KIND_TITLES[kind];
  const matched = files.filter(({ owner }) => owner !== null).length;
  const refused = answer && !answer.done ? (answer.lastResult.error?.[''] ?? []) : [];
  const verb = page.status === 'Active' ? 'Publish' : 'Import';
  return (
    <>
      <PageHeader
        title={titleOf(kind)}
        chip={<Chip dot>Not imported</Chip>}
        facts={[
          ...(page.fund ? [<b key="fund">{page.fund}</b>] : []),
          ...(page.classKey ? [classTitle(page.classKey)] : []),
          ...(page.date
            ? [
                <span key="date">
                  cut-off <DateText value={page.date} />
                </span>,
              ]
            : []),
          page.status === 'Active' ? 'published at once' : 'imported as drafts',
        ]}
        actions={
          <>
            <ActionForm intent="discard" tone="quiet">
              Discard
            </ActionForm>
            <LinkButton to={paths.importer()} icon={X}>
              Continue later
            </LinkButton>
          </>
        }
      />
      <ImportSteps
        at="second"
        file={formatCount(files.length, 'PDF file')}
        second={{ label: 'Match', note: `${matched} of ${files.length} matched` }}
        check="with every change"
      />
      <KeyFigures
        figures={[
          { label: 'Files', value: formatFigure(files.length) },
          { label: 'OK', value: formatFigure(readyCount), note: `of ${files.length}` },
          {
            label: 'With problems',
            value: formatFigure(files.length - readyCount),
            tone: files.length > readyCount ? 'danger' : undefined,
            note: files.length > readyCount ? 'to be corrected' : 'none',
          },
          ...(kind === 'capitalAccounts'
            ? [{ label: 'Investors without a file', value: formatFigure(missing.count), note: 'they get no statement' }]
            : []),
        ]}
      />
      {missing.count > 0 ? (
        <Notice tone="warning">
          No file for {missing.names.join(', ')}
          {missing.count > missing.names.length
            ? ` and ${formatFigure(missing.count - missing.names.length)} others`
            : ''}
          .
        </Notice>
      ) : null}
      <PostForm preventScrollReset>
        <CsrfField />
        <input type="hidden" name="intent" value="review" />
        <input type="hidden" name="version" value={page.version} />
        <button type="submit" name="go" value="check" tabIndex={-1} aria-hidden="true" className="sr-only">
          Check again
        </button>
        <ErrorSummary formErrors={refused} problems={[]} />
        <PanelSection title="Files" note="which investor each file belongs to">
          <ul className="divide-y divide-line">
            {files.map((file) => (
              <FileRow key={file.fileId} page={page} file={file} />
            ))}
          </ul>
        </PanelSection>
        <div className="sticky bottom-0 z-10 -mx-6 mt-6 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-6 py-3 max-sm:static max-sm:mx-0 max-sm:rounded-lg max-sm:border max-sm:px-3">
          <p className="mr-auto text-xs text-ink-3 max-sm:order-last max-sm:w-full">
            All files are {page.status === 'Active' ? 'published' : 'imported'} together, or none.
          </p>
          <Button type="submit" name="go" value="check" icon={RefreshCw} aria-disabled={busy || undefined}>
            Check again
          </Button>
          <Button type="submit" name="go" value="import" tone="primary" icon={FileUp} disabled={files.length === 0}>
            {verb} {files.length === 1 ? `1 ${noun}` : `${formatFigure(files.length)} ${nouns}`}
          </Button>
        </div>
      </PostForm>
    </>
  );
}
