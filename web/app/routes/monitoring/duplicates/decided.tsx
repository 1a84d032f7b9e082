import { DECISION_LABELS } from '@tapeline/domain/duplicates/rules.ts';
import { DateText } from '../../../components/figures/figures.tsx';
import { Chip } from '../../../components/page/chip.tsx';
import { MoreLink, PanelSection } from '../../../components/page/section.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { DECISION_TONES } from './duplicate-words.ts';
import type { readDuplicates } from './duplicates.server.ts';

type Pair = Awaited<ReturnType<typeof readDuplicates>>['pairs'][number];

export function Loans({ pair }: { pair: Pair }) {
  return (
    <>
      <span className="block font-[550]">{pair.obligor ?? 'Without a name'}</span>
      <span className="block text-xs font-normal text-ink-2">
        {pair.sides.map(({ company, loan }, index) => (
          <span key={index === 0 ? 'first' : 'second'}>
            {index === 0 ? '' : ', '}
            {company} <span className="font-mono">{loan ?? 'no id'}</span>
          </span>
        ))}
      </span>
    </>
  );
}

export const DECIDED_COLUMNS: readonly Column<Pair>[] = [
  { head: 'Loans', cell: (pair) => <Loans pair={pair} /> },
  {
    head: 'Decision',
    cell: ({ status }) => (
      <Chip dot tone={DECISION_TONES[status] ?? 'neutral'}>
        {DECISION_LABELS[status as keyof typeof DECISION_LABELS]}
      </Chip>
    ),
  },
  {
    head: 'Reason',
    cell: ({ reason, decidedBy, decidedAt }) => (
      <>
        <span className="block">{reason ?? 'No reason given'}</span>
        <span className="block text-xs text-ink-3">
          {decidedBy}, <DateText value={decidedAt ?? ''} />
        </span>
      </>
    ),
  },
];

/** The latest decisions, below the pairs to decide. */
export function Remembered({ pairs, total }: { pairs: readonly Pair[]; total: number }) {
  if (pairs.length === 0) return null;
  return (
    <div className="mt-6">
      <PanelSection
        title="Remembered decisions"
        note="not shown again while the facts stay the same"
        more={total > pairs.length ? <MoreLink to={paths.duplicates({ tab: 'decided' })}>All {total}</MoreLink> : null}
      >
        <DataTable
          caption="The latest decisions"
          narrow="list"
          rows={pairs}
          columns={DECIDED_COLUMNS}
          rowTo={(pair) => paths.duplicate(pair.id, { tab: 'decided' })}
        />
      </PanelSection>
    </div>
  );
}
