import { Link, useActionData, useSearchParams } from '@remix-run/react';
import type { ReadCount } from '@tapeline/db/operations/activities/activities.ts';
import type { SetToIssue } from '@tapeline/db/operations/capital/issue-reviews.ts';
import type { FundDocument as StoredDocument } from '@tapeline/db/operations/documents/fund-documents.ts';
import { RECENT_STATEMENT_DAYS } from '@tapeline/domain/capital/recent-documents.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import { Name, Unknown } from '../../../components/figures/figures.tsx';
import { formatBytes, formatCount } from '../../../components/figures/format.ts';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { CsrfField } from '../../../components/forms/csrf-field.tsx';
import { inputClass } from '../../../components/forms/fields.tsx';
import { PostForm } from '../../../components/forms/post-form.tsx';
import { ActionBar } from '../../../components/page/action-bar.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel, Section } from '../../../components/page/section.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import type { ActionAnswer } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DocumentLink, documentGroup, KIND_NAMES, ReadShare } from '../../documents/document-table.tsx';
import { SetNotices } from '../second-person.tsx';
import { WhoIsToldSection } from '../who-is-told.tsx';
import type { DocumentsReview } from './document-intents.server.ts';
import { DOCUMENTS_PER_PAGE, documentValue } from './document-value.ts';

const SHOWN = [
  ['All', undefined],
  ['Statements', 'statement'],
  ['Reports', 'report'],
  ['Calls', 'call'],
  ['Distributions', 'distribution'],
] as const;

/** A document, and how many have read it; null for whoever does not see that. */
export type FundDocument = StoredDocument & { reads: ReadCount | null };

const isChanged = ({ kind }: FundDocument) => kind === 'report' || kind === 'statement';

/** Who is told of the chosen documents, before they are published or removed. */
function Question({ review, search }: { review: DocumentsReview; search: URLSearchParams }) {
  const count = formatCount(review.documents.length, 'document');
  const isRemoval = review.step === 'remove';
  return (
    <>
      <Notice tone="warning">
        <b className="font-semibold">{isRemoval ? `Remove ${count}?` : `Publish ${count}?`}</b>{' '}
        {isRemoval
          ? 'Investors no longer see what was published. Whoever was told of it is told that it is withdrawn.'
          : 'Their investors see them from then on.'}
        <PostForm className="mt-2 flex flex-wrap items-end gap-2" preventScrollReset>
          <CsrfField />
          {review.documents.map((value) => (
            <input key={value} type="hidden" name="documents" value={value} />
          ))}
          {isRemoval ? <RemovalReason problem={review.problem} /> : null}
          <Button
            type="submit"
            name="intent"
            value={isRemoval ? 'removeDocuments' : 'publishDocuments'}
            tone={isRemoval ? 'danger' : 'primary'}
          >
            {isRemoval ? 'Remove' : 'Publish'}
          </Button>
          <LinkButton to={`?${search}`} preventScrollReset>
            No
          </LinkButton>
        </PostForm>
      </Notice>
      {review.warnings.map((warning) => (
        <Notice key={warning} tone="warning">
          {warning}
        </Notice>
      ))}
      <WhoIsToldSection who={review.who} when={isRemoval ? 'at once' : 'once the files are made'} />
    </>
  );
}

function RemovalReason({ problem }: { problem: string | undefined }) {
  return (
    <div className="min-w-0 grow sm:max-w-96">
      <label htmlFor="removal-reason" className="mb-1 block text-xs font-medium text-ink-2">
        Reason, if one of them was published
      </label>
      <input
        id="removal-reason"
        name="reason"
        maxLength={500}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? 'removal-reason-problem' : undefined}
        className={inputClass()}
      />
      {problem ? (
        <p id="removal-reason-problem" className="mt-1 text-xs text-danger">
          {problem}
        </p>
      ) : null}
    </div>
  );
}

/** Steps for the documents that are chosen. */
function Steps({ drafts, search }: { drafts: number; search: URLSearchParams }) {
  const all = new URLSearchParams(search);
  all.set('select', 'drafts');
  return (
    <ActionBar>
      <Button type="submit" name="intent" value="reviewRemoval">
        Remove chosen
      </Button>
      <span className="grow" />
      {drafts > 0 ? (
        <Link to={`?${all}`} preventScrollReset className="tap-text self-center text-sm text-accent hover:underline">
          Choose all drafts on this page
        </Link>
      ) : null}
      <Button type="submit" name="intent" value="reviewDocuments" tone="primary">
        Publish chosen
      </Button>
    </ActionBar>
  );
}

/**
 * The documents of a fund or main fund. Managers publish and remove statements and reports, several at once.
 * @param of what new statements and reports are made for
 */
