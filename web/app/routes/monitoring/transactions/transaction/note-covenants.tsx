import { COVENANT_STATE_LABELS, COVENANT_STATES } from '@tapeline/domain/covenants/covenant-labels.ts';
import { bareFigure, covenantFigure, limitInWords } from '@tapeline/domain/covenants/covenant-words.ts';
import { isNegative } from '@tapeline/domain/money/decimal.ts';
import { Unknown } from '../../../../components/figures/figures.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { Chip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import { STATE_TONES } from '../../covenants/covenant-tones.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

const NOT_KNOWN = 'Its figures are not there yet, or the test does not apply';

/** The covenants of a note: what was found last, the limit, and what is left to it. */
export function NoteCovenants({ page: { tab, transaction, note, canWrite } }: { page: FacilityTab<'overview'> }) {
  const covenants = [...tab.covenants].sort(
    (one, other) => COVENANT_STATES.indexOf(one.state) - COVENANT_STATES.indexOf(other.state),
  );
  const [first] = covenants.map(({ nextTest }) => nextTest).sort();
  const breached = covenants.filter(({ state }) => state === 'breached').length;
  return (
    <TableSection
      title="Covenants"
      note={covenants.length === 0 ? undefined : breached === 0 ? 'none breached' : `${breached} breached`}
      more={
        covenants.length > 0 ? (
          <MoreLink to={paths.covenants({ facility: transaction.id })}>All {covenants.length}</MoreLink>
        ) : null
      }
      narrow="cards"
      rows={covenants}
      rowTo={({ id }) => paths.covenant(id)}
      columns={[
        { head: 'Covenant', card: 'name', name: ({ title }) => title, length: 44 },
        {
          head: 'Last',
          card: 'amount',
          numeric: true,
          cell: (covenant) =>
            covenant.latest ? covenantFigure(covenant, covenant.latest.value) : <Unknown reason={NOT_KNOWN} />,
        },
        {
          head: 'Agreed',
          card: 'date',
          numeric: true,
          cell: (covenant) => (covenant.limit === null ? '–' : limitInWords(covenant, covenant.limit)),
        },
        {
          head: 'Headroom',
          card: 'state',
          numeric: true,
          cell: (covenant) => {
            const headroom = covenant.latest?.headroom ?? null;
            return headroom === null ? (
              <Unknown reason={NOT_KNOWN} />
            ) : (
              <span className={isNegative(headroom) ? 'text-danger' : undefined}>{bareFigure(covenant, headroom)}</span>
            );
          },
        },
        {
          head: 'State',
          card: 'state',
          cell: ({ state }) => <Chip tone={STATE_TONES[state]}>{COVENANT_STATE_LABELS[state]}</Chip>,
        },
      ]}
      empty={
        <EmptyState
          title="No covenants"
          action={
            canWrite ? (
              <LinkButton to={paths.newCovenant({ transaction: transaction.id, note: note.id })}>
                Add a covenant
              </LinkButton>
            ) : null
          }
        >
          Tests of the agreement, such as a delinquent share or a net worth, appear here with what is left to their
          limits.
        </EmptyState>
      }
      caption={first ? `Covenants, next test ${first}` : undefined}
    />
  );
}
