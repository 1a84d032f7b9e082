import { Link } from '@remix-run/react';
import type { ReadCount } from '@tapeline/db/operations/activities/activities.ts';
import type { FacilityDocumentKind } from '@tapeline/db/operations/documents/facility-documents.ts';
import type { FundDocument, FundDocumentKind } from '@tapeline/db/operations/documents/fund-documents.ts';
import { Check, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../components/class-names.ts';
import { DateText, Name, Unknown } from '../../components/figures/figures.tsx';
import { formatBytes, formatCount } from '../../components/figures/format.ts';
import { DataTable, type RowGroup } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';

export type DocumentKind = FundDocumentKind | FacilityDocumentKind;

export const KIND_NAMES: Readonly<Record<DocumentKind, string>> = {
  report: 'Fund report',
  statement: 'Account statement',
  call: 'Call notice',
  distribution: 'Distribution notice',
  draw: 'Draw request',
  tape: 'Loan tape',
  base: 'Borrowing base certificate',
  contract: 'Contract',
};

export const KINDS_OF: Readonly<Record<DocumentKind, string>> = {
  report: 'Reports',
  statement: 'Statements',
  call: 'Calls',
  distribution: 'Distributions',
  draw: 'Draws',
  tape: 'Tapes',
  base: 'Certificates',
  contract: 'Contracts',
};

/** A document of any list. */
export interface ListedDocument {
  readonly key: string;
  readonly kind: DocumentKind;
  /** Whom or what it is about: an investor, a fund, a draw. */
  readonly about: string;
  readonly fund: string | null;
  readonly cutOffDate: string;
  readonly status: string;
  readonly file: { readonly id: string; readonly name: string; readonly size: number } | null;
  /** Of what is shown on a page and has no stored file: its name, its address, and where it is downloaded, if it can be. */
  readonly page: { readonly name: string; readonly to: string; readonly download: string | null } | null;
  /** Why there is no file. */
  readonly problem: string | null;
  /** Null for whoever does not see who has read it. */
  readonly reads: ReadCount | null;
  /** What it is one of; null for a document on its own. */
  readonly event: FundDocument['event'] | null;
  /** When the investor who is signed in first read it; null if never. Missing for everybody else. */
  readonly readAt?: string | null;
}

/** Whether the person who is signed in has read a document, and when first. */
export function OwnRead({ at }: { at: string | null }) {
  if (at === null) return <span className="font-medium text-accent">Unread</span>;
  return (
    <span className="inline-flex items-center gap-1 text-ink-3">
      <Check aria-hidden="true" size={13} />
      <span className="sr-only">Read on </span>
      <DateText value={at} />
    </span>
  );
}

/** Leads to the preview or the page of a document; or says why there is none. */
export function DocumentLink({
  file,
  page = null,
  problem,
  readAt,
  length = 64,
}: Pick<ListedDocument, 'file' | 'problem' | 'readAt'> & Partial<Pick<ListedDocument, 'page'>> & { length?: number }) {
  if (page) {
    return (
      <Link to={page.to} className="tap-text text-accent hover:underline">
        <Name length={length}>{page.name}</Name>
      </Link>
    );
  }
  if (file) {
    return (
      <Link
        to={paths.document(file.id)}
        className={classNames('tap-text text-accent hover:underline', readAt === null && 'font-[600]')}
      >
        <Name length={length}>{file.name}</Name>
      </Link>
    );
  }
  return problem ? (
    <span className="text-danger">No file: {problem}</span>
  ) : (
    <span className="text-ink-3">The file is being created</span>
  );
}

/** Downloads a file: an icon, and a word on phones. @param to where from, if it is not a stored file */
export function DownloadLink({ id, name, to = paths.download(id) }: { id: string; name: string; to?: string }) {
  return (
    <a
      href={to}
      title="Download"
      className="tap-text inline-flex items-center gap-1 align-middle text-ink-3 hover:text-accent"
    >
      <Download aria-hidden="true" size={15} />
      <span className="text-xs sm:sr-only">
        Download<span className="sr-only"> {name}</span>
      </span>
    </a>
  );
}

/** "3 of 12": how many of those it is for have read it. */
export function ReadShare({ reads, file }: { reads: ReadCount | null; file: { id: string } | null }) {
  if (!reads || !file) return <Unknown reason="Nobody can read it yet" />;
  if (reads.people === 0) return <Unknown reason="The investor has no users" />;
  return (
    <Link to={paths.document(file.id)} className="tap-text text-accent hover:underline">
      {reads.read} of {reads.people}
    </Link>
  );
}

const EVENT_NAMES = { call: 'Capital call', distribution: 'Distribution', statement: 'Account statements' } as const;

/** Documents of an event that are shown before somebody opens it. */
const MAX_OPEN = 3;

/** The event of documents: "Capital call 9, 12 documents as of 30 Jun 2026". */
export function documentGroup(
  { kind, event, cutOffDate, fund }: Pick<ListedDocument, 'kind' | 'event' | 'cutOffDate' | 'fund'>,
  { withFund = false, isOpen = false }: { withFund?: boolean; isOpen?: boolean } = {},
): RowGroup | null {
  const name = kind in EVENT_NAMES ? EVENT_NAMES[kind as keyof typeof EVENT_NAMES] : null;
  if (name === null || event === null) return null;
  return {
    key: event.key,
    isOpen: isOpen || event.count <= MAX_OPEN,
    title: (
      <span className="flex min-w-0 flex-wrap gap-x-2">
        <span className="font-medium">{event.number === null ? name : `${name} ${event.number}`}</span>
        {withFund && fund ? <Name length={40}>{fund}</Name> : null}
        <span className="text-ink-3">
          {formatCount(event.count, 'document')} as of <DateText value={cutOffDate} />
        </span>
      </span>
    ),
  };
}

/** Documents of a fund, an investor or a facility. @param about the head of what each is about; null if of one thing */
export function DocumentTable({
  rows,
  empty,
  about,
  withFund = false,
  withReads = false,
}: {
  rows: readonly ListedDocument[];
  empty: ReactNode;
  about: string | null;
  withFund?: boolean;
  withReads?: boolean;
}) {
  // With the fund next to whom it is for, the table is narrow enough only if rows have two lines.
  const isOfAll = withFund && about !== null;
  return (
    <DataTable
      narrow="cards"
      caption="Documents"
      rows={rows}
      rowKey={(row) => row.key}
      groupOf={(row) => documentGroup(row, { withFund })}
      empty={empty}
      columns={[
        {
          head: 'Name',
          card: 'name',
          cell: (row) => (
            <>
              <DocumentLink {...row} length={withReads ? 52 : 64} />
              {isOfAll ? <span className="block text-xs text-ink-3">{KIND_NAMES[row.kind]}</span> : null}
            </>
          ),
        },
        ...(isOfAll ? [] : [{ head: 'Kind', cell: (row: ListedDocument) => KIND_NAMES[row.kind] }]),
        ...(about === null
          ? []
          : [
              {
                head: about,
                name: (row: ListedDocument) => row.about,
                ...(isOfAll
                  ? { under: (row: ListedDocument) => (row.fund === row.about ? '' : (row.fund ?? '')) }
                  : {}),
              },
            ]),
        ...(withFund && !isOfAll ? [{ head: 'Fund', name: (row: ListedDocument) => row.fund ?? '' }] : []),
        { head: 'As of', card: 'date', date: (row) => row.cutOffDate },
        {
          head: 'Size',
          numeric: true,
          cell: (row) =>
            row.file ? (
              formatBytes(row.file.size)
            ) : (
              <Unknown reason={row.page ? 'Created when it is downloaded' : 'No file yet'} />
            ),
        },
        ...(withReads
          ? [
              {
                head: 'Read by',
                numeric: true,
                cell: (row: ListedDocument) => <ReadShare reads={row.reads} file={row.file} />,
              },
            ]
          : []),
        // An investor sees nothing but what is in force. Whether it was read says more.
        rows.some(({ readAt }) => readAt !== undefined)
          ? { head: 'Read', card: 'state', cell: (row: ListedDocument) => <OwnRead at={row.readAt ?? null} /> }
          : { head: 'Status', card: 'state', status: (row: ListedDocument) => row.status },
        {
          head: <span className="sr-only">Download</span>,
          control: true,
          card: 'amount',
          cell: ({ key, file, page }) =>
            file ? (
              <DownloadLink {...file} />
            ) : page?.download ? (
              <DownloadLink id={key} name={page.name} to={page.download} />
            ) : null,
        },
      ]}
    />
  );
}