export function FundDocuments({
  rows,
  total,
  drafts,
  mayWrite,
  of,
  classes,
  hasNotices,
  toIssue,
}: {
  rows: readonly FundDocument[];
  total: number;
  drafts: number;
  mayWrite: boolean;
  of: { fund?: string; mainFund?: string };
  classes: readonly { name: string; uniqueKey: string }[];
  /** Whether calls and distributions are among them. */
  hasNotices: boolean;
  /** Drafts that need a second person. */
  toIssue: readonly SetToIssue[];
}) {
  const [search] = useSearchParams();
  const answer = useActionData() as (ActionAnswer & { review?: DocumentsReview }) | undefined;
  const entered = [answer?.lastResult?.initialValue?.documents].flat();
  const choosesDrafts = search.get('select') === 'drafts';
  const isChosen = (row: FundDocument) =>
    entered.includes(documentValue(row)) || (choosesDrafts && row.status === 'Draft');
  const kind = search.get('kind') ?? undefined;
  const toKind = (one: string | undefined) => {
    const next = new URLSearchParams(search);
    for (const name of ['kind', 'skip', 'select']) next.delete(name);
    if (one) next.set('kind', one);
    return `?${next}`;
  };
  const mayChoose = mayWrite && rows.some(isChanged);
  const eventsWithDrafts = new Set(rows.flatMap(({ status, event }) => (status === 'Draft' ? [event.key] : [])));
  const choice: Column<FundDocument>[] = mayChoose
    ? [
        {
          head: <span className="sr-only">Choose</span>,
          control: true,
          cell: (row) =>
            isChanged(row) ? (
              <label className="flex items-center gap-2 max-sm:min-h-10">
                <input
                  key={String(isChosen(row))}
                  type="checkbox"
                  name="documents"
                  value={documentValue(row)}
                  defaultChecked={isChosen(row)}
                  className="size-4 accent-accent"
                />
                <span className="sm:sr-only">
                  Choose
                  <span className="sr-only">
                    {' '}
                    {row.file?.name ?? KIND_NAMES[row.kind]}, {row.investor ?? row.status}
                  </span>
                </span>
              </label>
            ) : null,
        },
      ]
    : [];
  const table = (
    <DataTable
      narrow="list"
      caption="Documents"
      rows={rows}
      // What has to be published is shown.
      groupOf={(row) => documentGroup(row, { isOpen: mayWrite && eventsWithDrafts.has(row.event.key) })}
      empty={
        <EmptyState title="No documents yet">
          Quarterly reports, capital account statements and notices are listed here.
        </EmptyState>
      }
      columns={[
        ...choice,
        {
          head: 'Name',
          cell: (row) => (
            <span className="inline-flex flex-wrap items-baseline gap-x-3">
              <DocumentLink {...row} length={42} />
              {row.isComputed ? (
                <a
                  href={paths.statementWorkbook(row.id)}
                  className="tap-text text-xs text-accent hover:underline sm:py-1"
                >
                  Excel<span className="sr-only"> of the statement of {row.investor}</span>
                </a>
              ) : null}
            </span>
          ),
        },
        { head: 'Kind', cell: (row) => KIND_NAMES[row.kind] },
        {
          head: 'Investor',
          cell: (row) => (row.investor ? <Name>{row.investor}</Name> : <Unknown reason="For all investors" />),
        },
        ...(classes.length > 0
          ? [{ head: 'Class', cell: (row: FundDocument) => classNameOf(classes, row.Class) ?? 'All' }]
          : []),
        { head: 'As of', date: (row) => row.cutOffDate },
        {
          head: 'Size',
          numeric: true,
          cell: (row) => (row.file ? formatBytes(row.file.size) : <Unknown reason="No file yet" />),
        },
        ...(mayWrite
          ? [
              {
                head: 'Read by',
                numeric: true,
                cell: (row: FundDocument) => <ReadShare reads={row.reads} file={row.file} />,
              },
            ]
          : []),
        { head: 'Status', status: (row) => row.status },
      ]}
    />
  );
  return (
    <Section
      title="Documents"
      note={drafts > 0 && mayWrite ? `latest first, ${formatCount(drafts, 'draft')}` : 'latest first'}
      more={
        <span className="flex flex-wrap gap-2">
          {rows.some(({ file }) => file) ? (
            <LinkButton to={paths.documentArchive(kind ? { ...of, kind } : of)} external>
              Download as zip
            </LinkButton>
          ) : null}
          {mayWrite ? (
            <>
              <LinkButton to={paths.newReport(of)}>New report</LinkButton>
              <LinkButton to={paths.newStatements(of)} tone="primary">
                New statements
              </LinkButton>
            </>
          ) : null}
        </span>
      }
    >
      <nav aria-label="Kind of document" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {SHOWN.filter(([, one]) => hasNotices || (one !== 'call' && one !== 'distribution')).map(([label, one]) => (
          <Link
            key={label}
            to={toKind(one)}
            preventScrollReset
            aria-current={kind === one ? 'true' : undefined}
            className={kind === one ? 'tap-text font-medium text-ink' : 'tap-text text-ink-2 hover:text-accent'}
          >
            {label}
          </Link>
        ))}
      </nav>
      <SetNotices sets={toIssue} />
      {answer?.review ? <Question review={answer.review} search={search} /> : null}
      <Panel className="overflow-visible">
        {mayChoose ? (
          <PostForm preventScrollReset>
            <CsrfField />
            {table}
            <Steps drafts={drafts} search={search} />
          </PostForm>
        ) : (
          table
        )}
        <Pagination total={total} limit={DOCUMENTS_PER_PAGE} noun="documents" />
      </Panel>
      {mayChoose ? (
        <p className="mt-2 text-xs text-ink-3">
          Investors see what is published: their own statements, and the reports of their funds. Users and contacts of
          the investors get one email, unless the document is more than {RECENT_STATEMENT_DAYS} days old.
        </p>
      ) : null}
    </Section>
  );
}
