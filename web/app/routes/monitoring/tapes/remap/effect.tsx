import { subtract } from '@tapeline/domain/money/decimal.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { Chip, type Tone } from '../../../../components/page/chip.tsx';
import { Columns, PanelSection } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { NetChange } from '../net-change.tsx';
import type { RemapPage } from '../remap-page.server.ts';

type Review = NonNullable<RemapPage['review']>;

const COUNTS = [
  ['assets', 'Assets'],
  ['errored', 'Errored rows'],
  ['discarded', 'Discarded rows'],
] as const;

const CHANGES: Readonly<Record<Review['fields'][number]['change'], { label: string; tone: Tone }>> = {
  changed: { label: 'Changed', tone: 'warning' },
  added: { label: 'New', tone: 'good' },
  removed: { label: 'Removed', tone: 'danger' },
};

/** What another mapping version would change, and the button that confirms it. */
export function Effect({
  review,
  chosen,
  openProposals,
}: {
  review: Review;
  chosen: NonNullable<RemapPage['chosen']>;
  openProposals: number;
}) {
  const { before, after, becomeAssets, stopBeingAssets, balances, fields, moreFields, correctedRows } = review;
  const version = `version ${chosen.version}`;
  return (
    <>
      <Columns split="even">
        <TableSection
          title="Rows"
          note={`${formatCount(becomeAssets, 'row')} become${becomeAssets === 1 ? 's' : ''} assets, ${formatCount(stopBeingAssets, 'asset')} become${stopBeingAssets === 1 ? 's' : ''} errored`}
          rows={COUNTS.map(([key, label]) => ({ label, now: before[key], next: after[key] }))}
          rowKey={({ label }) => label}
          columns={[
            { head: 'Rows', cell: ({ label }) => label },
            { head: 'Now', figure: ({ now }) => now, digits: 0, zero: 'figure' },
            { head: `With ${version}`, figure: ({ next }) => next, digits: 0, zero: 'figure' },
            { head: 'Change', figure: ({ now, next }) => next - now, digits: 0 },
          ]}
        />
        <TableSection
          title="Outstanding balance"
          note="of the assets, by currency"
          narrow="list"
          rows={balances}
          rowKey={({ currency }) => currency}
          columns={[
            { head: 'Currency', cell: ({ currency }) => currency },
            { head: 'Now', money: (row) => row.before, unknown: 'No asset has a balance in this currency' },
            { head: `With ${version}`, money: (row) => row.after, unknown: 'No asset has a balance in this currency' },
            {
              head: 'Change',
              money: (row) => (row.before !== null && row.after !== null ? subtract(row.after, row.before) : null),
            },
          ]}
          empty={<p className="p-3 text-sm text-ink-3">Neither version has an outstanding balance.</p>}
        />
      </Columns>
      <NetChange
        notes={review.notes}
        calculates={review.calculates}
        change={version}
        decision={['processing', 'process the tape']}
      />
      <TableSection
        title="Fields"
        note={moreFields > 0 ? `${formatCount(moreFields, 'more field')} not listed` : undefined}
        caption="Fields whose values change"
        rows={fields}
        rowKey={({ path }) => path}
        columns={[
          { head: 'Field', cell: ({ label }) => label },
          {
            head: 'Change',
            cell: ({ change }) => <Chip tone={CHANGES[change].tone}>{CHANGES[change].label}</Chip>,
          },
          { head: 'Assets', figure: ({ assets }) => assets, digits: 0, zero: 'figure' },
        ]}
        empty={<p className="p-3 text-sm text-ink-3">No asset has another value.</p>}
      />
      <PanelSection title="Process" padded className="max-w-[46rem]">
        <ul className="mb-3 list-disc space-y-1 pl-5 text-sm text-ink-2">
          {correctedRows > 0 ? <li>{formatCount(correctedRows, 'corrected row')} stay corrected.</li> : null}
          {openProposals > 0 ? (
            <li>{formatCount(openProposals, 'open proposal')} of the borrower become outdated.</li>
          ) : null}
          <li>
            {review.calculates
              ? 'The borrowing bases of the tape are calculated again.'
              : 'No borrowing base is calculated: the tape has none.'}{' '}
            Earlier certificates stay readable.
          </li>
        </ul>
        <ActionForm intent="remap" values={{ mapping: chosen.id, on: review.generationId ?? '' }} tone="primary">
          Process with {version}
        </ActionForm>
      </PanelSection>
    </>
  );
}
