import type { InvestorTerms } from '@tapeline/db/operations/funds/fee-terms.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { TermPart } from '@tapeline/domain/funds/fee-terms.ts';
import { feeTermsText, sourceText, TERM_PART_LABELS } from '@tapeline/domain/funds/fee-words.ts';
import type { FeeTerms, FundFeeTerms } from '@tapeline/domain/funds/fees.schema.ts';
import { Unknown } from '../../../components/figures/figures.tsx';
import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';

type Classes = readonly { readonly name: string; readonly uniqueKey: string }[];

/** Parts of terms in words, one below the other. */
export function TermsText({
  terms,
  currency,
  sources,
  className = null,
  only,
}: {
  terms: FeeTerms;
  currency: string;
  sources?: InvestorTerms['sources'];
  className?: string | null;
  /** The parts to show, without their names if it is one. Left out, all of them. */
  only?: readonly TermPart[];
}) {
  const parts = feeTermsText(terms, currency).filter(({ part }) => only?.includes(part) ?? true);
  if (parts.length === 0) return <Unknown reason="No fees are agreed" />;
  return (
    <ul className="flex flex-col gap-1 whitespace-normal">
      {parts.map(({ part, text }) => {
        const source = sources?.[part];
        const from = source ? sourceText(source, className) : null;
        return (
          <li key={part}>
            {only?.length === 1 ? null : <span className="text-ink-2">{TERM_PART_LABELS[part]}: </span>}
            {text}
            {source && from ? (
              <span className="block text-xs text-ink-3">
                {source.kind === 'sideLetter' && source.document ? (
                  <a href={paths.download(source.document)} className="tap-text text-accent hover:underline">
                    {from}
                  </a>
                ) : (
                  from
                )}
              </span>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** The terms that the fund has agreed, by class and day. */
export function FundTermsSection({
  fund: { id, currency, classes, mayWrite },
  entries,
}: {
  fund: { id: string; currency: string; classes: Classes; mayWrite: boolean };
  entries: readonly FundFeeTerms[];
}) {
  const add = mayWrite ? <LinkButton to={paths.feeTerms(id)}>Add fee terms</LinkButton> : null;
  return (
    <TableSection
      title="Fee terms"
      note="each until the next of the same class"
      more={entries.length > 0 ? add : null}
      rows={entries}
      rowKey={({ Class, from }) => `${Class ?? ''} ${from}`}
      rowTo={({ Class, from }) => (mayWrite ? paths.feeTerms(id, { from, ...(Class ? { class: Class } : {}) }) : null)}
      empty={
        <EmptyState title="No fee terms" action={add}>
          Investors pay what their commitments and side letters say.
        </EmptyState>
      }
      columns={[
        {
          head: 'Class',
          name: ({ Class }) =>
            Class ? (classNameOf(classes, Class) ?? Class) : classes.length > 0 ? 'All classes' : 'All investors',
        },
        { head: 'From', date: ({ from }) => from },
        { head: 'Terms', cell: ({ terms }) => <TermsText terms={terms} currency={currency} /> },
      ]}
    />
  );
}

/** Whose terms hold for each investor on a day, and where each part comes from. */
export function InvestorTermsSection({
  fund: { id, currency, classes },
  date,
  investors: { rows, count },
  limit,
}: {
  fund: { id: string; currency: string; classes: Classes };
  date: string;
  investors: { rows: readonly InvestorTerms[]; count: number };
  limit: number;
}) {
  return (
    <TableSection
      title="Terms of each investor"
      note={`on ${formatCalendarDate(date)}, with where they are agreed`}
      rows={rows}
      rowKey={({ commitmentId }) => commitmentId}
      rowTo={({ commitmentId }) => paths.commitment(id, commitmentId)}
      empty={<EmptyState title="No commitments">Fee terms are those of the commitments to the fund.</EmptyState>}
      columns={[
        { head: 'Investor', name: ({ title }) => title, length: 40 },
        ...(classes.length > 0
          ? [
              {
                head: 'Class',
                cell: ({ Class }: InvestorTerms) => (
                  <span className="whitespace-nowrap">{classNameOf(classes, Class) ?? <Unknown />}</span>
                ),
              },
            ]
          : []),
        ...(
          [
            ['Management fee', ['management']],
            ['Success fee', ['success']],
            ['Other terms', ['transaction', 'overallCap', 'defaultInterest']],
          ] as const
        ).map(([head, only]) => ({
          head,
          cell: ({ terms, sources, Class }: InvestorTerms) => (
            <TermsText
              terms={terms}
              currency={currency}
              sources={sources}
              className={classNameOf(classes, Class)}
              only={only}
            />
          ),
        })),
      ]}
      below={<Pagination total={count} limit={limit} noun="commitments" />}
    />
  );
}
